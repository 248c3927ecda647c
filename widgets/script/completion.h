// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/catalogue/clusterprofile.h"
#include "models/slurm/clusternames.h"
#include "models/slurm/jobrecord.h"

#include <optional>

namespace rankwright {

/// A name that the cluster knows, with what is said of it.
struct NamedValue {
    QString name;
    QString note; ///< one line; may be empty
    bool operator==(const NamedValue&) const = default;
};

/// Names that can be offered while a script is typed.
struct CompletionFacts {
    QList<NamedValue> partitions;
    QList<NamedValue> accounts;
    QList<NamedValue> gres; ///< as after --gres=: "gpu:mi250:8"
    QList<NamedValue> gpuCounts; ///< as after --gpus-per-node=: "8"
    QList<NamedValue> constraints;
    QList<NamedValue> reservations;
    QList<NamedValue> qos;
    QList<NamedValue> modules;
    QList<NamedValue> images; ///< container images
    bool operator==(const CompletionFacts&) const = default;
};

/// From what is published of a cluster, and from what the connected cluster itself told, which comes first and wins.
CompletionFacts completionFacts(
    const ClusterProfile& profile, const std::optional<ClusterFacts>& live, const std::optional<ClusterNames>& names);

struct CompletionItem {
    QString text; ///< what is put in
    QString note; ///< one line beside it
    bool goesOn = false; ///< a value follows: offer it at once
    bool operator==(const CompletionItem&) const = default;
};

/// What could stand at a place of a script: characters [from, to) of the line give way to the chosen item.
struct Completion {
    int from = 0;
    int to = 0;
    QList<CompletionItem> items; ///< those that fit what stands there already; best first
    bool isEmpty() const { return items.isEmpty(); }
    bool operator==(const Completion&) const = default;
};

/// Pure. Offers options and values of sbatch, srun, torchrun, accelerate launch and deepspeed, module names, and
/// variables that Slurm sets; nothing in comments. `line` from 0, `column` in UTF-16 characters. Unless `asked`, only
/// where a person is surely typing a name: behind a dash, an equals sign, "module load".
Completion completionAt(
    const QStringList& lines, int line, int column, const CompletionFacts& facts, bool asked = false);

/// The program whose options a line (0 based) holds, its continued lines included: "sbatch" on a directive, "srun",
/// "torchrun" ...; of several on one command the innermost before `column`. Empty: none.
QString programAt(const QStringList& lines, int line, int column);

} // namespace rankwright
