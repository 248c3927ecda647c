// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/recording/samplerrecords.h"
#include "models/cluster/remote/remoteshell.h"
#include "models/insight/telemetry/history/telemetryhistory.h"
#include "models/insight/telemetry/sampling/rankgatherer.h"
#include "models/insight/telemetry/sampling/samplerfiledecoder.h"

namespace rankwright {

/// What a history lacks of a job that ran within `job`: stretches longer than `longerThanMs` in which no node reported
/// anything, also before its first and behind its last sample, and for at most 64 nodes and 64 node hours those in
/// which a single node reported nothing (in more than an hour: 20 s at least). Neighbours are one stretch.
QList<MissingSpan> missingSpans(const TelemetryHistory& history, TimeSpan job, qint64 longerThanMs);

/// What one round of filling found.
struct GapSummary {
    int spans = 0; ///< that were asked for
    qint64 ticks = 0;
    qint64 bytes = 0;
    qint64 reachMs = 0; ///< up to when the records of all nodes go; 0: none read
    std::optional<int> intervalMs; ///< at which the job records; empty: not known
    bool noRecord = false; ///< the job wrote none
    bool limited = false; ///< more is there than one round may bring
    bool operator==(const GapSummary&) const = default;
};

/// Brings what a recording lacks of a job from the record that the job wrote by itself: one command on one channel, at
/// most `mostBytes` a round. Hands ticks on as they come; whoever keeps them puts them into their place in time and
/// knows which it has already. Decides neither when to ask nor what is missing. Destroying it ends the command.
class GapFiller final : public QObject {
    Q_OBJECT
public:
    static constexpr qint64 mostBytes = qint64(32) * 1024 * 1024;

    explicit GapFiller(RemoteShell& shell, QObject* parent = nullptr);
    ~GapFiller() override;

    /// False when a round is under way or nothing is missing. `workdir` is the job's working directory.
    bool fill(const QString& workdir, const QString& job, const QList<MissingSpan>& missing);
    /// What came stays; finished() reports Fault::Cancelled.
    void cancel();
    bool isRunning() const { return m_process != nullptr; }
    void setLimit(qint64 bytes) { m_limit = bytes; } ///< for tests

signals:
    void ticksFilled(const QList<rankwright::NodeTick>& ticks); ///< of one node, in order of time
    void processesFilled(const QList<rankwright::NodeProcesses>& processes);
    void progressed(qint64 bytes, qint64 ticks);
    void finished(const rankwright::Result<rankwright::GapSummary>& outcome); ///< once for each fill(), last

private:
    void handleOutput(const QByteArray& bytes);
    bool readOwnLine(const QByteArray& line);
    void forwardLines(const QByteArray& lines);
    void end(const Result<CommandOutcome>& outcome);
    void report(const Result<GapSummary>& outcome);

    RemoteShell& m_shell;
    std::unique_ptr<RemoteProcess> m_process;
    SamplerFileDecoder m_decoder;
    RankGatherer m_gatherer;
    QByteArray m_pending;
    GapSummary m_summary;
    bool m_complete = false;
    qint64 m_limit = mostBytes;
};

} // namespace rankwright
