// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/alert.h"
#include "models/insight/alerts/jobphase.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/progress/trainingprogress.h"
#include "models/insight/telemetry/gpusample.h"
#include "models/insight/telemetry/ranksample.h"

#include <memory>

namespace rankwright::inline insight {

/// Watches one job's samples, ranks and progress, and reports what is wrong with it, since when, and what to do. Keeps
/// a bounded summary per GPU, so 8,192 GPUs at 1 Hz are cheap. Silent on healthy jobs: every rule waits until its
/// evidence has lasted. Times are the caller's: live and replay are the same. Value-like, no I/O, no signals.
class AlertWatch {
public:
    AlertWatch();
    ~AlertWatch();
    AlertWatch(AlertWatch&&) noexcept;
    AlertWatch& operator=(AlertWatch&&) noexcept;

    /// May be set again (Slurm names the nodes later); what was fed stays.
    void expect(const JobExpectation& expectation);
    void feed(const NodeTick& tick, qint64 nowMs);
    void feed(const NodeProcesses& processes, qint64 nowMs);
    void feed(const TrainingProgress& progress, qint64 nowMs);
    /// Failures found in the output: rules fall silent or speak of them ("the other ranks wait for it").
    void feed(const QList<Diagnosis>& diagnoses, qint64 nowMs);
    /// Some of them were found at that moment already: since then they are known.
    void noteFound(const QList<Diagnosis>& diagnoses, qint64 atMs);
    /// The job began to run; before this nothing is evaluated.
    void started(qint64 atMs);
    /// It ended: the alerts of that moment are frozen.
    void ended(qint64 atMs);
    /// It ended by completing: it has no failure but one of its training.
    void completed(qint64 atMs);
    /// Worst first; each kind at most once per group of GPUs.
    QList<Alert> alerts(qint64 nowMs) const;
    JobPhase phase() const; ///< when it was looked last

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace rankwright::inline insight
