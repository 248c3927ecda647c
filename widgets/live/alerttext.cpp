// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/alerttext.h"

#include "models/core/hostlist.h"
#include "models/core/quantitytext.h"
#include "models/insight/diagnosis/explain.h"
#include "widgets/base/translate.h"
#include "widgets/heatmap/gpureading.h"
#include "widgets/jobs/jobtext.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array hangingKinds{AlertKind::Hang, AlertKind::LostRank, AlertKind::SilentNode, AlertKind::Straggler,
    AlertKind::WaitingCollective, AlertKind::Stalled, AlertKind::FileWait};

AlertText note(Tone tone, const QString& title, const QString& text)
{
    AlertText finding;
    finding.tone = tone;
    finding.title = title;
    finding.text = text;
    return finding;
}

QString nodesText(const QStringList& nodes) { return nodes.size() > 4 ? foldHostlist(nodes) : nodes.join(u", "_s); }

QString gpuPlace(const GpuGrid& grid, GpuAddress address)
{
    return tr("%1 %2 of %3").arg(grid.gpuWord()).arg(address.gpu).arg(grid.series().nodes().value(address.node));
}

QString gpuName(const GpuGrid& grid, GpuAddress address)
{
    const std::optional<int> rank = rankOf(grid, address);
    return rank ? tr("rank %1").arg(*rank) : gpuPlace(grid, address);
}

void addTroubles(const AlertFacts& facts, QList<AlertText>& findings)
{
    for (const Error& why : facts.troubles) {
        AlertText finding = note(Tone::Warn, why.what, why.detail);
        finding.word = tr("Warning");
        finding.advice = why.remedy;
        findings.append(finding);
    }
}

/// What the picture shows at this moment.
struct Picture {
    int fresh = 0;
    int total = 0;
    int ranks = 0; ///< fresh GPUs on which a process of the job runs
    int ranksKnown = 0; ///< fresh GPUs of which it is known whether one does
    QStringList never; ///< nodes that have reported nothing
    double highestMemory = 0; ///< GiB
    double memoryTotal = 0;
    GpuAddress fullest;
    bool isVacant = false; ///< no process of the job is on the fullest
};

Picture pictureOf(const GpuGrid& grid)
{
    Picture picture;
    for (int node = 0; node < grid.nodeCount(); ++node) {
        if (freshnessOf(grid, node, GridState::Running) == Freshness::Never)
            picture.never.append(grid.series().nodes().value(node));
        for (int gpu = 0; gpu < grid.gpusPerNode(); ++gpu) {
            const GpuAddress address{node, gpu};
            ++picture.total;
            const GpuSample* sample = grid.series().latest(address);
            const GpuValue memory = valueOf(grid, address, Measure::Memory);
            if (!sample || freshnessOf(memory, GridState::Running) != Freshness::Fresh)
                continue;
            ++picture.fresh;
            const std::optional<double> processes = valueOf(grid, address, Measure::Processes).value;
            picture.ranksKnown += processes ? 1 : 0;
            picture.ranks += processes.value_or(0) > 0 ? 1 : 0;
            if (memory.value.value_or(0) <= picture.highestMemory)
                continue;
            picture.highestMemory = *memory.value;
            picture.memoryTotal = Bytes{sample->memoryTotalBytes.value_or(0)}.inGib();
            picture.fullest = address;
            picture.isVacant = processes == std::optional(0.0);
        }
    }
    return picture;
}

