// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/manynodes.h"
#include "widgets/base/colourmap.h"
#include "widgets/base/theme.h"

#include <QImage>
#include <QScrollBar>
#include <QSignalSpy>

using namespace rankwright;
using namespace rankwright::test;

class HeatMapFoldTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void foldsBeyond64Nodes_data();
    void foldsBeyond64Nodes();
    void oneOddAmongThousandsIsPainted();
    void opensAndGoesBack();
    void keysMoveAmongGroups();
    void zoomKeepsWhatIsUnderThePointer();
    void wheelOpensTheGroupUnderIt();
    void oddestFirst();
    void anotherGridKeepsThePlace();

private:
    std::unique_ptr<Theme> m_theme;
};

void HeatMapFoldTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Dark);
}

void HeatMapFoldTest::foldsBeyond64Nodes_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("groups"); // 0: not folded
    QTest::newRow("one") << 1 << 0;
    QTest::newRow("64") << 64 << 0;
    QTest::newRow("65") << 65 << 5;
    QTest::newRow("1024") << 1024 << 32;
}

void HeatMapFoldTest::foldsBeyond64Nodes()
{
    QFETCH(int, nodes);
    QFETCH(int, groups);
    GpuGrid grid;
    fillMany(grid, nodes, {nodes - 1, 3});
    HeatMapView view(grid);
    show(view, QSize(820, 270));
    QCOMPARE(view.isFolded(), groups > 0);
    QCOMPARE(int(view.groups().size()), groups);
    QCOMPARE(view.shownRows().size(), nodes);
    if (groups == 0)
        return;
    QVERIFY(view.contentSize().height() <= view.viewport()->height());
    QVERIFY(view.contentSize().width() <= view.viewport()->width());
    QSet<int> rows;
    for (const HeatMapGroup& group : view.groups())
        rows += QSet<int>(group.group.rows.begin(), group.group.rows.end());
    QCOMPARE(rows.size(), nodes);
    const QString words = describeGroup(grid, view.field(), view.groups().last());
    QVERIFY2(words.contains(u"GCD 3"_s) && words.contains(u"12\u2009%"_s), qPrintable(words));
}

void HeatMapFoldTest::oneOddAmongThousandsIsPainted()
{
    GpuGrid grid;
    fillMany(grid, 1024, {700, 3});
    HeatMapView view(grid);
    for (const QSize size : {QSize(820, 270), QSize(420, 200), QSize(1900, 1000)}) {
        show(view, size);
        view.verticalScrollBar()->setValue(view.cellOnViewport({700, 3}).top() - 20);
        const QImage image = view.viewport()->grab().toImage();
        const QRgb odd = rampColour(Ramp::Magnitude, 0.12);
        const QPoint centre = view.cellOnViewport({700, 3}).center();
        int found = 0;
        for (int y = centre.y() - 4; y <= centre.y() + 4; ++y) {
            for (int x = centre.x() - 4; x <= centre.x() + 4; ++x)
                found += image.valid(x, y) && (image.pixel(x, y) & RGB_MASK) == (odd & RGB_MASK) ? 1 : 0;
        }
        QVERIFY2(found >= 20, qPrintable(u"%1 pixels at %2 x %3"_s.arg(found).arg(size.width()).arg(size.height())));
    }
}

void HeatMapFoldTest::opensAndGoesBack()
{
    GpuGrid grid;
    fillMany(grid, 256, {40, 5});
    HeatMapView view(grid);
    show(view, QSize(820, 270));
    QSignalSpy layouts(&view, &HeatMapView::layoutChanged);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cellOnViewport({45, 0}).center());
    QVERIFY(!view.isFolded());
    QVERIFY(!layouts.isEmpty());
    QCOMPARE(view.openGroup(), u"nid005557–5572"_s); // the third sixteen, numbered from 525
    QCOMPARE(view.shownRows().size(), 16);
    QCOMPARE(view.current(), std::optional(GpuAddress{40, 5})); // whom one came for
    QVERIFY(view.cellOnViewport({0, 0}).isEmpty());
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(view.isFolded());
    QCOMPARE(view.current(), std::optional(GpuAddress{40, 5}));
    QTest::keyClick(&view, Qt::Key_Return);
    QVERIFY(!view.isFolded());
    view.setCurrent(GpuAddress{200, 1}); // what a finding points at is brought into sight
    QVERIFY(!view.cellOnViewport({200, 1}).isEmpty());
    view.closeGroup();
    QTest::keyClick(&view, Qt::Key_G);
    QVERIFY(!view.isFolded());
    QCOMPARE(view.shownRows().size(), 256);
    QTest::keyClick(&view, Qt::Key_G);
    QVERIFY(view.isFolded());
}

