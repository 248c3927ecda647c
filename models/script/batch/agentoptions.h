// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// Programs that are between srun and the training program, and which of their options take a value.
struct StarterGrammar {
    LaunchLayer::Kind kind = LaunchLayer::Kind::Agent;
    QStringList flags; ///< options without a value, with dashes for underscores
    QStringList valued; ///< options with a value; used when othersTakeValues is false
    bool othersTakeValues = true; ///< of options that are in neither list
};

/// torchrun and torch.distributed.run, accelerate launch, deepspeed, horovodrun, mpirun, singularity, env ...; by the
/// layer's name. Sources: the programs' own --help.
StarterGrammar starterGrammar(const QString& name);

/// Options from `at` on, up to the first word that is none; `at` is moved after them.
QList<BatchOption> readStarterOptions(const QList<ShellWord>& words, qsizetype& at, const StarterGrammar& grammar);

} // namespace rankwright::inline script
