// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"
#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// The cluster that a script was written for.
struct ScriptCluster {
    QString name; ///< in the catalogue
    QString why; ///< what in the script says so, as a part of a sentence; empty: nothing does
};

/// "a100" of --gres=gpu:a100:4 or --gpus-per-node=a100:4; empty when no type is named.
QString gpuTypeOf(const BatchText& batch);

/// By --clusters, by our own second line, or by the queue, account and GPU type that the script asks for: when these
/// fit `preferred`, or nothing decides, that one is meant.
ScriptCluster clusterOf(const BatchText& batch, const Catalogue& catalogue, const QString& preferred);

} // namespace rankwright::inline script
