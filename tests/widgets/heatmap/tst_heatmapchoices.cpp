// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cpuclock.h"
#include "tests/widgets/support/manynodes.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmappanel.h"
#include "widgets/heatmap/heatmappicture.h"

#include <QAccessible>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QXmlStreamReader>

using namespace rankwright;
using namespace rankwright::test;

class HeatMapChoicesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void pinsStayOnTop();
    void pinsOfAnotherJobGo();
    void overlayShowsWhoBelongsTogether();
    void ranksComeFromThePlacement();
    void marksAreDrawnAsShapes();
    void panelFollowsTheMap();
    void readerOfThousands();
    void pictures_data();
    void pictures();
    void picturesThatCannotBe();

private:
    std::unique_ptr<Theme> m_theme;
};

void HeatMapChoicesTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Dark);
}

void HeatMapChoicesTest::pinsStayOnTop()
{
    GpuGrid grid;
    fillMany(grid, 20, {13, 2});
    HeatMapView view(grid);
    show(view, QSize(900, 400));
    QSignalSpy pins(&view, &HeatMapView::pinsChanged);
    view.setCurrent(GpuAddress{7, 4});
    QTest::keyClick(&view, Qt::Key_P);
    view.setCurrent(GpuAddress{15, 0});
    QTest::keyClick(&view, Qt::Key_P, Qt::ShiftModifier);
    QCOMPARE(pins.size(), 2);
    QCOMPARE(view.pins(), (QList<HeatMapPin>{{7, 4}, {15, {}}}));
    QCOMPARE(view.shownRows().first(3), (QList<int>{7, 15, 0}));
    view.setOrder(HeatMapView::Order::OutlierScore);
    QCOMPARE(view.shownRows().first(3), (QList<int>{7, 15, 13}));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ControlModifier, view.cellOnViewport({7, 4}).center());
    QCOMPARE(view.pins().size(), 1);
    QMenu menu;
    view.fillMenu(menu, {15, 3});
    QStringList texts;
    for (const QAction* action : menu.actions())
        texts << action->text();
    QVERIFY2(texts.contains(u"Unpin node nid005540"_s) && texts.contains(u"Pin GCD 3 of nid005540"_s),
        qPrintable(texts.join(u'|')));
    GpuGrid many;
    fillMany(many, 256, {100, 2});
    HeatMapView folded(many);
    show(folded, QSize(900, 400));
    folded.togglePin({200, 1});
    QVERIFY(folded.groups().first().pinned);
    QCOMPARE(folded.groups().first().group.rows, QList<int>{200});
    QCOMPARE(folded.shownRows().size(), 256);
    folded.openGroupOf({0, 0});
    QCOMPARE(folded.shownRows().size(), 17); // the pinned one stays beside another group
    QCOMPARE(folded.shownRows().first(), 200);
}

void HeatMapChoicesTest::pinsOfAnotherJobGo()
{
    GpuGrid grid;
    fillMany(grid, 4, {1, 2});
    HeatMapView view(grid);
    view.togglePin({2, 1});
    QSignalSpy pins(&view, &HeatMapView::pinsChanged);
    NodeTick more{u"late-node"_s, now, {GpuSample()}};
    grid.store(more, now); // the same job grows
    QCOMPARE(view.pins().size(), 1);
    grid.reset({u"x1"_s}, 8, 1, u"GPU"_s);
    QVERIFY(view.pins().isEmpty());
    QCOMPARE(pins.size(), 1);
    view.setPins({{5, 0}, {0, 99}});
    QVERIFY(view.pins().isEmpty()); // nothing there to be pinned
}