void addState(const AlertFacts& facts, const Picture& picture, QList<AlertText>& findings)
{
    if (picture.fresh == 0) {
        if (findings.isEmpty())
            findings.append(note(Tone::Busy, tr("Waiting for the first values"),
                tr("The sampler starts on the job's nodes; the first values come within a few seconds.")));
        return;
    }
    if (!picture.never.isEmpty()) {
        findings.append(note(Tone::Quiet, tr("Still waiting for %1").arg(counted(picture.never.size(), tr("node"))),
            tr("Nothing has arrived from %1 yet.").arg(nodesText(picture.never))));
    }
    if (!findings.isEmpty() || picture.fresh < picture.total)
        return;
    if (picture.ranksKnown > 0 && picture.ranks == 0) {
        findings.append(note(Tone::Busy, tr("No rank is on any %1").arg(facts.grid.gpuWord()),
            tr("All of them answer, but no process of the job holds memory on one: the program is still preparing, has not "
               "reached its GPUs yet, or has gone. The output says which.")));
        return;
    }
    const QString word = facts.grid.gpuWord();
    QString text = tr("All %1 report fresh values, and no rule finds anything unusual about them or their ranks.")
                       .arg(gpusText(picture.total, word));
    if (!facts.progress.step)
        text += u' ' + tr("The output reports no steps, so a pause is noticed later.");
    findings.append(note(Tone::Good, tr("Nothing unusual"), text));
}

void addMemory(const AlertFacts& facts, const Picture& picture, QList<AlertText>& findings)
{
    if (picture.highestMemory <= 0)
        return;
    const GpuGrid& grid = facts.grid;
    const QString limit
        = picture.memoryTotal > 0 ? tr(" of %1").arg(figureWithUnit(Measure::Memory, picture.memoryTotal)) : QString();
    QString text = picture.isVacant
        ? tr("On the fullest, %1; no process of this job holds it: drivers keep some for themselves.")
              .arg(gpuPlace(grid, picture.fullest))
        : tr("On the fullest, %1.").arg(gpuName(grid, picture.fullest));
    if (!picture.isVacant && picture.memoryTotal > 0 && picture.highestMemory > 0.9 * picture.memoryTotal)
        text += u' ' + tr("PyTorch keeps freed blocks for itself, so a high figure alone is not an alarm.");
    AlertText memory = note(
        Tone::Quiet, tr("Memory: %1%2").arg(figureWithUnit(Measure::Memory, picture.highestMemory), limit), text);
    memory.gpu = picture.fullest;
    findings.append(memory);
}

Tone toneOf(Alert::Level level)
{
    switch (level) {
    case Alert::Level::Failure: return Tone::Bad;
    case Alert::Level::Warning: return Tone::Warn;
    case Alert::Level::Hint: return Tone::Busy;
    case Alert::Level::Normal: break;
    }
    return Tone::Quiet;
}

QString wordOf(Alert::Level level)
{
    switch (level) {
    case Alert::Level::Failure: return tr("Failure");
    case Alert::Level::Warning: return tr("Warning");
    case Alert::Level::Hint: return tr("Hint");
    case Alert::Level::Normal: break;
    }
    return {};
}

/// What the ranks wrote at their start; where samples say the same of cores, once.
void addBinding(const AlertFacts& facts, QList<AlertText>& findings)
{
    if (!facts.binding || facts.binding->state() != RankBinding::State::Differs)
        return;
    const bool isReported = std::any_of(facts.alerts.begin(), facts.alerts.end(),
        [](const Alert& alert) { return alert.isOf(AlertKind::WrongBinding); });
    if (isReported)
        return;
    AlertText finding = note(
        Tone::Warn, tr("Ranks elsewhere: %1").arg(rankBindingTitle(*facts.binding)), rankBindingText(*facts.binding));
    finding.word = wordOf(Alert::Level::Warning);
    finding.meaning = tr("The plan puts each rank on the cores beside its %1. On others it reaches its device "
                         "through another part of the node, or shares cores with another rank.")
                          .arg(facts.grid.gpuWord());
    finding.advice = tr("Look for options that bind a second time: in the command, in the module or container, or "
                        "in Slurm's settings of this site.");
    findings.append(finding);
}

