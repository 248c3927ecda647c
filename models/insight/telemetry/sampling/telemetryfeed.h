// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/remote/remotestream.h"
#include "models/insight/telemetry/gpusample.h"
#include "models/insight/telemetry/sampling/rankgatherer.h"
#include "models/insight/telemetry/sampling/samplingplan.h"
#include "models/insight/telemetry/staleness.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QHash>
#include <QTimer>

#include <optional>

namespace rankwright::inline insight {

/// Keeps one sampling command of a job alive and turns its lines into ticks. One ssh channel whatever the number of
/// nodes; sends heartbeats, so that the remote side ends by itself within 12 s when the window or the link is gone.
/// Restarts with back-off while the job runs; stop() or destruction ends it. Does not store (TelemetrySeries), does not
/// know the job's state (ClusterSession calls stop()). Lives on the GUI thread.
class TelemetryFeed final : public QObject {
    Q_OBJECT
public:
    struct Target {
        QString job;
        QStringList nodes;
        GpuVendor vendor = GpuVendor::Amd;
        bool oneStepForAllNodes = false; ///< LaunchDefaults::monitorAllNodesInOneStep
        int intervalMs = 1000;
        int ranksEveryMs = 3000;
        bool part = false; ///< the job has more nodes than these
        SamplingWay way = SamplingWay::Step;
        std::optional<double> slowLine = {}; ///< bytes per second, of a line that is slow: nodes are not to blame
        QList<SamplingWay> otherWays = {}; ///< tried in this order when Slurm lets no overlapping step in
    };

    /// How long to wait for what; changed by tests only.
    struct Patience {
        int nodeSilentMs = int(silentAfterMs(1000)); ///< a node without a line: reported
        int allSilentMs = 15000; ///< no line at all: started again
        int firstLineMs = 30000; ///< the same before the first line: a busy controller takes its time over a step
        int watchMs = 1000;
        RemoteStream::Pace pace = {};
    };

    TelemetryFeed(RemoteShell& shell, Target target, QObject* parent = nullptr);
    ~TelemetryFeed() override;

    void start();
    void stop();
    /// Between start() and stop(), also while waiting to be restarted; false when trying again cannot help.
    bool isRunning() const;
    void setPatience(const Patience& patience);
    /// What it has cost so far.
    struct Cost {
        qint64 bytes = 0; ///< received
        qint64 ticks = 0;
        int steps = 0; ///< Slurm steps started; each shows in sacct
        std::optional<double>
            cpuSeconds; ///< processor time on all nodes together, as they reported it; empty: not reported yet
        qint64 runningMs = 0; ///< since start()
        bool operator==(const Cost&) const = default;
        /// Of two feeds, one after the other.
        friend Cost operator+(const Cost& a, const Cost& b);
    };
    Cost cost() const;
    SamplingWay way() const { return m_target.way; }

signals:
    void tickArrived(const rankwright::NodeTick& tick);
    /// The ranks of the job on one node, every few seconds.
    void processesArrived(const rankwright::NodeProcesses& processes);
    /// A fault in words ("nid005002 has sent nothing for 12 s: ..."), for the page; empty: all is well again.
    void troubleChanged(const std::optional<rankwright::Error>& why);

private:
    /// What is known of one node since the last launch; times by m_clock, -1 never.
    struct NodeWatch {
        std::optional<qint64> lastLineMs;
        std::optional<qint64> lastTickMs;
        QString reason; ///< why it has no data, in its tool's words
    };
    RemoteCommand nextCommand();
    void readOutput(const QByteArray& bytes);
    void readLine(QByteArrayView line);
    void readErrors(const QByteArray& bytes);
    bool useNextWay();
    bool readOtherLine(QByteArrayView line, qint64 now);
    void handleEnd(const Result<CommandOutcome>& outcome);
    void waitForTurn(const Error& why);
    void checkSilence();
    std::optional<Error> silentNodes(qint64 now) const;

    Target m_target;
    RemoteStream m_stream;
    QByteArray m_pending;
    QByteArray m_errors;
    QTimer m_watch;
    QElapsedTimer m_clock;
    QHash<QString, NodeWatch> m_nodes;
    RankGatherer m_ranks;
    QHash<QString, double> m_cpuSeconds; ///< of this launch, by node
    std::optional<double> m_cpuBefore; ///< of the launches before
    Patience m_patience;
    std::optional<Error> m_turns; ///< why samples have gaps: the server has too few places
    QByteArray m_lastUnknown;
    qint64 m_startedMs = 0;
    qint64 m_launchedMs = 0;
    std::optional<qint64> m_lastLineMs;
    bool m_hadData = false;
    Cost m_cost;
};

/// The shell line that samples (see docs/telemetry.md): for tests and for "what runs on the cluster".
QString samplingCommand(const TelemetryFeed::Target& target);

/// What samples on one node: the script for `bash -c`, then its words $1, $2 ... ($1 vendor, $2 interval in ms). It
/// prints lines (docs/telemetry.md) while its stdin sends heartbeats and ends with everything it started at end of
/// file, also where its signals are ignored. Shared with the sampler inside the job (samplerscript).
QStringList nodeSampler(GpuVendor vendor, int intervalMs, int ranksEveryMs = 3000, const QString& job = {});

} // namespace rankwright::inline insight