void HeatMapChoicesTest::overlayShowsWhoBelongsTogether()
{
    GpuGrid grid;
    fillMany(grid, 4, {1, 2});
    HeatMapPanel panel(grid);
    show(panel, QSize(900, 420));
    QCOMPARE(panel.map().overlays().size(), 2);
    grid.setPlacement(placed(4));
    QCOMPARE(panel.map().overlays(),
        (QList<HeatMapOverlay>{HeatMapOverlay::None, HeatMapOverlay::Ranks, HeatMapOverlay::Tensor,
            HeatMapOverlay::Stage, HeatMapOverlay::Data}));
    panel.map().setOverlay(HeatMapOverlay::Tensor);
    panel.map().setCurrent(GpuAddress{2, 5}); // rank 21, with rank 20
    QString words;
    for (const QLabel* label : panel.findChildren<QLabel*>())
        words += label->text() + u'\n';
    QVERIFY2(words.contains(u"tensor group 10 with 2 ranks (20, 21)"_s), qPrintable(words));
    QVERIFY(describeGpu(grid, {2, 5}, GridState::Running).contains(u"pipeline stage 1, 16 ranks"_s));
    panel.map().setOverlay(HeatMapOverlay::Stage);
    const QImage with = panel.map().viewport()->grab().toImage();
    panel.map().setOverlay(HeatMapOverlay::None);
    QVERIFY(with != panel.map().viewport()->grab().toImage());
}

void HeatMapChoicesTest::ranksComeFromThePlacement()
{
    GpuGrid grid;
    fillMany(grid, 2, {1, 2});
    QCOMPARE(grid.rankAt({1, 3}), std::optional(11)); // counted, as long as nothing is known
    QVERIFY(describeGpu(grid, {1, 3}, GridState::Running).contains(u"rank counted by node"_s));
    QList<RankPlace> half; // four ranks per node on every other GCD
    for (int rank = 0; rank < 8; ++rank)
        half.append({.rank = rank, .node = rank / 4, .gpu = rank % 4 * 2});
    grid.setPlacement(half);
    QCOMPARE(grid.rankAt({1, 2}), std::optional(5));
    QVERIFY(!grid.rankAt({1, 3}));
    QCOMPARE(ranksOf(grid, 1), u"ranks 4–7"_s);
    QVERIFY(describeGpu(grid, {1, 3}, GridState::Running).startsWith(u"No rank"_s));
    grid.reset({u"a"_s}, 4, 1, u"GPU"_s);
    QVERIFY(!grid.knowsRanks()); // another job's ranks are not this one's
}

void HeatMapChoicesTest::marksAreDrawnAsShapes()
{
    GpuGrid grid;
    fillMany(grid, 2, {1, 2});
    HeatMapView view(grid);
    show(view, QSize(900, 300));
    QList<QImage> images;
    for (const Alert::Level level :
        {Alert::Level::Normal, Alert::Level::Hint, Alert::Level::Warning, Alert::Level::Failure}) {
        view.setMarks({{{0, 1}, level}, {{0, 1}, Alert::Level::Normal}}); // the worst of several
        QImage image = view.viewport()->grab().toImage().convertToFormat(QImage::Format_Grayscale8);
        image = image.copy(view.cellOnViewport({0, 1}).adjusted(0, 0, 4, 4));
        QVERIFY2(!images.contains(image), "distinguished without colour");
        images.append(image);
    }
    view.setMarks({});
    QVERIFY(!images.contains(view.viewport()->grab().toImage().convertToFormat(QImage::Format_Grayscale8)));
}

void HeatMapChoicesTest::panelFollowsTheMap()
{
    GpuGrid grid;
    HeatMapPanel panel(grid);
    panel.setMessage(u"Waiting."_s);
    show(panel, QSize(820, 400));
    QVERIFY(!panel.hasCells() && panel.controls()->isHidden());
    fillMany(grid, 128, {17, 6});
    panel.refresh();
    QVERIFY(panel.hasCells() && !panel.controls()->isHidden());
    const auto button = [&panel](const QString& text) -> QToolButton* {
        for (QToolButton* one : panel.findChildren<QToolButton*>()) {
            if (one->text() == text && one->isVisible())
                return one;
        }
        return nullptr;
    };
    QVERIFY(button(u"Show every node"_s));
    panel.map().openGroupOf({17, 6});
    QVERIFY(button(u"‹ All groups"_s));
    button(u"‹ All groups"_s)->click();
    QVERIFY(panel.map().isFolded());
    button(u"Show every node"_s)->click();
    QCOMPARE(panel.map().shownRows().size(), 128);
    QVERIFY(button(u"Fold into groups"_s));
    for (QWidget* stop : panel.tabStops())
        QVERIFY(stop);
    QTest::keyClick(&panel.map(), Qt::Key_6);
    QCOMPARE(panel.map().measure(), Measure::Processes);
}

