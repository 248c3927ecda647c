// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/gapfiller.h"

#include "models/cluster/remote/linetags.h"
#include "models/insight/telemetry/sampling/rankgatherer.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostNodesApart = 64;
constexpr qint64 mostNodeMs = qint64(64) * 3600 * 1000; // nodes x time checked one by one: some 60 ms of work
constexpr qint64 shortSpanMs = 3600 * 1000;
constexpr qint64 wideBucketMs = 20000; // whole buckets of a recording's levels
constexpr qsizetype longestLine = 65536;

/// Stretches of [span) without a sample of a node, as wide as a bucket at least.
QList<TimeSpan> silentSpans(const TelemetryHistory& history, int row, TimeSpan span, qint64 bucketMs)
{
    const qint64 width = span.length() > shortSpanMs ? qMax(bucketMs, wideBucketMs) : bucketMs;
    const int count = static_cast<int>(qMax<qint64>(1, span.length() / width));
    // What a tool does not say at all (power on the second die) says nothing about the node.
    for (const Measure measure : {Measure::Utilization, Measure::Memory, Measure::Power, Measure::Temperature}) {
        const QList<HistoryBucket> buckets = history.buckets({row, 0}, measure, span, count);
        const auto reported = [](const HistoryBucket& bucket) { return bucket.samples > 0; };
        if (!std::any_of(buckets.cbegin(), buckets.cend(), reported))
            continue;
        QList<TimeSpan> spans;
        for (const HistoryBucket& bucket : buckets) {
            if (reported(bucket))
                continue;
            if (!spans.isEmpty() && spans.last().toMs >= bucket.span.fromMs)
                spans.last().toMs = bucket.span.toMs;
            else
                spans.append(bucket.span);
        }
        return spans;
    }
    return {span};
}

bool holds(const QList<MissingSpan>& spans, const TimeSpan& part)
{
    return std::any_of(spans.cbegin(), spans.cend(), [&](const MissingSpan& missing) {
        return missing.node.isEmpty() && missing.span.fromMs <= part.fromMs && missing.span.toMs >= part.toMs;
    });
}

} // namespace

QList<MissingSpan> missingSpans(const TelemetryHistory& history, TimeSpan job, qint64 longerThanMs)
{
    QList<MissingSpan> missing;
    const auto add = [&](const QString& node, TimeSpan span) {
        span = {qMax(span.fromMs, job.fromMs), qMin(span.toMs, job.toMs)};
        if (span.length() > longerThanMs)
            missing.append({node, span});
    };
    const TimeSpan seen = history.span();
    if (seen.length() == 0) {
        add({}, job);
        return missing;
    }
    add({}, {job.fromMs, seen.fromMs});
    for (const TimeSpan& gap : history.gaps(longerThanMs))
        add({}, gap);
    add({}, {seen.toMs, job.toMs});
    const QStringList nodes = history.nodes();
    if (nodes.size() < 2 || nodes.size() > mostNodesApart)
        return missing;
    const TimeSpan both{qMax(job.fromMs, seen.fromMs), qMin(job.toMs, seen.toMs)};
    if (both.length() > mostNodeMs / nodes.size())
        return missing;
    for (qsizetype row = 0; row < nodes.size() && both.length() > longerThanMs; ++row) {
        for (const TimeSpan& span : silentSpans(history, static_cast<int>(row), both, longerThanMs)) {
            if (!holds(missing, span))
                missing.append({nodes.at(row), span});
        }
    }
    return missing;
}

GapFiller::GapFiller(RemoteShell& shell, QObject* parent) : QObject(parent), m_shell(shell) { }

GapFiller::~GapFiller() = default;

bool GapFiller::fill(const QString& workdir, const QString& job, const QList<MissingSpan>& missing)
{
    if (isRunning() || missing.isEmpty() || job.isEmpty())
        return false;
    m_decoder = {};
    m_gatherer.clear();
    m_pending.clear();
    m_summary = {};
    m_summary.spans = static_cast<int>(missing.size());
    m_complete = false;
    m_process = m_shell.start(fetchRecordCommand(workdir, job, missing, m_limit));
    connect(m_process.get(), &RemoteProcess::outputArrived, this, &GapFiller::handleOutput);
    connect(m_process.get(), &RemoteProcess::finished, this, &GapFiller::end);
    return true;
}

void GapFiller::cancel()
{
    if (!isRunning())
        return;
    m_process->disconnect(this);
    m_process.release()->deleteLater(); // its end closes the channel; may be inside one of its signals
    report(fail(Fault::Cancelled, u"Filling the gaps was stopped; what has arrived is kept."_s));
}

void GapFiller::handleOutput(const QByteArray& bytes)
{
    m_summary.bytes += bytes.size();
    m_pending += bytes;
    const qsizetype end = m_pending.lastIndexOf('\n') + 1;
    const QByteArray whole = m_pending.left(end);
    m_pending.remove(0, end);
    if (m_pending.size() > longestLine)
        m_pending.clear();
    qsizetype from = 0;
    for (qsizetype at = 0; at < whole.size();) {
        const qsizetype next = whole.indexOf('\n', at) + 1;
        const QByteArray line = whole.mid(at, next - at - 1);
        if (readOwnLine(line)) {
            forwardLines(whole.mid(from, at - from));
            from = next;
        }
        at = next;
    }
    forwardLines(whole.mid(from));
    emit progressed(m_summary.bytes, m_summary.ticks);
}

/// What the command adds to the lines of the records.
bool GapFiller::readOwnLine(const QByteArray& line)
{
    if (linetags::begins(line, linetags::reach)) {
        const qint64 reach = line.mid(line.lastIndexOf(' ') + 1).toLongLong();
        if (reach > 0)
            m_summary.reachMs = m_summary.reachMs == 0 ? reach : qMin(m_summary.reachMs, reach);
        return true;
    }
    if (!linetags::begins(line, linetags::end))
        return false;
    m_complete = true;
    m_summary.noRecord = line.endsWith(" none");
    m_summary.limited = line.endsWith(" limit");
    return true;
}

void GapFiller::forwardLines(const QByteArray& lines)
{
    if (lines.isEmpty())
        return;
    const SamplerContent content = samplerContent(m_decoder.feed(lines), m_gatherer);
    if (m_decoder.intervalMs())
        m_summary.intervalMs = m_decoder.intervalMs();
    m_summary.ticks += content.ticks.size();
    if (!content.ticks.isEmpty())
        emit ticksFilled(content.ticks);
    if (!content.processes.isEmpty())
        emit processesFilled(content.processes);
}

void GapFiller::end(const Result<CommandOutcome>& outcome)
{
    m_process.release()->deleteLater(); // inside its signal
    if (!outcome)
        return report(fail(outcome.error()));
    if (!m_complete)
        return report(fail(Fault::Unreadable, u"The job's own GPU record could not be read to its end."_s,
            QString::fromUtf8(outcome->errorOutput.right(300)).simplified(),
            u"What has arrived is kept; the rest is tried again later."_s));
    report(m_summary);
}

void GapFiller::report(const Result<GapSummary>& outcome) { emit finished(outcome); }

} // namespace rankwright
