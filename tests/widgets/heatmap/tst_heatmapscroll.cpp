// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/manynodes.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmaplegend.h"
#include "widgets/heatmap/heatmapminimap.h"

#include <QImage>
#include <QPaintEvent>
#include <QScreen>
#include <QScrollBar>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

QImage onScreen(const QWidget& view)
{
    return view.screen()->grabWindow(view.winId()).toImage().convertToFormat(QImage::Format_RGB32);
}

QImage paintedAnew(QWidget& view) { return view.grab().toImage().convertToFormat(QImage::Format_RGB32); }

/// How much of a widget was painted.
class PaintedArea final : public QObject {
public:
    explicit PaintedArea(QWidget& widget) { widget.installEventFilter(this); }
    qint64 pixels = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint) {
            for (const QRect& part : static_cast<QPaintEvent*>(event)->region())
                pixels += qint64(part.width()) * part.height();
        }
        return QObject::eventFilter(watched, event);
    }
};

} // namespace

/// Scrolling the map of a large job: only what comes into sight is painted, and nothing is left behind.
class HeatMapScrollTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void paintsWhatComesIntoSight_data();
    void paintsWhatComesIntoSight();
    void overviewStaysInItsCorner();
    void overviewAndLegendAreTables();
    void newValuesOfFoldedNodesLeaveNothingBehind();

private:
    std::unique_ptr<Theme> m_theme;
};

void HeatMapScrollTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Dark);
}

void HeatMapScrollTest::paintsWhatComesIntoSight_data()
{
    QTest::addColumn<int>("level");
    QTest::newRow("squares") << int(HeatMapLevel::Dense);
    QTest::newRow("figures") << int(HeatMapLevel::Compact);
    QTest::newRow("cards") << int(HeatMapLevel::Cards);
}

void HeatMapScrollTest::paintsWhatComesIntoSight()
{
    QFETCH(int, level);
    GpuGrid grid;
    fillMany(grid, 1024, {700, 3});
    HeatMapView view(grid);
    view.setFold(HeatMapView::Fold::Nodes);
    show(view, QSize(1200, 700));
    view.setLevel(HeatMapLevel(level));
    if (view.verticalScrollBar()->maximum() < 400)
        view.zoom(3, QPoint(600, 350));
    auto* overview = view.findChild<HeatMapMinimap*>();
    QVERIFY(overview && overview->isVisible());
    QApplication::processEvents();
    PaintedArea painted(*view.viewport());
    const qint64 all = qint64(view.viewport()->width()) * view.viewport()->height();
    for (const int by : {30, 90, -30, 7, 200, -1}) {
        painted.pixels = 0;
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() + by);
        QApplication::processEvents();
        const qint64 exposed = qint64(view.viewport()->width()) * std::abs(by);
        const qint64 corner = 2LL * overview->width() * overview->height();
        QVERIFY2(painted.pixels > 0 && painted.pixels <= exposed + corner + all / 50,
            qPrintable(u"%1 of %2 pixels for %3"_s.arg(painted.pixels).arg(all).arg(by)));
        // What is on the screen is what painting all of it gives.
        QCOMPARE(onScreen(view), paintedAnew(view));
    }
}

void HeatMapScrollTest::overviewStaysInItsCorner()
{
    GpuGrid grid;
    fillMany(grid, 256, {70, 3});
    HeatMapView view(grid);
    view.setFold(HeatMapView::Fold::Nodes);
    show(view, QSize(1200, 700));
    view.setLevel(HeatMapLevel::Cards);
    auto* overview = view.findChild<HeatMapMinimap*>();
    QVERIFY(overview && overview->isVisible());
    const QRect before = overview->geometry();
    QVERIFY(view.viewport()->rect().contains(before));
    view.verticalScrollBar()->setValue(300);
    QCOMPARE(overview->geometry(), before);
    // A click near its lower end leads near the map's lower end.
    QTest::mouseClick(overview, Qt::LeftButton, {}, QPoint(overview->width() / 2, overview->height() - 3));
    QVERIFY(view.verticalScrollBar()->value() > view.verticalScrollBar()->maximum() * 3 / 4);
}

/// What the painted overview and the colour scale say, for those who do not see them.
void HeatMapScrollTest::overviewAndLegendAreTables()
{
    GpuGrid grid;
    fillMany(grid, 256, {70, 3});
    HeatMapView view(grid);
    view.setFold(HeatMapView::Fold::Nodes);
    show(view, QSize(1200, 700));
    view.setLevel(HeatMapLevel::Cards);
    const auto nodeAt = [&](qsizetype slot) { return grid.series().nodes().value(view.shownRows().value(slot)); };
    auto* overview = view.findChild<HeatMapMinimap*>();
    QVERIFY(overview && overview->isVisible());
    auto table = pictureTableOf(*overview);
    QVERIFY(table);
    QCOMPARE(table->rows.size(), 2);
    const QStringList whole = table->rows.last().values;
    QCOMPARE(whole, QStringList({u"256"_s, nodeAt(0), nodeAt(255), u"1"_s}));
    const int inView = table->rows.first().values.value(0).toInt();
    QVERIFY(inView > 0 && inView < 256);
    QCOMPARE(table->rows.first().values.value(1), nodeAt(0));
    QCOMPARE(table->rows.first().values.value(2), nodeAt(inView - 1));
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
    table = pictureTableOf(*overview);
    QCOMPARE(table->rows.first().values.value(2), nodeAt(255));
    QVERIFY(table->rows.first().values.value(1) != nodeAt(0));
    HeatMapLegend legend(view);
    QCOMPARE(legend.accessibleName(), u"Legend of the map"_s);
    std::optional<PictureTable> scale;
    for (const QWidget* each : legend.findChildren<QWidget*>()) {
        if (!scale)
            scale = pictureTableOf(*each);
    }
    QVERIFY(scale);
    QStringList values;
    for (const PictureTable::Row& row : scale->rows)
        values.append(row.values.join(u' '));
    QCOMPARE(values, QStringList({u"0\u2009%"_s, u"25\u2009%"_s, u"50\u2009%"_s, u"75\u2009%"_s, u"100\u2009%"_s}));
}

void HeatMapScrollTest::newValuesOfFoldedNodesLeaveNothingBehind()
{
    GpuGrid grid;
    fillMany(grid, 1024, {700, 3});
    HeatMapView view(grid);
    show(view, QSize(1200, 700));
    QVERIFY(view.isFolded());
    view.setMarks({{{40, 1}, Alert::Level::Warning}});
    QApplication::processEvents();
    PaintedArea painted(*view.viewport());
    const qint64 all = qint64(view.viewport()->width()) * view.viewport()->height();
    for (int beat = 1; beat <= 4; ++beat) {
        const qint64 at = now + beat * 100; // within the second: nothing is evaluated again
        for (int node = beat; node < 1024; node += 10) {
            NodeTick tick{grid.series().nodes().at(node), at, {}};
            GpuSample sample;
            for (sample.index = 0; sample.index < 8; ++sample.index) {
                sample.utilizationPercent = 30 + (node + beat) % 60;
                tick.gpus.append(sample);
            }
            grid.store(tick, at);
        }
        painted.pixels = 0;
        grid.flush(at);
        QApplication::processEvents();
        QVERIFY2(painted.pixels > 0 && painted.pixels < all / 2, "more than the new values was painted, or nothing");
        QCOMPARE(onScreen(view), paintedAnew(view));
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(HeatMapScrollTest)
#include "tst_heatmapscroll.moc"
