// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/livefindings.h"

#include "models/core/hostlist.h"
#include "models/insight/explain.h"
#include "widgets/gpureading.h"
#include "widgets/jobwords.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(rankwright::LiveFindings)
};

// A GPU whose ranks spin in a collective shows full use at little power: 90 to 140 W of an MI250X package's 500 W,
// 95 to 130 W of an H100's 700 W (measured on LUMI and in public reports). Below this share of the cap it only waits.
constexpr double waitingShare = 0.32;
constexpr double busyPercent = 90;
constexpr double idlePercent = 5;
constexpr double heldShare = 0.25; ///< of the memory: a process lives there

QString nodesText(const QStringList& nodes) { return nodes.size() > 4 ? foldHostlist(nodes) : nodes.join(u", "_s); }

QString gpuName(const GpuGridModel& grid, GpuAddress address)
{
    const std::optional<int> rank = rankOf(grid, address);
    return rank ? Words::tr("rank %1").arg(*rank) : u"%1 %2"_s.arg(grid.gpuWord()).arg(address.gpu);
}

QString capitalised(QString text)
{
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    return text;
}

void addTroubles(const LiveFacts& facts, QList<LiveFinding>& findings)
{
    for (const Error& why : facts.troubles) {
        QStringList text;
        for (const QString& part : {why.detail, why.remedy}) {
            if (!part.isEmpty())
                text.append(part);
        }
        findings.append({Tone::Warn, why.what, text.join(u'\n'), {}, {}});
    }
}

void addSilentNodes(const LiveFacts& facts, QList<LiveFinding>& findings)
{
    const GpuGridModel& grid = facts.grid;
    QStringList stale;
    QStringList never;
    qint64 oldest = 0;
    for (int node = 0; node < grid.rowCount(); ++node) {
        const Freshness freshness = freshnessOf(grid, node, false);
        const QString name = grid.series().nodes().value(node);
        if (freshness == Freshness::Never)
            never.append(name);
        if (freshness != Freshness::Stale)
            continue;
        stale.append(name);
        const qint64 last = newestArrival(grid, node);
        oldest = oldest == 0 ? last : std::min(oldest, last);
    }
    if (!stale.isEmpty()) {
        findings.append({Tone::Warn,
            stale.size() == 1 ? Words::tr("%1 is silent").arg(stale.first())
                              : Words::tr("%1 nodes are silent").arg(stale.size()),
            Words::tr("No fresh value from %1 since %2. Its cells are hatched and keep the last value; "
                      "the job itself may well go on.")
                .arg(nodesText(stale), clockText(oldest)),
            {}, {}});
    }
    if (!never.isEmpty() && never.size() < grid.rowCount()) {
        findings.append({Tone::Quiet,
            Words::tr("Still waiting for %1").arg(counted(int(never.size()), Words::tr("node"), Words::tr("nodes"))),
            Words::tr("Nothing has arrived from %1 yet.").arg(nodesText(never)), {}, {}});
    }
}

/// The die of a package that is the odd one: its utilisation is furthest from full; empty when the dies look alike.
std::optional<GpuAddress> oddDie(const GpuGridModel& grid, GpuAddress first)
{
    std::optional<GpuAddress> odd;
    double lowest = 100;
    double highest = 0;
    for (int gpu = first.gpu; gpu < std::min(first.gpu + grid.gpusPerPackage(), grid.gpusPerNode()); ++gpu) {
        const double mean = recentMean(grid, {first.node, gpu}, Measure::Utilization).value_or(100);
        if (mean < lowest)
            odd = GpuAddress{first.node, gpu};
        lowest = std::min(lowest, mean);
        highest = std::max(highest, mean);
    }
    return highest - lowest >= 1 ? odd : std::nullopt;
}