void HeatMapFoldTest::keysMoveAmongGroups()
{
    GpuGrid grid;
    fillMany(grid, 128, {17, 6});
    HeatMapView view(grid);
    show(view, QSize(820, 270));
    view.setFocus();
    view.setCurrent(GpuAddress{0, 0});
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.current(), std::optional(GpuAddress{17, 6})); // the odd one of the next group
    QTest::keyClick(&view, Qt::Key_End, Qt::ControlModifier);
    QVERIFY(view.current()->node >= 112);
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.current()->node >= 112);
}

void HeatMapFoldTest::zoomKeepsWhatIsUnderThePointer()
{
    GpuGrid grid;
    fillMany(grid, 300, {17, 6});
    HeatMapView view(grid);
    view.setFold(HeatMapView::Fold::Nodes);
    show(view, QSize(820, 400));
    const GpuAddress anchor{25, 4};
    const QPoint pointer = view.cellOnViewport(anchor).center();
    QVERIFY(view.viewport()->rect().contains(pointer));
    for (const int steps : {1, 1, 1, -1, 1, -1, -1}) {
        const int before = view.cells().cellWidth();
        wheel(view, pointer, steps);
        QVERIFY(steps > 0 ? view.cells().cellWidth() > before : view.cells().cellWidth() < before);
        const QPoint moved = view.cellOnViewport(anchor).center() - pointer;
        QVERIFY2(moved.manhattanLength() <= 8, qPrintable(u"%1 %2"_s.arg(moved.x()).arg(moved.y())));
    }
    QTest::keyClick(&view, Qt::Key_Plus);
    QVERIFY(view.isZoomed());
    QTest::keyClick(&view, Qt::Key_0);
    QVERIFY(!view.isZoomed());
}

void HeatMapFoldTest::wheelOpensTheGroupUnderIt()
{
    GpuGrid grid;
    fillMany(grid, 256, {40, 5});
    HeatMapView view(grid);
    show(view, QSize(820, 400));
    wheel(view, view.tiles().tile(5).center(), 1);
    QCOMPARE(view.openGroup(), view.grid().groupsOfNodes().at(5).name);
    wheel(view, QPoint(300, 100), -1);
    QVERIFY(view.isFolded());
}

void HeatMapFoldTest::oddestFirst()
{
    GpuGrid grid;
    fillMany(grid, 20, {13, 2});
    HeatMapView view(grid);
    show(view, QSize(900, 400));
    QCOMPARE(view.shownRows().first(), 0);
    QTest::keyClick(&view, Qt::Key_O);
    QCOMPARE(view.order(), HeatMapView::Order::OutlierScore);
    QCOMPARE(view.shownRows().first(3), (QList<int>{13, 0, 1}));
    QVERIFY(view.cellOnViewport({13, 2}).top() < 40);
    GpuGrid many;
    fillMany(many, 256, {100, 2});
    HeatMapView folded(many);
    show(folded, QSize(900, 400));
    folded.setOrder(HeatMapView::Order::OutlierScore);
    QVERIFY(folded.groups().first().group.rows.contains(100));
    QCOMPARE(folded.shownRows().size(), 256);
}

void HeatMapFoldTest::anotherGridKeepsThePlace()
{
    GpuGrid live, past;
    fillMany(live, 256, {100, 2});
    fillMany(past, 256, {30, 1});
    HeatMapView view(live);
    show(view, QSize(820, 300));
    view.openGroupOf({100, 2});
    view.togglePin({3, 3});
    const QString open = view.openGroup();
    view.setGrid(past);
    QCOMPARE(view.openGroup(), open);
    QCOMPARE(view.current(), std::optional(GpuAddress{100, 2}));
    QCOMPARE(view.pins().size(), 1);
    QVERIFY(view.field().isOutlier({30, 1}) && !view.field().isOutlier({100, 2}));
    GpuGrid other;
    other.reset({u"z"_s}, 4, 1, u"GPU"_s);
    view.setGrid(other);
    QVERIFY(!view.current() && view.pins().isEmpty());
}

RANKWRIGHT_WIDGET_TEST_MAIN(HeatMapFoldTest)
#include "tst_heatmapfold.moc"
