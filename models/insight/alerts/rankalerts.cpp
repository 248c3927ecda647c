// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/insight/alerts/alertrules.h"
#include "models/insight/alerts/jobsnapshot.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 settledMs = 12'000; ///< without a new rank
constexpr qint64 settledNodesMs = 60'000; ///< the same while a whole node has none: containers start at their own pace
constexpr qint64 asleepMs = 10'000;
constexpr int goneLines = 2;
constexpr int mostNamed = 8;

QString ranksText(const QList<int>& ranks)
{
    return ranks.size() == 1 ? u"Rank %1"_s.arg(ranks.first()) : u"Ranks %1"_s.arg(numbersText(ranks));
}

QString hasOrHave(qsizetype count) { return nounFor(double(count), u"has"_s, u"have"_s); }

/// Ranks of the world that no node shows and none ever showed.
QList<int> neverSeen(const JobSnapshot& snapshot, int world)
{
    QList<int> missing;
    for (int rank = 0; rank < world && missing.size() < 4096; ++rank) {
        if (!snapshot.ranks().find(rank))
            missing.append(rank);
    }
    return missing;
}

void nameGpus(const JobSnapshot& snapshot, const QList<int>& ranks, Evidence& evidence)
{
    for (const int rank : ranks) {
        const auto at = snapshot.gpuOf(rank);
        if (!at || evidence.gpus.size() >= 64)
            continue;
        evidence.gpus.append(*at);
        if (!evidence.nodes.contains(snapshot.nodeName(at->node)))
            evidence.nodes.append(snapshot.nodeName(at->node));
    }
    evidence.rank = ranks.size() == 1 ? std::optional(ranks.first()) : std::nullopt;
}

void findUnstarted(const AlertRule& rule, const JobSnapshot& snapshot, int world, QList<Evidence>& found)
{
    const QList<int> missing = neverSeen(snapshot, world);
    const int present = snapshot.ranks().present();
    if (missing.isEmpty() || present == 0 || snapshot.workedGpus() > 0)
        return;
    const bool everywhere = snapshot.ranks().nodesReported() >= int(snapshot.nodes().size());
    const qint64 settled = snapshot.ranks().lastMs() - snapshot.ranks().newestRankMs();
    if (settled < (everywhere ? settledMs : settledNodesMs))
        return;
    Evidence unstarted{.rule = &rule, .key = u"unstarted"_s, .sinceMs = snapshot.ranks().newestRankMs()};
    nameGpus(snapshot, missing, unstarted);
    if (!everywhere) {
        for (int row = 0; row < int(snapshot.nodes().size()); ++row) {
            if (snapshot.ranks().presentOn(row) == 0 && !unstarted.nodes.contains(snapshot.nodeName(row)))
                unstarted.nodes.append(snapshot.nodeName(row));
        }
    }
    unstarted.title = missing.size() > mostNamed
        ? u"%1 of %2 never started, the others wait for them"_s.arg(missing.size()).arg(counted(world, u"rank"_s))
        : u"%1 never started, the %2"_s.arg(ranksText(missing), nounFor(present, u"other waits"_s, u"others wait"_s));
    unstarted.seen = u"WORLD_SIZE is %1, %2 of its ranks run; no new one for %3."_s.arg(world).arg(present).arg(
        durationText(settled));
    if (!unstarted.nodes.isEmpty())
        unstarted.seen += u" Without: %1."_s.arg(namesText(unstarted.nodes));
    found.append(unstarted);
}

