// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// What one line of a training log says about progress.
struct ProgressHint {
    enum class Kind {
        Bar, ///< a progress bar: "42%|####  | 212/500 [01:16<01:43, 2.78it/s, loss=1.7]"
        Step, ///< a line with a step and a loss
        Epoch, ///< "Epoch 3/10", or a dictionary {'loss': 3.3, 'epoch': 0.01}: no step
        Totals, ///< "Total optimization steps = 1,218"
        Figures, ///< what is measured beside: no step
    };
    Kind kind = Kind::Step;
    QString framework;
    std::optional<double> epoch, epochs;
    std::optional<qint64> step, steps;
    std::optional<double> loss;
    std::optional<double> rate;
    QString rateUnit;
    std::optional<double> etaSeconds;
    std::optional<qint64> microBatch, globalBatch; ///< samples of one GPU and pass, of a step
    std::optional<double> reward, kl; ///< of reinforcement learning: mean reward, divergence from the reference
    std::optional<double> evalLoss; ///< of the validation
    std::optional<double> tokensPerSecond, samplesPerSecond; ///< as printed: of all or of one GPU
    bool isRow = false; ///< of a table: a bar beside it may be newer
    bool isOfRun = false; ///< step and steps count all epochs, though the line names one
    bool nameless = false; ///< the counter is without a word ("[ 250/1563]", "235/469"): it counts within an epoch
    bool operator==(const ProgressHint&) const = default;
};

/// Reads a line without control characters. General patterns, not one per framework: what several of them print alike.
/// Evaluation does not count as progress. A line may report twice: a dictionary glued behind a bar.
QList<ProgressHint> progressHints(const QString& line);

/// Could these bytes report something? One pass, no text made of them; false is certain.
bool mayReportProgress(QByteArrayView raw);
bool mayReportError(QByteArrayView raw);

/// Rank that a line names: "[rank 3/8] ...", "[rank3]: ...", or a launcher's label: srun's "3: ...", Open MPI's
/// "[1,3]<stdout>:".
std::optional<int> rankOf(const QString& line);
/// The line without a launcher's label.
QString withoutTaskLabel(const QString& line);
/// That label's first word ("3" of "3: step 1"); empty: none.
QString taskLabelOf(const QString& line);
bool looksLikeError(const QString& line);

} // namespace rankwright::inline insight
