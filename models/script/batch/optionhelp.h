// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace rankwright::inline script {

/// One long option of a program that batch scripts use, in plain words, after its manual page: sbatch(1), srun(1),
/// torchrun (PyTorch 2), accelerate launch, deepspeed.
struct OptionHelp {
    /// What is after the option, so that names of the cluster can be offered.
    enum class Value {
        None, ///< takes none
        Text,
        Number,
        Time, ///< Slurm's forms: minutes, HH:MM:SS, D-HH:MM:SS
        Memory, ///< number with K, M, G or T; MiB without
        Path,
        Partition,
        Account,
        Gres,
        Constraint,
        Reservation,
        Qos,
        Choice ///< mostly one of `choices`
    };
    QString name; ///< without dashes: "ntasks-per-node"
    QChar letter; ///< null when there is none
    Value value = Value::Text;
    bool optionalValue = false; ///< is also without a value
    QString help; ///< one line
    QStringList choices;
};

/// Options of "sbatch" (what an #SBATCH line may hold), "srun", "torchrun", "accelerate launch" or "deepspeed", in the
/// order of the alphabet; empty for other programs.
const QList<OptionHelp>& optionsOf(const QString& program);
/// The option that a word names: "--nodes", "--nodes=2", "-N", "-N2"; null when the program has none of that name.
const OptionHelp* helpOf(const QString& program, const QString& word);

} // namespace rankwright::inline script