/// Everybody is there and sleeps before the first step, and a few have not even taken their GPU.
void findUnjoined(const AlertRule& rule, const JobSnapshot& snapshot, int world, QList<Evidence>& found)
{
    if (snapshot.workedGpus() > 0 || snapshot.ranks().present() < std::max(2, world) || snapshot.pace().updates() > 0)
        return;
    QList<int> absent;
    qint64 since = 0;
    for (const auto& [rank, entry] : snapshot.ranks().ranks()) {
        if (entry.quietSinceMs == 0)
            return; // somebody is busy: imports, data
        since = std::max(since, entry.quietSinceMs);
        const bool stopped = entry.last.state == 'T' || entry.last.state == 't';
        bool taken = entry.last.gpuMemoryBytes.value_or(0) > 0;
        if (const auto at = snapshot.gpuOf(rank); at && !taken) {
            const auto& gpus = snapshot.nodes()[size_t(at->node)].gpus;
            if (size_t(at->gpu) >= gpus.size())
                return;
            const GpuWindow& track = gpus[size_t(at->gpu)];
            // A process needs some hundred MiB before its first tensor.
            taken = track.processes() ? *track.processes() > 0 : track.usedBytes() > 256.0 * 1048576;
        }
        if (stopped || !taken)
            absent.append(rank);
    }
    if (absent.isEmpty() || absent.size() * 2 >= snapshot.ranks().present() || snapshot.nowMs() - since < asleepMs)
        return;
    Evidence unjoined{.rule = &rule, .key = u"unjoined"_s, .sinceMs = since};
    nameGpus(snapshot, absent, unjoined);
    unjoined.title = u"%1 %2 not joined, the others wait"_s.arg(ranksText(absent), hasOrHave(absent.size()));
    unjoined.seen
        = u"All %1 ranks sleep since %2 and none has begun to work; %3 the only %4 without memory on a %5."_s
              .arg(snapshot.ranks().present())
              .arg(durationText(snapshot.nowMs() - since), nounFor(double(absent.size()), u"it is"_s, u"they are"_s),
                  nounFor(double(absent.size()), u"one"_s), snapshot.gpuWord());
    unjoined.advice
        = u"Look at the last lines of this rank's output and at what it does: py-spy dump --pid on its node. A file, a download or a lock that only it waits for is the usual cause."_s;
    found.append(unjoined);
}

/// The shell that an agent starts as a rank has some MiB; it binds itself before it becomes the program.
constexpr qint64 shellBytes = 16 * 1024 * 1024;

struct Binding {
    int rank = 0;
    QList<int> cpus;
};

std::vector<QList<Binding>> bindingsByNode(const JobSnapshot& snapshot)
{
    std::vector<QList<Binding>> byNode(snapshot.nodes().size());
    for (const auto& [rank, entry] : snapshot.ranks().ranks()) {
        if (!snapshot.ranks().isPresent(entry) || entry.lines < 2 || size_t(entry.node) >= byNode.size())
            continue;
        const bool isShell = entry.last.residentBytes && *entry.last.residentBytes < shellBytes;
        if (!entry.cpus.isEmpty() && !isShell)
            byNode[size_t(entry.node)].append({rank, entry.cpus});
    }
    return byNode;
}

/// The map's cores and nothing else; their other hardware threads, at a fixed distance, may be there too, but none of
/// the cores that the map gives to ranks of the node (`all`).
bool fits(const QList<int>& actual, const QList<int>& wanted, const std::set<int>& all)
{
    QList<int> others;
    for (const int cpu : actual) {
        if (wanted.contains(cpu))
            continue;
        if (all.contains(cpu))
            return false;
        others.append(cpu);
    }
    if (actual.size() - others.size() < wanted.size())
        return false;
    if (others.isEmpty())
        return true;
    if (others.size() % wanted.size() != 0)
        return false;
    for (qsizetype index = 0; index < others.size(); ++index) {
        const qsizetype turn = index / wanted.size() * wanted.size();
        if (others.at(index) - wanted.at(index % wanted.size()) != others.at(turn) - wanted.first())
            return false;
    }
    return true;
}

/// Of `ranks` on the node those that are bound; a rank that may run on all of the job's processors is in no other's
/// way.
QList<Binding> boundOf(const QList<Binding>& ranks, int cpus)
{
    QList<Binding> bound;
    std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(bound),
        [cpus](const Binding& one) { return one.cpus.size() < cpus; });
    return bound;
}

