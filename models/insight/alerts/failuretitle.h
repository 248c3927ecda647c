// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/diagnosis.h"

namespace rankwright::inline insight {

enum class OutputState { Growing, Whole }; ///< whether more of a job's output may still come

/// A failure's title, as alerts, the report and lists of jobs say it: who failed, as far as the output says, and of
/// what ("Rank 3: GPU out of memory").
QString failureTitle(const Diagnosis& diagnosis, OutputState output);
/// Slurm ended the whole job: the node that its line names is only where the job's script ran.
bool isOfWholeJob(const QString& kind);
/// A collective timed out: whoever prints it waited in vain for another rank.
bool isVainWait(const QString& kind);
/// What a class of failure is called in it (docs/diagnosis.md): "GPU out of memory".
QString failureWords(const QString& kind);

} // namespace rankwright::inline insight
