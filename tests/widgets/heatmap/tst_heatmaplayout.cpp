// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/heatmap/heatmaplayout.h"

using namespace rankwright;
using Move = HeatMapLayout::Move;

class HeatMapLayoutTest final : public test::Suite {
    Q_OBJECT
private slots:
    void cellsLieApartAndInside_data();
    void cellsLieApartAndInside();
    void takesTheMostDetailedLevelThatFits_data();
    void takesTheMostDetailedLevelThatFits();
    void aThousandNodesFillTheWidth();
    void fewGpusFillTheWidth_data();
    void fewGpusFillTheWidth();
    void diesOfAPackageAreNearestToEachOther();
    void sideFigureDoesNotTouchTheCells();
    void visibleNodesAreThoseOnScreen();
    void keysStayInside();
    void keysCrossBanks();
    void nothingFromNothing();
    void aChosenLevelIsKept();
};

void HeatMapLayoutTest::cellsLieApartAndInside_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("perPackage");
    QTest::addColumn<QSize>("viewport");
    QTest::newRow("two LUMI-G nodes") << 2 << 8 << 2 << QSize(820, 240);
    QTest::newRow("two A100 nodes") << 2 << 4 << 1 << QSize(820, 240);
    QTest::newRow("eight GPUs of their own") << 4 << 8 << 1 << QSize(1200, 500);
    QTest::newRow("one GPU") << 1 << 1 << 1 << QSize(400, 200);
    QTest::newRow("sixteen nodes") << 16 << 8 << 2 << QSize(820, 300);
    QTest::newRow("a narrow window") << 3 << 8 << 2 << QSize(330, 140);
    QTest::newRow("64 nodes") << 64 << 8 << 2 << QSize(820, 300);
    QTest::newRow("odd count of dies") << 5 << 3 << 2 << QSize(600, 300);
}

void HeatMapLayoutTest::cellsLieApartAndInside()
{
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(int, perPackage);
    QFETCH(QSize, viewport);
    const HeatMapLayout layout({nodes, gpus, perPackage, 70}, viewport);
    const QRect content(QPoint(0, 0), layout.contentSize());
    QRegion taken;
    for (int node = 0; node < nodes; ++node) {
        for (int gpu = 0; gpu < gpus; ++gpu) {
            const QRect cell = layout.cell({node, gpu});
            QVERIFY(cell.width() >= 8 && cell.height() >= 8);
            QVERIFY(content.contains(cell));
            QVERIFY(layout.node(node).contains(cell));
            QVERIFY(layout.package(node, gpu / perPackage).contains(cell));
            QVERIFY2(!taken.intersects(cell), qPrintable(QStringLiteral("%1.%2").arg(node).arg(gpu)));
            QVERIFY(!layout.label(node).intersects(cell));
            taken += cell;
            for (const QPoint corner : {cell.topLeft(), cell.bottomRight(), cell.center()})
                QCOMPARE(layout.cellAt(corner), std::optional(GpuAddress{node, gpu}));
        }
    }
}

void HeatMapLayoutTest::takesTheMostDetailedLevelThatFits_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QSize>("viewport");
    QTest::addColumn<int>("level");
    QTest::newRow("4 nodes are cards") << 4 << QSize(820, 300) << int(HeatMapLevel::Cards);
    QTest::newRow("16 nodes are numbers") << 16 << QSize(820, 300) << int(HeatMapLevel::Compact);
    QTest::newRow("64 nodes are squares") << 64 << QSize(820, 300) << int(HeatMapLevel::Dense);
    QTest::newRow("64 nodes on a large screen are numbers") << 64 << QSize(1800, 700) << int(HeatMapLevel::Compact);
    QTest::newRow("cards too narrow for their numbers") << 1 << QSize(300, 300) << int(HeatMapLevel::Dense);
}

