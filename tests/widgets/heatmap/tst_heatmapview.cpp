// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/synthetic.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"

#include <QAccessible>
#include <QApplication>
#include <QPaintEvent>
#include <QScrollBar>
#include <QSignalSpy>

using namespace rankwright;
using namespace rankwright::shots;

namespace {

constexpr qint64 now = 1'772'460'751'000;

/// Adds up what a viewport was asked to paint.
class PaintWatch final : public QObject {
public:
    explicit PaintWatch(QWidget* watched) { watched->installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            region += static_cast<QPaintEvent*>(event)->region();
        return false;
    }
    QRegion region;
};

NodeTick tickOf(const QString& node, int gpus, double utilisation)
{
    NodeTick tick{node, 0, {}};
    for (int gpu = 0; gpu < gpus; ++gpu) {
        GpuSample sample;
        sample.index = gpu;
        sample.utilizationPercent = utilisation;
        tick.gpus.append(sample);
    }
    return tick;
}

void show(HeatMapView& view, QSize size = QSize(900, 420))
{
    view.resize(size);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, test::longWaitMs));
    QApplication::processEvents();
}

} // namespace

class HeatMapViewTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void paintsOnlyTheRowsThatChanged();
    void paintsOnlyWhatIsVisibleOfAThousandNodes();
    void reportsHowOldThePaintedIs();
    void unknownIsNeverZero_data();
    void unknownIsNeverZero();
    void staleKeepsItsLastValue();
    void endedIsNoAlarm();
    void powerOfAPackageBelongsToBothDies();
    void aGpusTextSaysWhatItsNodeHas();
    void keysMoveAndChoose();
    void mouseSelects();
    void followsTheCurrentCell();
    void isATableToAReader();
    void aReaderHearsWhatIsMissing();
    void forgetsAtReset();

private:
    std::unique_ptr<Theme> m_theme;
};

void HeatMapViewTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Dark);
}

void HeatMapViewTest::paintsOnlyTheRowsThatChanged()
{
    GpuGrid grid;
    grid.reset({u"a"_s, u"b"_s, u"c"_s, u"d"_s}, 8, 2, u"GCD"_s);
    HeatMapView view(grid);
    show(view, QSize(900, 420));
    grid.store(tickOf(u"c"_s, 8, 50), now);
    grid.flush(now);
    QApplication::processEvents();
    PaintWatch watch(view.viewport());
    grid.store(tickOf(u"c"_s, 8, 70), now + 1000);
    grid.flush(now + 1000);
    QApplication::processEvents();
    QVERIFY(watch.region.intersects(view.cellOnViewport({2, 0})));
    for (const int clean : {0, 1, 3})
        QVERIFY2(!watch.region.intersects(view.cellOnViewport({clean, 0})), qPrintable(QString::number(clean)));
    watch.region = {};
    grid.flush(now + 1200);
    QApplication::processEvents();
    QVERIFY(watch.region.isEmpty());
}

void HeatMapViewTest::paintsOnlyWhatIsVisibleOfAThousandNodes()
{
    GpuGrid grid;
    const RunShape shape{.nodes = 1024};
    grid.reset(nodeNames(shape), 8, 2, u"GCD"_s);
    HeatMapView view(grid);
    view.setFold(HeatMapView::Fold::Nodes);
    show(view, QSize(820, 300));
    QVERIFY(view.verticalScrollBar()->maximum() > 0);
    PaintWatch watch(view.viewport());
    grid.store(tickOf(nodeNames(shape).last(), 8, 70), now); // far below the screen
    grid.flush(now);
    QApplication::processEvents();
    QVERIFY(watch.region.isEmpty());
    view.setCurrent(GpuAddress{1023, 7});
    QVERIFY(view.viewport()->rect().contains(view.cellOnViewport({1023, 7})));
}

void HeatMapViewTest::reportsHowOldThePaintedIs()
{
    GpuGrid grid;
    grid.reset({u"a"_s, u"b"_s}, 8, 2, u"GCD"_s);
    HeatMapView view(grid);
    show(view);
    QSignalSpy painted(&view, &HeatMapView::painted);
    grid.store(tickOf(u"a"_s, 8, 70), now);
    grid.store(tickOf(u"b"_s, 8, 70), now + 40);
    grid.flush(now + 100);
    QApplication::processEvents();
    QVERIFY(!painted.isEmpty());
    qint64 newest = 0;
    for (const QList<QVariant>& one : painted)
        newest = std::max(newest, one.first().toLongLong());
    QCOMPARE(newest, now + 40);
}