QList<AlertText> endedFindings(const AlertFacts& facts)
{
    qint64 newest = 0;
    for (int node = 0; node < facts.grid.nodeCount(); ++node)
        newest = std::max(newest, newestArrival(facts.grid, node));
    QList<AlertText> findings{note(
        toneOf(facts.job.state), tr("The job has ended: %1").arg(toText(facts.job.state)), explainOutcome(facts.job))};
    for (const Alert& alert : facts.alerts) {
        if (alert.level >= Alert::Level::Hint)
            findings.append(alertText(alert, facts.lines));
    }
    addBinding(facts, findings);
    if (newest > 0)
        findings.append(note(Tone::Quiet, tr("These are the last values"),
            tr("The picture shows what the %1s reported at %2.").arg(facts.grid.gpuWord(), clockText(newest))));
    return findings;
}

} // namespace

bool mayHang(const Alert& alert)
{
    return std::any_of(hangingKinds.begin(), hangingKinds.end(), [&alert](AlertKind kind) { return alert.isOf(kind); });
}

bool isOfOutput(const Alert& alert) { return alert.rule == AlertKind::OutputFailure; }

QString optionIn(const QString& advice)
{
    static const QRegularExpression option(uR"((?<![\w-])--[a-z][\w-]*=[^\s,;)]*[^\s,;).:])"_s);
    return option.match(advice).captured();
}

AlertText alertText(const Alert& alert, const QStringList& lines)
{
    AlertText finding = note(toneOf(alert.level), alert.title, alert.seen);
    const QString& seen = finding.text;
    const bool isSentence = seen.isEmpty() || u".!?”"_s.contains(seen.back()); // a line of an output may end anyhow
    if (alert.sinceMs && alert.level != Alert::Level::Normal)
        finding.text += (isSentence ? u" "_s : u". "_s) + tr("Since %1.").arg(clockText(*alert.sinceMs));
    finding.word = wordOf(alert.level);
    finding.meaning = alert.meaning;
    finding.advice = alert.advice;
    finding.field = alert.field;
    finding.source = alert.source;
    finding.option = optionIn(alert.advice);
    if (mayHang(alert))
        finding.inspectionObstacle = QString();
    if (isOfOutput(alert) && lines.contains(alert.kind))
        finding.failure = alert.kind;
    if (!alert.gpus.isEmpty()) {
        finding.gpu = alert.gpus.first();
        finding.gpuAction = alert.rank ? tr("Show rank %1 and its output").arg(*alert.rank)
            : alert.gpus.size() == 1   ? tr("Show it")
                                       : tr("Show the first of them");
    }
    return finding;
}

QList<AlertText> alertTexts(const AlertFacts& facts)
{
    if (hasEnded(facts.job.state))
        return endedFindings(facts);
    QList<AlertText> findings;
    if (isWaiting(facts.job.state)) {
        const QString reason = facts.job.reason.isEmpty() ? tr("The cluster has reported no reason yet.")
                                                          : explainPendingReason(facts.job.reason);
        findings.append(note(Tone::Quiet, tr("The job waits in the queue"), reason));
        addTroubles(facts, findings);
        return findings;
    }
    for (const Alert& alert : facts.alerts) {
        if (alert.level == Alert::Level::Failure)
            findings.append(alertText(alert, facts.lines));
    }
    addTroubles(facts, findings);
    QList<AlertText> normal;
    for (const Alert& alert : facts.alerts) {
        if (alert.level != Alert::Level::Failure)
            (alert.level == Alert::Level::Normal ? normal : findings).append(alertText(alert));
    }
    addBinding(facts, findings);
    const Picture picture = pictureOf(facts.grid);
    if (facts.asOfMs) {
        // The present state is not known: neither that all is well, nor that the first values come.
        findings.prepend(note(Tone::Warn, tr("Not known since %1").arg(clockText(*facts.asOfMs)),
            tr("The cluster does not answer, so what the job does now is not known: it may go on, or have "
               "ended. Everything here is from then.")));
        findings.first().word = tr("Warning");
        return findings + normal;
    }
    addState(facts, picture, findings);
    addMemory(facts, picture, findings);
    return findings + normal;
}

} // namespace rankwright
