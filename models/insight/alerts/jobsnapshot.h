// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/alert.h"
#include "models/insight/alerts/fleetcurve.h"
#include "models/insight/alerts/ranktracker.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/progress/steppace.h"

#include <vector>

namespace rankwright::inline insight {

/// All that is kept of one node's GPUs.
struct NodeTrack {
    QString name;
    std::vector<GpuWindow> gpus; ///< by index
    qint64 firstMs = 0, lastMs = 0; ///< of its ticks, caller's clock; 0 none
    std::optional<double> intervalMs = {}; ///< usual time between two ticks; empty: not known
    qint64 offsetMs = 0; ///< its clock minus the caller's
    bool hasOffset = false;
};

enum class JobEnding { None, Completed, Otherwise };

/// When a failure's line was found, and how many steps had been reported then.
struct SuspectedFailure {
    qint64 atMs = 0;
    int updates = 0;
};

/// One job at one moment, as its rules see it: each GPU's last seconds, the ranks, the pace. A view on what AlertWatch
/// keeps; lives as long as one round of rules.
class JobSnapshot {
public:
    struct Gpu {
        GpuAddress at;
        const GpuWindow* track = nullptr;
        bool fresh = false;
        float use = notReported; ///< %, mean of the window
        float power = notReported; ///< W of its package
        float share = notReported; ///< power / cap of its package, 0..1
    };
    /// What has one power reading: a GPU, or a package of several dies.
    struct Package {
        GpuAddress first;
        int dies = 1;
        float use = notReported; ///< mean of its dies
        float power = notReported;
        float cap = notReported;
        bool fresh = true; ///< all its dies are
        bool worked = false; ///< one of its dies has
    };
    struct Parts {
        const JobExpectation& expectation;
        const std::vector<QList<int>>& wantedCpus; ///< of each rank of the placement; empty: no binding asked for
        const std::vector<NodeTrack>& nodes;
        const RankTracker& ranks;
        const StepPace& pace;
        const FleetCurve& fleet;
        const QList<Diagnosis>& diagnoses;
        qint64 nowMs = 0;
        qint64 startedMs = 0; ///< caller's clock; when the job, or else the watching, began
        qint64 watchedMs = 0; ///< when the first sample came; 0 none
        const QHash<QString, SuspectedFailure>& suspected; ///< by rule: since when the output has its line
        JobEnding ending = JobEnding::None;
        qint64 resumedMs = 0; ///< when samples came again after none of any node; 0: they always came
    };
    explicit JobSnapshot(const Parts& parts);

    const JobExpectation& expectation() const { return m_parts.expectation; }
    const std::vector<QList<int>>& wantedCpus() const { return m_parts.wantedCpus; }
    const std::vector<NodeTrack>& nodes() const { return m_parts.nodes; }
    const RankTracker& ranks() const { return m_parts.ranks; }
    const StepPace& pace() const { return m_parts.pace; }
    const FleetCurve& fleet() const { return m_parts.fleet; }
    const QList<Diagnosis>& diagnoses() const { return m_parts.diagnoses; }
    qint64 nowMs() const { return m_parts.nowMs; }
    qint64 startedMs() const { return m_parts.startedMs; }
    qint64 watchedMs() const { return m_parts.watchedMs; }
    /// After a link that hung the nodes come one after the other: whoever has not come yet is not silent.
    qint64 resumedMs() const { return m_parts.resumedMs; }
    JobEnding ending() const { return m_parts.ending; }
    /// A dead process, Slurm or the job's end agrees: the failure stands. A job that completed had none.
    bool stands(const Diagnosis& failure) const;
    /// The job goes on since the line came: steps, or minutes without any other sign.
    bool isRefuted(const Diagnosis& failure) const;

    const std::vector<Gpu>& gpus() const { return m_gpus; }
    const std::vector<Package>& packages() const { return m_packages; }
    int freshGpus() const { return m_fresh; }
    bool isNodeFresh(int row) const;
    /// Milliseconds without a report after which a node is silent (staleness.h).
    qint64 silentAfterMs() const;
    bool allNodesFresh() const;
    qint64 windowMs() const { return m_windowMs; } ///< 8 s, or four intervals
    /// When the first and the last of the GPUs that work began to; 0: none did.
    qint64 workBeganMs() const { return m_workBegan; }
    qint64 workCompleteMs() const { return m_workComplete; }
    int workedGpus() const { return m_worked; }
    /// Full use at low power: only waits. Empty: power or cap not reported.
    static std::optional<bool> waits(const Gpu& gpu);

    /// Word for one and for several: "GCD", "GCDs".
    QString gpuWord() const { return m_parts.expectation.gpuWord; }
    QString gpuWord(qsizetype count) const;
    QString nodeName(int row) const;
    std::optional<int> rankAt(GpuAddress at) const;
    std::optional<GpuAddress> gpuOf(int rank) const;
    /// "rank 5" or, where ranks are not known, "GCD 5 of nid005001".
    QString who(GpuAddress at) const;
    /// "GCD 5 of nid005001", "rank 5 (GCD 5 of nid005001)".
    QString whoAndWhere(GpuAddress at) const;
    std::optional<int> worldSize() const; ///< as the processes say, else as designed; empty: not known

private:
    void addNode(int row);
    void addPackages(int row, size_t from);

    Parts m_parts;
    std::vector<Gpu> m_gpus;
    std::vector<Package> m_packages;
    std::vector<int> m_rankAt; ///< by node and GPU: rank + 1, 0 none
    qint64 m_windowMs = 8000;
    qint64 m_workBegan = 0, m_workComplete = 0;
    int m_fresh = 0;
    int m_worked = 0;
    int m_columns = 1;
};

QString wattText(double watts);
QString durationText(qint64 ms); ///< "12 s", "3 min"
/// "nid005001, nid005002", of more than four folded as Slurm does.
QString namesText(const QStringList& names);
/// "0, 1, 5-7".
QString numbersText(const QList<int>& numbers);

} // namespace rankwright::inline insight