void HeatMapViewTest::unknownIsNeverZero_data()
{
    QTest::addColumn<int>("measure");
    for (const Measure measure : {Measure::Utilization, Measure::Memory, Measure::Power, Measure::Temperature})
        QTest::newRow(qPrintable(toText(measure))) << int(measure);
}

void HeatMapViewTest::unknownIsNeverZero()
{
    QFETCH(int, measure);
    GpuGrid grid;
    grid.reset({u"a"_s, u"b"_s}, 2, 1, u"GPU"_s);
    NodeTick silent{u"a"_s, 0, {}}; // reported to exist, nothing measured
    silent.gpus.append(GpuSample());
    grid.store(silent, now);
    grid.flush(now);
    for (const GpuAddress address : {GpuAddress{0, 0}, GpuAddress{0, 1}, GpuAddress{1, 0}}) {
        const GpuReading reading = readGpu(grid, address, Measure(measure), GridState::Running);
        QVERIFY(!reading.value);
        QCOMPARE(figureWithUnit(Measure(measure), reading.value), u"–"_s);
        QVERIFY(!describeGpu(grid, address, GridState::Running).contains(u": 0"_s));
        QVERIFY(speakGpu(grid, address, Measure(measure), GridState::Running).contains(u"not reported"_s));
    }
    QCOMPARE(figureOf(Measure(measure), 0.0).left(1), u"0"_s); // a true zero is one
}