LiveFinding powerFinding(const LiveFacts& facts, const Standout& one, const QString& since)
{
    const GpuGridModel& grid = facts.grid;
    const std::optional<GpuAddress> die = grid.gpusPerPackage() > 1 ? oddDie(grid, one.gpu) : std::optional(one.gpu);
    const GpuAddress shown = die.value_or(one.gpu);
    QString who = gpuName(grid, shown);
    if (!die) {
        const std::optional<int> rank = rankOf(grid, one.gpu);
        who = rank ? Words::tr("one of ranks %1–%2").arg(*rank).arg(*rank + grid.gpusPerPackage() - 1)
                   : Words::tr("package %1").arg(one.gpu.gpu / grid.gpusPerPackage());
    }
    const std::optional<double> cap = powerCapOf(grid, one.gpu);
    const bool othersWait = cap && one.typical < waitingShare * *cap && one.value > one.typical;
    const QString node = grid.series().nodes().value(one.gpu.node);
    const QString figures = Words::tr("%1 on %2 draws %3, the others typically %4.")
                                .arg(capitalised(who), node, figureWithUnit(Measure::Power, one.value),
                                    figureWithUnit(Measure::Power, one.typical));
    if (othersWait) {
        return {Tone::Warn, Words::tr("%1 is late, the others wait for it").arg(capitalised(who)),
            figures + u' ' + Words::tr("Full utilisation at so little power is waiting in a collective.") + since,
            shown, Words::tr("Show its output")};
    }
    return {Tone::Warn,
        Words::tr("%1 draws clearly %2 than the others")
            .arg(capitalised(who), one.value > one.typical ? Words::tr("more") : Words::tr("less")),
        figures + since, shown, Words::tr("Show its output")};
}

void addStandouts(const LiveFacts& facts, QList<LiveFinding>& findings)
{
    for (const Standout& one : facts.standouts) {
        const qint64 start = facts.standoutSince.value(one.gpu, 0);
        const QString since = start > 0 ? u' ' + Words::tr("Since %1.").arg(clockText(start)) : QString();
        if (one.measure == Measure::Power) {
            findings.append(powerFinding(facts, one, since));
            continue;
        }
        findings.append({Tone::Warn, Words::tr("%1 is used differently").arg(capitalised(gpuName(facts.grid, one.gpu))),
            Words::tr("Mean utilisation of the last 10 s: %1 against %2 of the others, on %3.")
                    .arg(figureWithUnit(Measure::Utilization, one.value),
                        figureWithUnit(Measure::Utilization, one.typical),
                        facts.grid.series().nodes().value(one.gpu.node))
                + since,
            one.gpu, Words::tr("Show its output")});
    }
}

/// Mean utilisation, power share and memory share over all fresh GPUs; empty figures where nobody told.
struct Crowd {
    int fresh = 0;
    int total = 0;
    double lowestUse = 100, highestUse = 0;
    std::optional<double> powerShare;
    double highestMemory = 0;
    double highestShare = 0;
    double memoryTotal = 0;
    GpuAddress fullest;
};

Crowd crowdOf(const GpuGridModel& grid)
{
    Crowd crowd;
    double power = 0;
    double cap = 0;
    for (int node = 0; node < grid.rowCount(); ++node) {
        for (int gpu = 0; gpu < grid.gpusPerNode(); ++gpu) {
            const GpuAddress address{node, gpu};
            ++crowd.total;
            const GpuSample* sample = grid.series().latest(address);
            if (!sample || grid.series().isStale(address, grid.nowMs()))
                continue;
            ++crowd.fresh;
            const double use = recentMean(grid, address, Measure::Utilization).value_or(-1);
            crowd.lowestUse = use < 0 ? 0 : std::min(crowd.lowestUse, use);
            crowd.highestUse = use < 0 ? 100 : std::max(crowd.highestUse, use);
            if (const std::optional<double> watts = recentMean(grid, address, Measure::Power);
                watts && sample->powerCapWatts) {
                power += *watts;
                cap += *sample->powerCapWatts;
            }
            const double used = Bytes{sample->memoryUsedBytes.value_or(0)}.inGib();
            const double total = Bytes{sample->memoryTotalBytes.value_or(0)}.inGib();
            if (used > crowd.highestMemory) {
                crowd.highestMemory = used;
                crowd.memoryTotal = total;
                crowd.highestShare = total > 0 ? used / total : 0;
                crowd.fullest = address;
            }
        }
    }
    if (cap > 0)
        crowd.powerShare = power / cap;
    return crowd;
}

void addCrowd(const LiveFacts& facts, const Crowd& crowd, QList<LiveFinding>& findings)
{
    const GpuGridModel& grid = facts.grid;
    const QString word = grid.gpuWord();
    const bool judged = crowd.fresh == crowd.total && crowd.fresh > 0;
    if (judged && crowd.highestUse < idlePercent && crowd.highestShare > heldShare) {
        findings.append({Tone::Warn, Words::tr("All %1s are idle with memory held").arg(word),
            Words::tr("Less than %1 use in the last 10 s. The processes live but wait for something else: "
                      "CPU, disk, the data loader, or a checkpoint being written.")
                .arg(figureWithUnit(Measure::Utilization, idlePercent)),
            {}, {}});
    }
    if (judged && facts.standouts.isEmpty() && crowd.lowestUse > busyPercent && crowd.powerShare
        && *crowd.powerShare < waitingShare) {
        findings.append({Tone::Warn, Words::tr("Fully used, but hardly any power"),
            Words::tr("All %1s show over %2 use at %3 of their power limit. That is what waiting in a collective "
                      "looks like; for a few seconds it is normal (checkpoint, evaluation), for minutes it is not.")
                .arg(word, figureWithUnit(Measure::Utilization, busyPercent),
                    figureWithUnit(Measure::Utilization, *crowd.powerShare * 100)),
            {}, {}});
    }
    if (facts.standouts.isEmpty() && judged && findings.isEmpty()) {
        findings.append({Tone::Good, Words::tr("Nothing unusual"),
            Words::tr("All %1 tell fresh values, and none differs clearly from its peers.")
                .arg(counted(crowd.total, word, word + u's')),
            {}, {}});
    }
}

