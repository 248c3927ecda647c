// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/scriptreader.h"

#include <QSet>

namespace rankwright {

/// What the parts of readScript() share. Only for scriptreader.cpp, resourcereader.cpp, trainingreader.cpp,
/// stepreader.cpp and environmentreader.cpp.
struct ReadState {
    const BatchText& batch;
    const ClusterProfile& profile;
    ScriptReading reading;
    const Launch* launch = nullptr; ///< the one that trains; null: none found
    Launch ownLaunch; ///< a program of the batch shell, when nothing else starts one
    QSet<QString> usedOptions; ///< directives that became fields
    QSet<int> usedCommands; ///< commands that the generated script writes by itself
    QSet<QString> imageNames; ///< variables that hold the container's image
    bool startsRanks = false; ///< Slurm or MPI starts the ranks

    const LaunchLayer* layer(LaunchLayer::Kind kind) const { return launch != nullptr ? launch->layer(kind) : nullptr; }

    /// A value of srun or the directives, srun first: what holds for the step that trains.
    const BatchOption* stepOption(const QString& name) const
    {
        const LaunchLayer* srun = layer(LaunchLayer::Kind::Srun);
        const BatchOption* option = srun != nullptr ? srun->option(name) : nullptr;
        return option != nullptr ? option : batch.option(name);
    }
    /// Its text when no shell is needed to tell it.
    std::optional<QString> valueOf(const BatchOption& option) const
    {
        if (!option.word || option.word->isStatic())
            return option.value;
        return staticValue(batch, *option.word, option.line + 1);
    }
    std::optional<int> number(const BatchOption* option) const
    {
        if (option == nullptr)
            return std::nullopt;
        bool fine = false;
        const int value = valueOf(*option).value_or(QString()).trimmed().toInt(&fine);
        return fine && value > 0 ? std::optional(value) : std::nullopt;
    }
    std::optional<int> number(const QString& name) const
    {
        const auto step = number(stepOption(name));
        return step ? step : number(batch.option(name));
    }
    void understand(QLatin1StringView field, int line) { reading.understood.insert(field, line); }
    void miss(int line, const QString& text, const QString& why)
    {
        reading.notUnderstood.append({line, text.trimmed(), why});
    }
};

// In the order in which they are called; each fills its fields of reading.spec.
void findTrainingLaunch(ReadState& state);
void readDirectiveFields(ReadState& state); ///< job name, account, partition, time, options
void readSize(ReadState& state); ///< nodes, GPUs, cores, memory
void readTraining(ReadState& state); ///< launcher, strategy, degrees, command
void readStep(ReadState& state); ///< container, binding, other options of srun, what each task does
void readSurroundings(ReadState& state); ///< modules, variables, all other lines

} // namespace rankwright
