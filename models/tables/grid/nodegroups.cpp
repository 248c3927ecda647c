// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/nodegroups.h"

#include <algorithm>
#include <functional>

namespace rankwright::inline tables {

using namespace Qt::StringLiterals;

namespace {

constexpr int leastInRack = 4;
constexpr int mostInRack = 128;
constexpr int blockSize = 16;
constexpr int mostBlocks = 32;

/// The name without its last `count` numbers and what joins them: "x1000c2s3b0n1", 3 -> "x1000c2".
QString withoutNumbers(const QString& name, int count)
{
    qsizetype end = name.size();
    for (int number = 0; number < count; ++number) {
        while (end > 0 && !name.at(end - 1).isDigit())
            --end;
        while (end > 0 && name.at(end - 1).isDigit())
            --end;
    }
    while (end > 0 && !name.at(end - 1).isDigit())
        --end;
    return name.left(end);
}

QList<NodeGroup> groupedBy(
    const QStringList& nodes, NodeGroup::Origin origin, const std::function<QString(const QString&)>& keyOf)
{
    QList<NodeGroup> groups;
    QHash<QString, qsizetype> known;
    for (int row = 0; row < nodes.size(); ++row) {
        const QString key = keyOf(nodes.at(row));
        const auto found = known.constFind(key);
        if (found != known.cend()) {
            groups[*found].rows.append(row);
            continue;
        }
        known.insert(key, groups.size());
        groups.append({key, origin, {row}});
    }
    return groups;
}

QList<NodeGroup> bySwitch(const QStringList& nodes, const QHash<QString, QString>& switchOf)
{
    const auto named = std::count_if(
        nodes.begin(), nodes.end(), [&](const QString& node) { return !switchOf.value(node).isEmpty(); });
    if (named * 2 <= nodes.size())
        return {};
    QList<NodeGroup> groups
        = groupedBy(nodes, NodeGroup::Origin::Switch, [&](const QString& node) { return switchOf.value(node); });
    for (NodeGroup& group : groups) {
        if (group.name.isEmpty())
            group.name = u"other nodes"_s;
    }
    return groups;
}

QList<NodeGroup> byName(const QStringList& nodes)
{
    for (int count = 1; count <= 4; ++count) {
        QList<NodeGroup> groups = groupedBy(
            nodes, NodeGroup::Origin::Name, [count](const QString& node) { return withoutNumbers(node, count); });
        const auto biggest = std::max_element(groups.begin(), groups.end(),
            [](const NodeGroup& one, const NodeGroup& other) { return one.rows.size() < other.rows.size(); });
        const bool named
            = std::none_of(groups.begin(), groups.end(), [](const NodeGroup& group) { return group.name.isEmpty(); });
        if (!named)
            return {};
        const bool large = nodes.size() >= groups.size() * leastInRack;
        if (large)
            return groups.size() > 1 && biggest->rows.size() <= mostInRack ? groups : QList<NodeGroup>();
    }
    return {};
}

QList<NodeGroup> inBlocks(const QStringList& nodes)
{
    qsizetype size = blockSize;
    while ((nodes.size() + size - 1) / size > mostBlocks)
        size *= 2;
    QList<NodeGroup> groups;
    for (qsizetype from = 0; from < nodes.size(); from += size) {
        NodeGroup group;
        const qsizetype end = std::min(from + size, nodes.size());
        for (qsizetype row = from; row < end; ++row)
            group.rows.append(int(row));
        group.name = nodeSpanText(nodes.at(from), nodes.at(end - 1));
        groups.append(group);
    }
    return groups;
}

} // namespace

QList<NodeGroup> groupNodes(const QStringList& nodes, const QHash<QString, QString>& switchOf)
{
    if (const QList<NodeGroup> groups = bySwitch(nodes, switchOf); groups.size() > 1)
        return groups;
    if (const QList<NodeGroup> groups = byName(nodes); !groups.isEmpty())
        return groups;
    return inBlocks(nodes);
}

QString nodeSpanText(const QString& first, const QString& last)
{
    if (first == last)
        return first;
    const auto [one, other] = std::mismatch(first.begin(), first.end(), last.begin(), last.end());
    // Leading zeros and the digits in common go too, but at least two digits stay: "5500–15" is not a node's name.
    qsizetype same = other - last.begin();
    while (same > 0 && last.size() - same < 4 && last.at(same - 1).isDigit())
        --same;
    return first + u'–' + last.mid(same);
}

} // namespace rankwright::inline tables
