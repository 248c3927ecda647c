// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/slurmoptions.h"

#include <QStringList>

namespace rankwright::inline script::lint {

/// Letters to change, add, leave out or swap until `a` is `b`; stops counting beyond `limit` and returns limit + 1.
int wordDistance(const QString& a, const QString& b, int limit = 3);

/// The word of the list that a mistyped one was meant to be: at most one change in short words, two in longer ones.
/// Empty: none is near, or two are equally near.
QString nearestWord(const QString& typed, const QStringList& words);

/// The option of sbatch or srun that a wrong name was meant to be, also names of other batch systems ("walltime").
/// Empty: none.
QString nearestOption(const QString& typed, SlurmOption::Of command = SlurmOption::Of::Sbatch);

/// Variables that Slurm sets in the batch shell or in tasks (sbatch(1), srun(1): OUTPUT ENVIRONMENT VARIABLES), and
/// those that srun and sbatch read.
const QStringList& slurmVariables();

/// Variables that programs read from their environment: PyTorch, NCCL, MIOpen, Hugging Face and their kin.
const QStringList& readNames();

} // namespace rankwright::inline script::lint