void describeSharing(const JobSnapshot& snapshot, int row, const QList<Binding>& ranks, Evidence& shared)
{
    const QList<Binding> bound = boundOf(ranks, snapshot.ranks().node(row)->cpus.value_or(0));
    if (bound.isEmpty())
        return; // the system spreads them
    const int cpus = snapshot.ranks().node(row)->cpus.value_or(0);
    std::set<int> all;
    bool alike = bound.size() == ranks.size();
    for (const Binding& one : bound) {
        all.insert(one.cpus.begin(), one.cpus.end());
        alike = alike && one.cpus == bound.first().cpus;
    }
    const QString list = numberRanges(QList<int>(all.begin(), all.end()));
    if (alike && int(all.size()) * 2 <= cpus) {
        shared.title = u"%1 ranks share %2 of %3 cores"_s.arg(bound.size()).arg(all.size()).arg(cpus);
        shared.seen
            = u"All ranks on %1 may only run on CPU %2; the job owns %3."_s.arg(snapshot.nodeName(row), list).arg(cpus);
        shared.rank = std::nullopt;
        return;
    }
    std::map<int, qsizetype> owner;
    for (qsizetype second = 0; second < bound.size() && !alike; ++second) {
        for (const int cpu : bound.at(second).cpus) {
            const auto [place, free] = owner.try_emplace(cpu, second);
            if (free)
                continue;
            const Binding& one = bound.at(place->second);
            const Binding& two = bound.at(second);
            shared.title = u"Ranks %1 and %2 run on the same cores"_s.arg(one.rank).arg(two.rank);
            shared.seen = u"On %1: rank %2 on CPU %3, rank %4 on CPU %5."_s.arg(snapshot.nodeName(row))
                              .arg(one.rank)
                              .arg(numberRanges(one.cpus))
                              .arg(two.rank)
                              .arg(numberRanges(two.cpus));
            return;
        }
    }
    if (!alike && bound.size() == ranks.size() && bound.first().cpus.size() == 1 && cpus >= 2 * int(bound.size())
        && std::all_of(bound.begin(), bound.end(), [](const Binding& one) { return one.cpus.size() == 1; })) {
        shared.title = u"Every rank has one core, the job owns %1 on each node"_s.arg(cpus);
        shared.seen = u"On %1: %2 ranks on CPU %3, one each."_s.arg(snapshot.nodeName(row)).arg(bound.size()).arg(list);
        shared.advice
            = u"Ask for the cores of each rank, for srun too: --cpus-per-task=%1 and SRUN_CPUS_PER_TASK=%1 (srun no longer takes it from sbatch since Slurm 22.05)."_s
                  .arg(cpus / bound.size());
    }
}

} // namespace

void findMissingRank(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    const int world = snapshot.ranks().worldSize().value_or(0);
    if (world < 2 || world > 1'000'000)
        return;
    findUnstarted(rule, snapshot, world, found);
    findUnjoined(rule, snapshot, world, found);
}

void findLostRank(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    if (snapshot.pace().isFinishing())
        return;
    QList<int> lost;
    qint64 since = 0;
    int present = 0;
    for (const auto& [rank, entry] : snapshot.ranks().ranks()) {
        if (snapshot.ranks().isPresent(entry))
            present += snapshot.isNodeFresh(entry.node) ? 1 : 0;
        else if (entry.goneLines >= goneLines && entry.lines >= 2) {
            lost.append(rank);
            since = since == 0 ? entry.goneSinceMs : std::min(since, entry.goneSinceMs);
        }
    }
    // The end of a job, too, has ranks that go first.
    if (lost.isEmpty() || present == 0 || lost.size() > present)
        return;
    Evidence gone{.rule = &rule, .key = u"lost"_s, .sinceMs = since};
    nameGpus(snapshot, lost, gone);
    gone.title = lost.size() > mostNamed ? u"%1 ranks have gone, %2 still run"_s.arg(lost.size()).arg(present)
                                         : u"%1 %2 gone, %3 still %4"_s.arg(ranksText(lost), hasOrHave(lost.size()),
                                             counted(present, u"rank"_s), nounFor(present, u"runs"_s, u"run"_s));
    gone.seen
        = u"The %1 no longer on %2, for %3."_s.arg(nounFor(double(lost.size()), u"process is"_s, u"processes are"_s),
            namesText(gone.nodes), durationText(snapshot.nowMs() - since));
    found.append(gone);
}

