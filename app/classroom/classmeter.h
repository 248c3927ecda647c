// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/rankbinding.h"
#include "models/insight/progress/trainingprogress.h"
#include "models/insight/telemetry/gpusample.h"
#include "models/teaching/classroom/classcheck.h"

namespace rankwright {

/// Collects of one watched job what a class checks: how busy its GPUs were, where its ranks ran, how fast it was,
/// whether its loss fell, and whether it went on from a checkpoint. Value without signals; one entry per GPU.
class ClassMeter {
public:
    /// `gpuWord`: what the site calls one, "GCD".
    explicit ClassMeter(QString gpuWord = QStringLiteral("GPU")) : m_gpuWord(std::move(gpuWord)) { }

    /// Samples before the first in which any GPU worked are the start of the program, and say nothing.
    void addTick(const NodeTick& tick);
    void addProgress(const TrainingProgress& progress);
    void setBinding(const RankBinding& binding);
    /// The curve as far as it is known, by steps; the reader leaves out points of long ones, the first of them too.
    void setLosses(const QList<LossPoint>& losses);
    /// A line of the job's output.
    void addLine(const QString& line);
    /// Writes what is known; what is not stays as it was.
    void fill(RunFacts& facts) const;

private:
    struct Use {
        double sum = 0;
        int samples = 0;
    };
    QString m_gpuWord;
    QMap<std::pair<QString, int>, Use> m_use; ///< by node and GPU
    bool m_began = false;
    std::optional<int> m_ranks, m_bound;
    std::optional<double> m_stepSeconds, m_samplesPerSecond;
    std::optional<bool> m_resumed;
    std::optional<LossPoint> m_firstLoss, m_lastLoss;
    bool m_lossIsLost = false; ///< NaN
};

/// Whether a line of output says where the training began: true, from a checkpoint; false, at its beginning; empty: it
/// says nothing of that.
std::optional<bool> resumedBy(const QString& line);

} // namespace rankwright
