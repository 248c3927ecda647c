// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/measuredruns.h"
#include "app/watch/runmeter.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/planner/estimate/calibration.h"

#include <QObject>
#include <QPointer>

namespace rankwright::inline planner {
struct JobSpec;
} // namespace rankwright::inline planner

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

class JobWatch;
class Settings;

/// Puts measurement beside prediction: meters the job that is watched, and when it has ended well, writes what it took
/// and what had been expected of its design; later estimates follow. Owns nothing of the watch. Lives on the GUI
/// thread.
class LearningController final : public QObject {
    Q_OBJECT
public:
    LearningController(Design& design, Database& database, Settings& settings, QObject* parent = nullptr);

    /// Meters this job from now on; null: none.
    void follow(JobWatch* watch, const QString& cluster);
    /// Forgets all measured runs.
    void clear();
    /// Takes the forgetting back, as long as the program runs.
    void putBack();
    /// Whether estimates are corrected by them; kept over restarts, for the command line too.
    void use(bool on);

signals:
    /// A run was learned from: what was expected and what was measured.
    void runLearned(const rankwright::MeasuredRun& run);
    /// A run that cannot be what its design says: why. It was not learned from.
    void runRefused(const rankwright::MeasuredRun& run, const QString& why);
    void learningFailed(const rankwright::Error& why);
    void runsForgotten(int runs); ///< number of runs that were forgotten: putBack() restores them

private:
    void finish(const JobRecord& record);
    void reload();

    Design& m_design;
    MeasuredRuns m_runs;
    Settings& m_settings;
    RunMeter m_meter;
    bool m_isKnown = false; ///< Slurm has said something of the job since it is followed
    bool m_wasSeen = true; ///< it had not ended by then
    QPointer<JobWatch> m_watch;
    QString m_cluster;
    QList<MeasuredRun> m_cleared; ///< oldest first
};

/// What had been expected of a design for this cluster, with the figures still to be measured; empty: nothing
/// could be estimated, the cluster is not in the catalogue, or its GPUs are stand-ins.
std::optional<MeasuredRun> predictedRun(const JobSpec& design, const ClusterProfile* profile);

} // namespace rankwright