void HeatMapViewTest::staleKeepsItsLastValue()
{
    GpuGrid grid;
    grid.reset({u"a"_s}, 1, 1, u"GPU"_s);
    grid.store(tickOf(u"a"_s, 1, 87), now);
    grid.flush(now + 1000);
    QCOMPARE(readGpu(grid, {0, 0}, Measure::Utilization, GridState::Running).freshness, Freshness::Fresh);
    grid.flush(now + 60'000);
    const GpuReading reading = readGpu(grid, {0, 0}, Measure::Utilization, GridState::Running);
    QCOMPARE(reading.freshness, Freshness::Stale);
    QCOMPARE(reading.value, std::optional(87.0));
    QCOMPARE(reading.arrivedMs, std::optional(now));
    QVERIFY(speakGpu(grid, {0, 0}, Measure::Utilization, GridState::Running).contains(u"no fresh value"_s));
}

void HeatMapViewTest::endedIsNoAlarm()
{
    GpuGrid grid;
    grid.reset({u"a"_s}, 1, 1, u"GPU"_s);
    grid.store(tickOf(u"a"_s, 1, 87), now);
    grid.flush(now + 3'600'000);
    QCOMPARE(readGpu(grid, {0, 0}, Measure::Utilization, GridState::Ended).freshness, Freshness::Last);
    QVERIFY(!describeGpu(grid, {0, 0}, GridState::Ended).contains(u"no fresh"_s));
    QVERIFY(describeGpu(grid, {0, 0}, GridState::Ended).contains(u"last value"_s));
}

void HeatMapViewTest::powerOfAPackageBelongsToBothDies()
{
    // rocm-smi reports power of an MI250X on its first die alone, "N/A (Secondary die)" on the other.
    GpuGrid grid;
    grid.reset({u"a"_s}, 4, 2, u"GCD"_s);
    NodeTick tick = tickOf(u"a"_s, 4, 99);
    tick.gpus[0].powerWatts = 318;
    tick.gpus[1].secondaryDie = true;
    grid.store(tick, now);
    grid.flush(now);
    QCOMPARE(readGpu(grid, {0, 0}, Measure::Power, GridState::Running).value, std::optional(318.0));
    QCOMPARE(readGpu(grid, {0, 1}, Measure::Power, GridState::Running).value, std::optional(318.0));
    QVERIFY(!readGpu(grid, {0, 2}, Measure::Power, GridState::Running).value);
    QVERIFY(describeGpu(grid, {0, 1}, GridState::Running).contains(u"both dies"_s));
}

void HeatMapViewTest::aGpusTextSaysWhatItsNodeHas()
{
    GpuGrid grid;
    grid.reset({u"a"_s}, 2, 1, u"GPU"_s);
    NodeTick tick = tickOf(u"a"_s, 2, 99);
    tick.gpus[0].memoryErrors = 0;
    tick.gpus[1].memoryErrors = 3;
    grid.store(tick, now);
    grid.flush(now);
    const auto text = [&grid](int gpu) {
        return describeGpu(grid, {0, gpu}, GridState::Running).replace(u'\u2009', u' ');
    };
    QVERIFY(!text(0).contains(u"error"_s) && !text(0).contains(u"Node's"_s));
    QVERIFY2(text(1).contains(u"3 memory errors that could not be corrected"_s), qPrintable(text(1)));
    NodeProcesses processes{u"a"_s, now, {}, {}, {}, {}};
    processes.resources = NodeResources();
    grid.store(processes);
    QVERIFY(!text(0).contains(u"Node's"_s)); // nothing is known of it
    processes.resources->processes = 33;
    processes.resources->waiting = 1;
    grid.store(processes);
    QVERIFY2(text(0).contains(u"Node's files: 1 of 33 processes waits for files"_s), qPrintable(text(0)));
    QVERIFY(!text(0).contains(u"Node's network"_s) && !text(0).contains(u"Node's memory"_s));
    tick.gpus[0].activity = {40.0, 21.0, {}, 3.0};
    tick.gpus[0].throttle = Throttles(Throttle::Thermal);
    grid.store(tick, now + 1000);
    QVERIFY2(text(0).contains(u"At work: multiprocessors 21 %, tensor cores 3 %, memory 40 %"_s), qPrintable(text(0)));
    QVERIFY(text(0).contains(u"Slowed down by heat"_s));
    grid.flush(now + 1000 + 3 * freshMs); // silent since: what it did is over
    for (const QString& old : {u"Node's"_s, u"At work"_s, u"Slowed down"_s})
        QVERIFY2(!text(0).contains(old), qPrintable(text(0)));
    QVERIFY2(text(1).contains(u"3 memory errors"_s), qPrintable(text(1))); // they stay
    QVERIFY2(text(0).contains(u"no fresh value since"_s), qPrintable(text(0)));
}

void HeatMapViewTest::keysMoveAndChoose()
{
    GpuGrid grid;
    grid.reset({u"a"_s, u"b"_s, u"c"_s}, 8, 2, u"GCD"_s);
    HeatMapView view(grid);
    show(view);
    view.setFocus();
    view.setCurrent(GpuAddress{0, 0});
    const auto press
        = [&view](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&view, key, modifiers); };
    press(Qt::Key_Right);
    press(Qt::Key_Down);
    QCOMPARE(view.current(), std::optional(GpuAddress{1, 1}));
    press(Qt::Key_End);
    QCOMPARE(view.current(), std::optional(GpuAddress{1, 7}));
    press(Qt::Key_Home);
    QCOMPARE(view.current(), std::optional(GpuAddress{1, 0}));
    press(Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(view.current(), std::optional(GpuAddress{2, 7}));
    QSignalSpy measures(&view, &HeatMapView::measureChanged);
    for (const auto& [key, measure] : {std::pair{Qt::Key_2, Measure::Memory}, {Qt::Key_3, Measure::Power},
             {Qt::Key_4, Measure::Temperature}, {Qt::Key_1, Measure::Utilization}}) {
        press(key);
        QCOMPARE(view.measure(), measure);
    }
    QCOMPARE(measures.size(), 4);
    press(Qt::Key_Minus);
    QCOMPARE(view.cells().level(), HeatMapLevel::Compact);
    press(Qt::Key_Plus);
    QCOMPARE(view.cells().level(), HeatMapLevel::Cards);
}

void HeatMapViewTest::mouseSelects()
{
    GpuGrid grid;
    grid.reset({u"a"_s, u"b"_s, u"c"_s}, 8, 2, u"GCD"_s);
    HeatMapView view(grid);
    show(view);
    QSignalSpy changes(&view, &HeatMapView::currentChanged);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cellOnViewport({2, 5}).center());
    QCOMPARE(view.current(), std::optional(GpuAddress{2, 5}));
    QCOMPARE(changes.size(), 1);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(1, 1)); // beside: the choice stays
    QCOMPARE(view.current(), std::optional(GpuAddress{2, 5}));
}

