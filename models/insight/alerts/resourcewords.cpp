// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/resourcewords.h"

#include "models/core/quantitytext.h"
#include "models/insight/alerts/jobsnapshot.h"

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr int resourceLooks = 5; ///< 15 s, of large jobs 50 s
constexpr qint64 resourceAgeMs = 60'000;
constexpr int leastLooks = 3;
constexpr double oftenWaiting = 0.5; ///< share of the looks in which a process waited for a file
constexpr double longWaiting = 0.5; ///< share of the time in which some process waited for input or output
constexpr double busyLinks = 0.6; ///< of what they carry: no program reaches all of it
constexpr double idleLinks = 0.03;

/// Of a node's last looks: few enough that a fault shows within 10 s.
ResourceMean latelyOn(const RankTracker::Node& node, const JobSnapshot& snapshot)
{
    return node.newestResources(resourceLooks, snapshot.nowMs() - resourceAgeMs);
}

} // namespace

QString fileWaitWords(const JobSnapshot& snapshot, int row)
{
    const RankTracker::Node* node = snapshot.ranks().node(row);
    if (!node || !node->resources)
        return {};
    const ResourceMean mean = latelyOn(*node, snapshot);
    if (mean.looks < leastLooks)
        return {};
    // what all processes of a node wait for may be another job's reading
    const auto some = node->resources->pressureOf == ResourceScope::Job ? mean.someWait : std::nullopt;
    const bool often = mean.waitingLooks >= oftenWaiting * mean.looks;
    const bool longTime = some.value_or(0) >= longWaiting && mean.waitingLooks > 0;
    if (!often && !longTime)
        return {};
    QString words = u"On %1 its processes waited for files in %2 of %3 looks"_s.arg(snapshot.nodeName(row))
                        .arg(mean.waitingLooks)
                        .arg(mean.looks);
    if (some)
        words += u", some of them %1 of the time"_s.arg(shareText(*some));
    if (!node->resources->waitsIn.isEmpty())
        words += u" (%1)"_s.arg(node->resources->waitsIn);
    return words + u'.';
}

QString linkWords(const JobSnapshot& snapshot, LinkWords when)
{
    double sum = 0;
    int nodes = 0;
    for (int row = 0; row < int(snapshot.nodes().size()); ++row) {
        const RankTracker::Node* node = snapshot.ranks().node(row);
        const auto share = node ? latelyOn(*node, snapshot).linkShare : std::nullopt;
        if (!share)
            continue;
        sum += *share;
        ++nodes;
    }
    if (nodes == 0 || snapshot.nodes().size() < 2) // one node alone needs no network
        return {};
    const double share = sum / nodes;
    const QString carried = u"The links of %1 carry %2 of what they can"_s.arg(nodesText(nodes), shareText(share));
    if (share >= busyLinks)
        return carried + u": the network is the limit."_s;
    if (share <= idleLinks)
        return carried + u": it is not for want of network capacity."_s;
    return when == LinkWords::Always ? QString(carried + u'.') : QString();
}

QString besideSentence(const QString& sentence) { return sentence.isEmpty() ? QString() : u' ' + sentence; }

} // namespace rankwright::inline insight
