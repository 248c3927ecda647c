// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// Fills launches: every command that starts tasks, layer by layer, with variables replaced where their value is
/// certain. Directives, shell text and variables must have been read.
void readLaunches(BatchText& batch);

/// Every command of the batch shell, those within $( ) included, that takes the image of a container or of a user
/// environment, also one whose program is not known: the body of a function ("singularity exec $SIF \"$@\""), an image
/// that is its own program.
QList<Launch> imageTakers(const BatchText& batch);

/// Commands within $( ) that start tasks or a program of Python: OUT=$(srun python train.py).
QList<Launch> launchesInSubstitutions(const BatchText& batch);

/// One command, layer by layer, also where it starts neither tasks nor a training.
Launch readLaunch(const BatchText& batch, int command);

/// Why the program of readLaunch() need not be what runs: a sentence; empty: no shell within the command chooses it.
QString doubtOfProgram(const BatchText& batch, int command);

/// Where among the words of `uenv run`, which begins at `at`, its image stands; words.size(): nowhere.
qsizetype uenvImage(const QList<ShellWord>& words, qsizetype at);

/// "COMMAND || true": the job goes on whatever becomes of it.
bool isAllowedToFail(const BatchText& batch, int command);

constexpr int likenessOfService = 1; ///< that of a service which the training needs: ray start in a step
constexpr int likenessOfStep = 2; ///< that of another program in a step
/// How much a launch looks like the training of the job: 5 for an agent, 4 for Python in a step, 3 for Python in the
/// batch shell, 2 for another program in a step or one behind which “|| true” stands, 1 for a service, 0 for a helper
/// (hostname, mkdir ...).
int trainingLikeness(const BatchText& batch, const Launch& launch);

} // namespace rankwright::inline script