void HeatMapViewTest::followsTheCurrentCell()
{
    GpuGrid grid;
    grid.reset(nodeNames({.nodes = 40}), 8, 2, u"GCD"_s);
    HeatMapView view(grid);
    show(view, QSize(900, 300));
    view.setLevel(HeatMapLevel::Cards);
    view.setCurrent(GpuAddress{30, 2});
    QVERIFY(view.viewport()->rect().contains(view.cellOnViewport({30, 2})));
    view.setCurrent(GpuAddress{0, 2});
    QVERIFY(view.viewport()->rect().contains(view.cellOnViewport({0, 2})));
}

void HeatMapViewTest::isATableToAReader()
{
    GpuGrid grid;
    grid.reset({u"nid005525"_s, u"nid005526"_s}, 8, 2, u"GCD"_s);
    NodeTick tick = tickOf(u"nid005526"_s, 8, 96);
    grid.store(tick, now);
    grid.flush(now);
    HeatMapView view(grid);
    show(view);
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&view);
    QVERIFY(table && table->tableInterface());
    QCOMPARE(table->role(), QAccessible::Table);
    QVERIFY(!table->text(QAccessible::Name).isEmpty());
    QCOMPARE(table->childCount(), 16);
    QCOMPARE(table->tableInterface()->rowCount(), 2);
    QCOMPARE(table->tableInterface()->columnCount(), 8);
    QVERIFY(table->tableInterface()->rowDescription(1).contains(u"nid005526"_s));
    QVERIFY(table->tableInterface()->rowDescription(1).contains(u"8–15"_s));
    QAccessibleInterface* cell = table->tableInterface()->cellAt(1, 5);
    QVERIFY(cell && cell->tableCellInterface());
    QCOMPARE(cell, table->child(13));
    QCOMPARE(table->indexOfChild(cell), 13);
    QCOMPARE(cell->tableCellInterface()->rowIndex(), 1);
    QCOMPARE(cell->tableCellInterface()->columnIndex(), 5);
    const QString name = cell->text(QAccessible::Name);
    for (const QString& word : {u"rank 13"_s, u"GCD 5"_s, u"nid005526"_s, u"96"_s})
        QVERIFY2(name.contains(word), qPrintable(name));
    QVERIFY(cell->rect().isValid());
    const QPoint middle = cell->rect().center();
    QCOMPARE(table->childAt(middle.x(), middle.y()), cell);
    view.setCurrent(GpuAddress{1, 5});
    QVERIFY(cell->state().selected);
    QCOMPARE(table->tableInterface()->selectedCells(), QList<QAccessibleInterface*>{cell});
    QVERIFY(!table->tableInterface()->cellAt(2, 0));
    QVERIFY(!table->child(16));
}

void HeatMapViewTest::aReaderHearsWhatIsMissing()
{
    GpuGrid grid;
    grid.reset({u"a"_s}, 2, 1, u"GPU"_s);
    HeatMapView view(grid);
    show(view);
    QAccessibleInterface* cell = QAccessible::queryAccessibleInterface(&view)->child(0);
    QVERIFY(cell->text(QAccessible::Name).contains(u"nothing has arrived"_s));
    QCOMPARE(cell->text(QAccessible::Value), u"–"_s);
}

void HeatMapViewTest::forgetsAtReset()
{
    GpuGrid grid;
    grid.reset({u"a"_s, u"b"_s}, 8, 2, u"GCD"_s);
    HeatMapView view(grid);
    show(view);
    view.setCurrent(GpuAddress{1, 7});
    QAccessibleInterface* cell = QAccessible::queryAccessibleInterface(&view)->child(15);
    QVERIFY(cell->isValid());
    grid.reset({u"c"_s}, 4, 1, u"GPU"_s);
    QVERIFY(!view.current());
    QVERIFY(!cell->isValid());
    QCOMPARE(QAccessible::queryAccessibleInterface(&view)->childCount(), 4);
    grid.reset({}, 0, 1, u"GPU"_s);
    QApplication::processEvents();
    QCOMPARE(QAccessible::queryAccessibleInterface(&view)->childCount(), 0);
}

RANKWRIGHT_WIDGET_TEST_MAIN(HeatMapViewTest)
#include "tst_heatmapview.moc"
