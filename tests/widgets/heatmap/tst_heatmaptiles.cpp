// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/heatmap/heatmaptiles.h"

using namespace rankwright;

class HeatMapTilesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void everyGpuHasItsPlace_data();
    void everyGpuHasItsPlace();
    void saysWhoIsWorstWhereThereIsRoom();
    void nothingFromNothing();
};

void HeatMapTilesTest::everyGpuHasItsPlace_data()
{
    QTest::addColumn<QList<int>>("sizes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QSize>("viewport");
    QTest::newRow("65 nodes") << QList<int>{16, 16, 16, 16, 1} << 8 << QSize(820, 270);
    QTest::newRow("1024 nodes") << QList<int>(32, 32) << 8 << QSize(820, 270);
    QTest::newRow("1024 nodes, a large screen") << QList<int>(32, 32) << 8 << QSize(1900, 1000);
    QTest::newRow("racks of four GPUs a node") << QList<int>(40, 18) << 4 << QSize(820, 270);
    QTest::newRow("a narrow window") << QList<int>(32, 32) << 8 << QSize(320, 132);
    QTest::newRow("more nodes than pixels") << QList<int>(32, 625) << 8 << QSize(820, 270);
    QTest::newRow("a pinned one") << QList<int>{1, 15, 16, 16, 16, 16} << 8 << QSize(820, 270);
}

void HeatMapTilesTest::everyGpuHasItsPlace()
{
    QFETCH(QList<int>, sizes);
    QFETCH(int, gpus);
    QFETCH(QSize, viewport);
    const HeatMapTiles tiles(std::vector<int>(sizes.begin(), sizes.end()), gpus, viewport);
    QCOMPARE(tiles.count(), int(sizes.size()));
    const QRect content(QPoint(0, 0), tiles.contentSize());
    if (viewport.width() >= 820) // nothing is out of sight in a window of common size
        QVERIFY(content.width() <= viewport.width() && content.height() <= viewport.height());
    QRegion taken;
    for (int tile = 0; tile < tiles.count(); ++tile) {
        const QRect whole = tiles.tile(tile);
        QVERIFY(content.contains(whole));
        QVERIFY(!taken.intersects(whole));
        taken += whole;
        QCOMPARE(tiles.tileAt(whole.center()), std::optional(tile));
        for (int index = 0; index < sizes.at(tile); index += 1 + sizes.at(tile) / 20) {
            for (int gpu = 0; gpu < gpus; ++gpu) {
                const QRect cell = tiles.cell({tile, index}, gpu);
                QVERIFY2(whole.contains(cell), qPrintable(QStringLiteral("%1.%2.%3").arg(tile).arg(index).arg(gpu)));
                QVERIFY(cell.width() >= 1 && cell.height() >= 1);
                QVERIFY(!cell.intersects(tiles.name(tile)) && !cell.intersects(tiles.figures(tile)));
                if (cell.width() < 3 || cell.height() < 3)
                    continue; // several share these pixels
                const auto hit = tiles.cellAt(cell.center());
                QVERIFY(hit);
                QCOMPARE(hit->first, (TilePlace{tile, index}));
                QCOMPARE(hit->second, gpu);
            }
        }
    }
}

void HeatMapTilesTest::saysWhoIsWorstWhereThereIsRoom()
{
    const HeatMapTiles wide(std::vector<int>(32, 32), 8, QSize(1300, 560));
    QVERIFY(wide.hasName() && wide.hasFigures());
    const HeatMapTiles small(std::vector<int>(32, 32), 8, QSize(820, 270));
    QVERIFY(small.hasName());
    QVERIFY(!small.tileAt(QPoint(-5, 3)) && !small.tileAt(QPoint(5000, 3)) && !small.cellAt(QPoint(2, 5000)));
}

void HeatMapTilesTest::nothingFromNothing()
{
    const HeatMapTiles none;
    QCOMPARE(none.contentSize(), QSize());
    QVERIFY(!none.tileAt(QPoint(10, 10)));
    const HeatMapTiles squeezed({16, 16}, 8, QSize(0, 0));
    QVERIFY(squeezed.cell({1, 15}, 7).width() > 0);
}

RANKWRIGHT_TEST_MAIN(HeatMapTilesTest)
#include "tst_heatmaptiles.moc"
