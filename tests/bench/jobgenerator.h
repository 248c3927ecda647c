// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>

namespace rankwright::bench {

/// What srun would bring of a job on MI250X nodes: lines of nodes in a shuffled order, each with figures that change
/// from second to second. Makes bytes; sends nothing.
class JobGenerator {
public:
    JobGenerator(int nodes, int gpusPerNode);

    const QStringList& nodes() const { return m_nodes; }
    /// GPU lines number `from` to `to` of a second, stamped.
    QByteArray gpuLines(int from, int to, qint64 takenMs);
    /// Rank lines of the same nodes.
    QByteArray rankLines(int from, int to, qint64 takenMs) const;

private:
    int m_gpus = 8;
    QStringList m_nodes;
    QList<QByteArray> m_names;
    QList<QByteArray> m_bodies;
    QList<int> m_order;
    qsizetype m_count = 0;
};

} // namespace rankwright::bench
