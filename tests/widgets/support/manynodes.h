// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/shots/synthetic.h"
#include "tests/support/testbase.h"
#include "widgets/heatmap/heatmapview.h"

#include <QApplication>
#include <QWheelEvent>

/// What the tests of the map of many nodes have in common.
namespace rankwright::test {

using namespace rankwright::shots;

inline constexpr qint64 now = 1'772'460'751'000;

inline void show(QWidget& view, QSize size)
{
    view.resize(size);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, test::longWaitMs));
    QApplication::processEvents();
}

/// Ten seconds of a run of many nodes in which one GPU is unlike the others.
inline void fillMany(GpuGrid& grid, int nodes, GpuAddress odd)
{
    const QStringList names = nodeNames({.nodes = nodes});
    grid.reset(names, 8, 2, u"GCD"_s);
    for (qint64 at = now - 9000; at <= now; at += 3000) {
        for (int node = 0; node < nodes; ++node) {
            NodeTick tick{names.at(node), at, {}};
            GpuSample sample;
            for (sample.index = 0; sample.index < 8; ++sample.index) {
                sample.utilizationPercent = odd == GpuAddress{node, sample.index} ? 12 : 90 + (node + sample.index) % 8;
                tick.gpus.append(sample);
            }
            grid.store(tick, at);
        }
    }
    grid.flush(now);
}

inline void wheel(HeatMapView& view, QPoint at, int notches, Qt::KeyboardModifiers modifiers = Qt::ControlModifier)
{
    QWheelEvent event(QPointF(at), view.viewport()->mapToGlobal(QPointF(at)), {}, QPoint(0, 120 * notches),
        Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.viewport(), &event);
}

/// The ranks of a design of tensor 2 and pipeline 2 in Megatron's order.
inline QList<RankPlace> placed(int nodes)
{
    QList<RankPlace> placement;
    const int world = nodes * 8;
    for (int rank = 0; rank < world; ++rank) {
        const int stage = rank / (world / 2);
        RankPlace place{.rank = rank, .node = rank / 8, .gpu = rank % 8};
        place.tensorGroup = rank / 2;
        place.stage = stage;
        place.dataGroup = stage * 2 + rank % 2;
        placement.append(place);
    }
    return placement;
}

} // namespace rankwright::test