void findWrongBinding(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    const auto& placement = snapshot.expectation().placement;
    // Tasks of a step that are not as many as the map's ranks will start them.
    if (!snapshot.ranks().isCertain() && snapshot.ranks().worldSize().value_or(0) != int(placement.size()))
        return;
    const auto byNode = bindingsByNode(snapshot);
    std::vector<std::set<int>> wantedOn(byNode.size());
    for (qsizetype rank = 0; rank < placement.size(); ++rank) {
        const QList<int>& cpus = snapshot.wantedCpus()[size_t(rank)];
        if (size_t(placement.at(rank).node) < wantedOn.size())
            wantedOn[size_t(placement.at(rank).node)].insert(cpus.begin(), cpus.end());
    }
    Evidence wrong{.rule = &rule, .key = u"binding"_s};
    QList<int> ranks;
    bool unbound = true;
    for (size_t row = 0; row < byNode.size(); ++row) {
        const RankTracker::Node* node = snapshot.ranks().node(int(row));
        // A node with fewer processors than the map has cores is not the node of the map.
        if (!node || (node->cpus && *node->cpus < int(wantedOn[row].size())))
            continue;
        for (const Binding& one : byNode[row]) {
            if (one.rank >= placement.size() || placement.at(one.rank).rank != one.rank)
                continue;
            const QList<int>& wanted = snapshot.wantedCpus()[size_t(one.rank)];
            if (wanted.isEmpty() || fits(one.cpus, wanted, wantedOn[row]))
                continue;
            unbound = unbound && node->cpus && one.cpus.size() >= *node->cpus;
            if (ranks.isEmpty())
                wrong.seen = u"Rank %1 on %2 may run on CPU %3, the map gives it %4."_s.arg(one.rank).arg(
                    snapshot.nodeName(int(row)), numberRanges(one.cpus), numberRanges(wanted));
            ranks.append(one.rank);
        }
    }
    if (ranks.isEmpty())
        return;
    nameGpus(snapshot, ranks, wrong);
    wrong.title = unbound
        ? u"No rank is bound, though the design asks for cores beside the %1"_s.arg(snapshot.gpuWord(2))
        : ranks.size() > mostNamed
        ? u"%1 ranks do not run on the cores that the map gives them"_s.arg(ranks.size())
        : u"%1 %2 not on the cores that the map gives"_s.arg(ranksText(ranks), isOrAre(ranks.size()));
    found.append(wrong);
}

void findSharedCores(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found)
{
    const auto byNode = bindingsByNode(snapshot);
    for (int row = 0; row < int(byNode.size()); ++row) {
        const QList<Binding>& ranks = byNode[size_t(row)];
        const RankTracker::Node* node = snapshot.ranks().node(row);
        if (ranks.size() < 2 || ranks.size() > 256 || !node || !node->cpus || *node->cpus < 2)
            continue;
        Evidence shared{.rule = &rule, .key = u"cores"_s};
        describeSharing(snapshot, row, ranks, shared);
        if (shared.title.isEmpty())
            continue;
        shared.nodes = {snapshot.nodeName(row)};
        found.append(shared);
        return;
    }
}

} // namespace rankwright::inline insight
