// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright {

/// The newest state that a training log tells; empty = not in the log.
struct TrainingProgress {
    QString framework; ///< "tqdm", "rankwright", ...
    std::optional<double> epoch, epochs;
    std::optional<qint64> step, steps;
    std::optional<double> loss;
    std::optional<double> rate;
    QString rateUnit; ///< "it/s", "s/it", "samples/s"
    std::optional<double> etaSeconds;
    bool stepWithinEpoch = false; ///< step and steps start anew with every epoch
    bool operator==(const TrainingProgress&) const = default;
    /// 0..1, or empty.
    std::optional<double> fraction() const;
};

struct ProgressHint; // progresspatterns.h

struct LossPoint {
    double step = 0;
    double loss = 0;
    bool operator==(const LossPoint&) const = default;
};

/// One line for people: progress bars folded to their last state, escape sequences made safe, rank found if told.
struct LogLine {
    QString text;
    std::optional<int> rank;
    bool isError = false;
    bool isProgress = false; ///< replaces the progress line before it
    bool operator==(const LogLine&) const = default;
};

/// Reads a job's output as it arrives, in pieces cut anywhere: lines, progress, loss curve. Constant memory but for
/// the loss curve, which is thinned beyond 4096 points. Value type without I/O.
class TrainingLogReader {
public:
    /// Returns the lines completed (or bars renewed) by these bytes.
    QList<LogLine> feed(const QByteArray& bytes);
    /// The output has ended: a Keras bar that stands open is read, its last field left out (it may be cut). Any other
    /// line without an end is no new point.
    void finish();
    const TrainingProgress& progress() const { return m_progress; }
    const QList<LossPoint>& losses() const { return m_losses; }
    qint64 bytesRead() const { return m_bytesRead; }
    void reset();

private:
    LogLine read(const QByteArray& raw, bool overwritten);
    void take(const QList<ProgressHint>& hints);
    void takeBar(const ProgressHint& bar);
    void takeStep(const ProgressHint& hint);
    void keepLoss(double step, double loss);

    QByteArray m_pending;
    QByteArray m_shown; ///< the bar without line end that was told last
    qint64 m_globalSteps = 0; ///< of the whole training, from "step 30/600" lines
    qint64 m_stepsPerEpoch = 0; ///< from bars that name their epoch
    bool m_sawBar = false;
    TrainingProgress m_progress;
    QList<LossPoint> m_losses;
    qint64 m_bytesRead = 0;
};

} // namespace rankwright
