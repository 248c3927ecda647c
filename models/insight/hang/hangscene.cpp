// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangscene.h"

#include <QHash>
#include <QSet>

#include <utility>

namespace rankwright::inline insight {

namespace {

constexpr int mostMissingRanks = 4'096;

/// Where ranks lie in blocks, node by node: the node of one that was not seen, and its GPU where the others have theirs
/// by their number in the block.
void placeAmong(const QList<RankEvidence>& others, int worldSize, RankEvidence& gone)
{
    QSet<QString> nodes;
    for (const RankEvidence& other : others)
        nodes.insert(other.node);
    if (nodes.isEmpty() || nodes.contains(QString()) || worldSize % int(nodes.size()) != 0)
        return;
    const int perNode = worldSize / int(nodes.size());
    QHash<int, QString> nodeOfBlock;
    bool hasGpus = true;
    for (const RankEvidence& other : others) {
        if (!other.rank)
            return;
        QString& node = nodeOfBlock[*other.rank / perNode];
        if (!node.isEmpty() && node != other.node)
            return;
        node = other.node;
        hasGpus = hasGpus && other.gpu == *other.rank % perNode;
    }
    if (nodeOfBlock.size() != nodes.size())
        return;
    gone.node = nodeOfBlock.value(*gone.rank / perNode);
    if (hasGpus)
        gone.gpu = *gone.rank % perNode;
}

bool hasEnded(const RankEvidence& rank)
{
    const std::optional<ProcessSnapshot>& look = rank.now ? rank.now : rank.before;
    return rank.hasEnded || (look && look->state == ProcessState::Zombie);
}

/// A rank that was started again (torchrun's restarts) has a process that lives: its earlier one is not missed.
void leaveOutReplaced(QList<RankEvidence>& ranks)
{
    QSet<int> alive;
    for (const RankEvidence& rank : std::as_const(ranks)) {
        if (rank.rank && !hasEnded(rank))
            alive.insert(*rank.rank);
    }
    ranks.removeIf(
        [&alive](const RankEvidence& rank) { return rank.rank && hasEnded(rank) && alive.contains(*rank.rank); });
}

} // namespace

HangScene hangScene(HangEvidence evidence)
{
    HangScene scene;
    leaveOutReplaced(evidence.ranks);
    if (evidence.isComplete && evidence.worldSize) {
        QSet<int> seen;
        for (const RankEvidence& rank : std::as_const(evidence.ranks)) {
            if (rank.rank)
                seen.insert(*rank.rank);
        }
        int missing = 0;
        const QList<RankEvidence> others = evidence.ranks;
        for (int rank = 0; !seen.isEmpty() && rank < *evidence.worldSize && missing < mostMissingRanks; ++rank) {
            if (seen.contains(rank))
                continue;
            RankEvidence gone;
            gone.rank = rank;
            gone.hasEnded = true;
            placeAmong(others, *evidence.worldSize, gone);
            evidence.ranks.append(gone);
            ++missing;
        }
    }
    for (const RankEvidence& rank : std::as_const(evidence.ranks))
        scene.standings.append(rankStanding(rank, evidence.secondsBetween));
    scene.evidence = std::move(evidence);
    return scene;
}

} // namespace rankwright::inline insight