void addTimeLimit(const LiveFacts& facts, QList<LiveFinding>& findings)
{
    if (!facts.job.timeLimit || !facts.elapsed || !facts.progress.etaSeconds || facts.job.state != JobState::Running)
        return;
    const double left = double(facts.job.timeLimit->count - facts.elapsed->count);
    const double needed = *facts.progress.etaSeconds;
    if (needed <= left || left <= 0)
        return;
    findings.append({Tone::Warn, Words::tr("The time limit comes first"),
        Words::tr("The log says %1 more, the limit leaves %2. Make sure that a checkpoint is saved before.")
            .arg(humanDuration({qint64(needed)}), humanDuration({qint64(left)})),
        {}, {}});
}

void addNormal(const LiveFacts& facts, const Crowd& crowd, QList<LiveFinding>& findings)
{
    const GpuGridModel& grid = facts.grid;
    if (crowd.highestMemory > 0) {
        const QString limit = crowd.memoryTotal > 0
            ? Words::tr(" of %1").arg(figureWithUnit(Measure::Memory, crowd.memoryTotal))
            : QString();
        const QString figure = figureWithUnit(Measure::Memory, crowd.highestMemory);
        QString text = Words::tr("On the fullest, %1.").arg(gpuName(grid, crowd.fullest));
        if (crowd.highestShare > 0.9)
            text += u' ' + Words::tr("PyTorch keeps freed blocks for itself, so a high figure alone is no alarm.");
        findings.append({Tone::Quiet, Words::tr("Memory: %1%2").arg(figure, limit), text, crowd.fullest, {}});
    }
    if (grid.gpusPerPackage() > 1 && crowd.fresh > 0) {
        findings.append({Tone::Quiet, Words::tr("Power is told once per package: normal"),
            Words::tr("The tool tells it on the first die only; it belongs to both %1s.").arg(grid.gpuWord()), {}, {}});
    }
}

QList<LiveFinding> endedFindings(const LiveFacts& facts)
{
    qint64 newest = 0;
    for (int node = 0; node < facts.grid.rowCount(); ++node)
        newest = std::max(newest, newestArrival(facts.grid, node));
    const Tone tone = toneOf(facts.job.state);
    QList<LiveFinding> findings{
        {tone, Words::tr("The job has ended: %1").arg(toText(facts.job.state)), explainOutcome(facts.job), {}, {}}};
    if (newest > 0) {
        findings.append({Tone::Quiet, Words::tr("These are the last values"),
            Words::tr("The picture shows what the %1s told at %2.").arg(facts.grid.gpuWord(), clockText(newest)), {},
            {}});
    }
    return findings;
}

} // namespace

QList<LiveFinding> findingsOf(const LiveFacts& facts)
{
    if (hasEnded(facts.job.state))
        return endedFindings(facts);
    QList<LiveFinding> findings;
    if (isWaiting(facts.job.state)) {
        const QString reason = facts.job.reason.isEmpty() ? Words::tr("The cluster has told no reason yet.")
                                                          : explainPendingReason(facts.job.reason);
        findings.append({Tone::Quiet, Words::tr("The job waits in the queue"), reason, {}, {}});
        addTroubles(facts, findings);
        return findings;
    }
    addTroubles(facts, findings);
    addStandouts(facts, findings);
    addSilentNodes(facts, findings);
    addTimeLimit(facts, findings);
    const Crowd crowd = crowdOf(facts.grid);
    if (crowd.fresh == 0 && findings.isEmpty()) {
        findings.append({Tone::Busy, Words::tr("Waiting for the first values"),
            Words::tr("The sampler starts on the job's nodes; the first values come within a few seconds."), {}, {}});
    }
    addCrowd(facts, crowd, findings);
    addNormal(facts, crowd, findings);
    return findings;
}

} // namespace rankwright