void HeatMapChoicesTest::readerOfThousands()
{
    GpuGrid grid;
    fillMany(grid, 1024, {700, 3});
    HeatMapView view(grid);
    show(view, QSize(820, 300));
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&view);
    QCOMPARE(table->childCount(), 8192);
    const rankwright::test::CpuClock clock;
    for (int child = 0; child < 8192; ++child) {
        QAccessibleInterface* cell = table->child(child);
        QCOMPARE(table->indexOfChild(cell), child);
    }
    QVERIFY2(clock.elapsedMs() < 4000, qPrintable(QString::number(clock.elapsedMs()))); // a debug build
    const QString name = table->child(700 * 8 + 3)->text(QAccessible::Name);
    QVERIFY2(name.contains(u"rank 5603"_s) && name.contains(u"32 nodes"_s), qPrintable(name));
    view.setOrder(HeatMapView::Order::OutlierScore);
    QVERIFY(
        table->child(3)->text(QAccessible::Name).contains(view.grid().series().nodes().at(view.shownRows().first())));
}

void HeatMapChoicesTest::pictures_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QString>("name");
    QTest::newRow("cards, png") << 2 << u"map.png"_s;
    QTest::newRow("cards, svg") << 2 << u"map.svg"_s;
    QTest::newRow("folded, png") << 256 << u"map.PNG"_s;
    QTest::newRow("folded, svg") << 256 << u"map.svg"_s;
}

void HeatMapChoicesTest::pictures()
{
    QFETCH(int, nodes);
    QFETCH(QString, name);
    GpuGrid grid;
    fillMany(grid, nodes, {nodes - 1, 3});
    HeatMapView view(grid);
    show(view, QSize(820, 300));
    QTemporaryDir folder;
    const QString path = folder.filePath(name);
    const Result<void> saved = saveHeatMapPicture(path, view, {u"llama8b · job 9304946 on LUMI"_s, now});
    QVERIFY2(saved, saved ? "" : qPrintable(saved.error().oneLine()));
    if (name.endsWith(u"svg"_s)) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QXmlStreamReader xml(text);
        while (!xml.atEnd())
            xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(text.contains(u"llama8b · job 9304946 on LUMI"_s));
        QVERIFY(text.contains(u"Utilisation"_s) && text.contains(u"not reported"_s));
        QVERIFY(!text.contains(u"<image"_s)); // shapes only
        return;
    }
    const QImage image(path);
    QCOMPARE(image.size(), heatMapPictureSize(view) * 2);
}

void HeatMapChoicesTest::picturesThatCannotBe()
{
    GpuGrid grid;
    HeatMapView view(grid);
    QTemporaryDir folder;
    QVERIFY(!saveHeatMapPicture(folder.filePath(u"map.bmp"_s), view, {}));
    const Result<void> nowhere = saveHeatMapPicture(folder.filePath(u"no/such/map.png"_s), view, {});
    QVERIFY(!nowhere);
    QVERIFY(!nowhere.error().remedy.isEmpty());
    QVERIFY(saveHeatMapPicture(folder.filePath(u"empty.png"_s), view, {})); // no GPUs yet: title and scale
}

RANKWRIGHT_WIDGET_TEST_MAIN(HeatMapChoicesTest)
#include "tst_heatmapchoices.moc"
