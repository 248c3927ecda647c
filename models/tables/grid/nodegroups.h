// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QStringList>

namespace rankwright::inline tables {

/// Nodes that are together: a rack, the nodes of one switch, or, where nothing of it is known, neighbours in Slurm's
/// order.
struct NodeGroup {
    enum class Origin { Switch, Name, Block };
    QString name; ///< "x1000c2", "nid005500–5515"
    Origin origin = Origin::Block;
    QList<int> rows; ///< indices into the list that was grouped, in its order
    bool operator==(const NodeGroup&) const = default;
};

/// Groups a job's nodes for a folded picture. In this order: by switch where `switchOf` (node name -> switch name)
/// names the switch of most nodes; by what the names have in common, where names count racks ("r05n12",
/// "x1000c2s3b0n1", "as01r1b07") and that makes groups of 4 to 128 nodes; else in blocks of 16 neighbours, doubled
/// until there are at most 32 of them. Every node is in exactly one group; no nodes, no groups.
QList<NodeGroup> groupNodes(const QStringList& nodes, const QHash<QString, QString>& switchOf = {});

/// "nid005500–5515": first and last name without what both begin with; one name when they are equal.
QString nodeSpanText(const QString& first, const QString& last);

} // namespace rankwright::inline tables