void HeatMapLayoutTest::takesTheMostDetailedLevelThatFits()
{
    QFETCH(int, nodes);
    QFETCH(QSize, viewport);
    QFETCH(int, level);
    const HeatMapLayout layout({nodes, 8, 2, 70}, viewport);
    QCOMPARE(int(layout.level()), level);
    QVERIFY(layout.contentSize().height() <= viewport.height());
    QVERIFY(layout.contentSize().width() <= viewport.width());
}

void HeatMapLayoutTest::aThousandNodesFillTheWidth()
{
    const QSize viewport(820, 300);
    const HeatMapLayout layout({1024, 8, 2, 70}, viewport);
    QCOMPARE(layout.level(), HeatMapLevel::Dense);
    QVERIFY(layout.banks() > 6);
    QVERIFY(layout.contentSize().width() <= viewport.width());
    // A picture, not a ribbon: a few screens at most.
    QVERIFY(layout.contentSize().height() < 6 * viewport.height());
    const NodeRange visible = layout.visibleNodes(QRect(QPoint(0, 0), viewport));
    QVERIFY(visible.end < 1024);
}

void HeatMapLayoutTest::fewGpusFillTheWidth_data()
{
    QTest::addColumn<HeatMapShape>("shape");
    QTest::addColumn<QSize>("viewport");
    for (const QSize viewport : {QSize(590, 220), QSize(860, 240), QSize(1400, 420)}) {
        const auto row = [&](const char* name, const HeatMapShape& shape) {
            QTest::addRow("%s, %d wide", name, viewport.width()) << shape << viewport;
        };
        row("one GPU", {1, 1, 1, 70});
        row("two GPUs", {1, 2, 1, 70});
        row("two GPUs on two nodes", {2, 1, 1, 70});
        row("two GCDs of one package", {1, 2, 2, 70});
        row("four GCDs", {1, 4, 2, 70});
    }
}

void HeatMapLayoutTest::fewGpusFillTheWidth()
{
    QFETCH(HeatMapShape, shape);
    QFETCH(QSize, viewport);
    const HeatMapLayout layout(shape, viewport);
    QCOMPARE(layout.level(), HeatMapLevel::Cards);
    QVERIFY2(layout.contentSize().width() > viewport.width() - 12,
        qPrintable(QString::number(layout.contentSize().width())));
    QVERIFY(layout.contentSize().width() <= viewport.width());
    QVERIFY(layout.contentSize().height() <= viewport.height());
}

void HeatMapLayoutTest::diesOfAPackageAreNearestToEachOther()
{
    for (const QSize viewport : {QSize(820, 300), QSize(500, 120), QSize(260, 90)}) {
        const HeatMapLayout layout({2, 8, 2, 70}, viewport);
        const int inside = layout.cell({0, 1}).left() - layout.cell({0, 0}).right();
        const int between = layout.cell({0, 2}).left() - layout.cell({0, 1}).right();
        QVERIFY2(inside < between, qPrintable(QString::number(int(layout.level()))));
    }
}

void HeatMapLayoutTest::sideFigureDoesNotTouchTheCells()
{
    const HeatMapLayout layout({2, 8, 2, 70}, QSize(900, 300));
    QVERIFY(layout.hasSide());
    for (int package = 0; package < 4; ++package) {
        const QRect side = layout.side(1, package);
        QVERIFY(side.width() >= 44);
        QVERIFY(layout.package(1, package).contains(side));
        QVERIFY(!side.intersects(layout.cell({1, 2 * package})));
        QVERIFY(!side.intersects(layout.cell({1, 2 * package + 1})));
    }
}

