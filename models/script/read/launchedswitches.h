// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"
#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// What a script starts its training with: switches that an estimate relies on, read from the program's arguments and
/// from the trainer's file that the script writes.
struct LaunchedSwitches {
    QString trainer; ///< "Megatron-LM", "torchtitan"; empty: a program whose switches are unknown
    JobSpec spec; ///< values of the fields in `said`, nothing else
    QJsonObject model; ///< its figures, where the arguments have them (Megatron-LM), as a design names a model
    std::optional<qint64> layersPerChunk; ///< what says the number of chunks, with the model's layers
    int layersMissing = 0; ///< embedding and loss that count as a layer of the first and last stage
    QMap<FieldPath, QString> said; ///< field -> how it is said: the option, the key, or the one whose absence says it

    bool says(const FieldPath& field) const { return said.contains(field); }
};

/// In: a program with its arguments as a design's command, and texts of the files that the script writes. Absence
/// counts: Megatron-LM without --sequence-parallel says "no". Options as Megatron-LM d98e8a6, torchtitan v0.2,
/// DeepSpeed's configuration JSON and accelerate's file name them.
LaunchedSwitches switchesOf(const QString& command, const QStringList& files);

/// The same of a whole script.
LaunchedSwitches launchedSwitches(const BatchText& batch, const ClusterProfile& profile);

/// The design as its script launches it: size and everything else as planned, switches as said.
ResolvedSpec asLaunched(ResolvedSpec planned, const LaunchedSwitches& launched);

} // namespace rankwright::inline script
