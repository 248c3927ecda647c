// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/planning/designestimate.h"

#include <QString>

namespace rankwright::inline planner {

/// What the planner says to people, as pure functions of an estimate. Unknown is said to be
/// unknown; a range is given where a person decides.
class EstimateText {
public:
    /// "412 ms", "28.9 s", "3 min 20 s".
    static QString time(double seconds);
    /// "39–45": rounded so that both ends can be distinguished.
    static QString range(double low, double high);
    /// The likely range of a step in the unit in which time() gives the step: "39–45", "2 min 33 s–4 min 53 s".
    static QString timeBand(const StepEstimate& step);
    static QString timeBandWithUnit(const StepEstimate& step); ///< "39–45 s"
    /// "4 530".
    static QString rate(double perSecond);
    /// "8.03 billion".
    static QString parameters(double count);
    /// "tokens", or "images" where a sample has no tokens.
    static QString sampleWord(const Workload& workload);

    /// "Fits", "Probably fits", "Borderline", "Does not fit".
    static QString verdict(FitVerdict verdict);
    /// What the word means for this design, or why it cannot be estimated: one or two sentences.
    static QString verdictSummary(const Result<DesignEstimate>& estimate);
    /// "41.3 GiB, likely 39–45, of 63.9 usable"
    static QString memoryCaption(const DesignEstimate& estimate);
    /// "28.9 s, likely 27–31"
    static QString stepCaption(const DesignEstimate& estimate);
    /// "Like Llama 2 7B on 16 MI250X …: memory 1.9 % off, step 2.3 % off."; empty: no published run is of this kind.
    static QString nearest(const DesignEstimate& estimate);
    /// "corrected by 2 runs, −6 %"; empty: published figures alone.
    static QString correction(const Correction& correction);
    /// Tokens/s per GPU, TFLOP/s and MFU in one line.
    static QString speedLine(const DesignEstimate& estimate, const QString& gpuWord);

    /// What a part of the memory or of the step is, how it is counted here, and what makes it smaller.
    static QString weightsReason(const PlannedRun& run);
    static QString gradientsReason(const PlannedRun& run);
    static QString optimizerReason(const PlannedRun& run);
    static QString activationsReason(const PlannedRun& run);
    static QString temporaryReason(const PlannedRun& run);
    static QString overheadReason(const PlannedRun& run);
    static QString computeReason(const DesignEstimate& estimate);
    static QString communicationReason(const PlannedRun& run);
    static QString bubbleReason(const PlannedRun& run);
    static QString otherReason();

    static QString recompute(Recompute recompute); ///< "none", "attention", "full"
    static QString offload(Offload offload); ///< empty: none
    /// "16 × 4 × 2", with context where there is any.
    static QString degrees(const Layout& layout);
    /// "16 data × 4 tensor × 2 pipeline": degrees above 1 by name.
    static QString degreesInWords(const Layout& layout); ///< "8 data × 2 tensor, experts over 8"
};

} // namespace rankwright::inline planner