void HeatMapLayoutTest::visibleNodesAreThoseOnScreen()
{
    const HeatMapLayout layout({40, 8, 2, 70}, QSize(820, 300), HeatMapLevel::Cards);
    const NodeRange all = layout.visibleNodes(QRect(QPoint(0, 0), layout.contentSize()));
    QCOMPARE(all, (NodeRange{0, 40}));
    const NodeRange one = layout.visibleNodes(layout.node(7));
    QCOMPARE(one, (NodeRange{7, 8}));
    const NodeRange below = layout.visibleNodes(QRect(0, layout.contentSize().height() + 50, 100, 100));
    QVERIFY(below.end <= below.first);
    for (int top = 0; top < layout.contentSize().height(); top += 37) { // no node on screen may be left out
        const QRect screen(0, top, 820, 300);
        const NodeRange range = layout.visibleNodes(screen);
        for (int node = 0; node < 40; ++node) {
            if (layout.node(node).intersects(screen))
                QVERIFY(node >= range.first && node < range.end);
        }
    }
}

void HeatMapLayoutTest::keysStayInside()
{
    const HeatMapLayout layout({3, 8, 2, 70}, QSize(900, 400));
    QCOMPARE(layout.banks(), 1);
    using Address = GpuAddress;
    QCOMPARE(layout.moved({0, 0}, Move::Left, 400), (Address{0, 0}));
    QCOMPARE(layout.moved({0, 0}, Move::Up, 400), (Address{0, 0}));
    QCOMPARE(layout.moved({0, 3}, Move::Right, 400), (Address{0, 4}));
    QCOMPARE(layout.moved({0, 7}, Move::Right, 400), (Address{0, 7}));
    QCOMPARE(layout.moved({1, 3}, Move::Down, 400), (Address{2, 3}));
    QCOMPARE(layout.moved({2, 3}, Move::Down, 400), (Address{2, 3}));
    QCOMPARE(layout.moved({1, 3}, Move::RowStart, 400), (Address{1, 0}));
    QCOMPARE(layout.moved({1, 3}, Move::RowEnd, 400), (Address{1, 7}));
    QCOMPARE(layout.moved({1, 3}, Move::First, 400), (Address{0, 0}));
    QCOMPARE(layout.moved({1, 3}, Move::Last, 400), (Address{2, 7}));
    QCOMPARE(layout.moved({0, 3}, Move::PageDown, 400).gpu, 3);
    QCOMPARE(layout.moved({2, 3}, Move::PageUp, 400), (Address{0, 3}));
}

void HeatMapLayoutTest::keysCrossBanks()
{
    const HeatMapLayout layout({64, 8, 2, 70}, QSize(820, 300));
    const int banks = layout.banks();
    QVERIFY(banks > 1);
    QCOMPARE(layout.moved({0, 7}, Move::Right, 300), (GpuAddress{1, 0}));
    QCOMPARE(layout.moved({1, 0}, Move::Left, 300), (GpuAddress{0, 7}));
    QCOMPARE(layout.moved({banks - 1, 7}, Move::Right, 300), (GpuAddress{banks - 1, 7}));
    QCOMPARE(layout.moved({0, 2}, Move::Down, 300), (GpuAddress{banks, 2}));
}

void HeatMapLayoutTest::nothingFromNothing()
{
    const HeatMapLayout layout({0, 8, 2, 70}, QSize(820, 300));
    QCOMPARE(layout.contentSize(), QSize());
    QVERIFY(!layout.cellAt(QPoint(20, 20)));
    QCOMPARE(layout.visibleNodes(QRect(0, 0, 100, 100)).end, 0);
    const HeatMapLayout squeezed({4, 8, 2, 70}, QSize(0, 0));
    QVERIFY(squeezed.cell({0, 0}).width() > 0);
}

void HeatMapLayoutTest::aChosenLevelIsKept()
{
    for (const HeatMapLevel level : {HeatMapLevel::Cards, HeatMapLevel::Compact, HeatMapLevel::Dense})
        QCOMPARE(HeatMapLayout({64, 8, 2, 70}, QSize(820, 300), level).level(), level);
}

RANKWRIGHT_TEST_MAIN(HeatMapLayoutTest)
#include "tst_heatmaplayout.moc"
