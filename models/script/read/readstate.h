// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/scriptreader.h"

#include <QSet>

namespace rankwright::inline script {

/// What the readers of the parts of a script share (trainingreader, resourcereader, stepreader, environmentreader);
/// each fills its fields of reading.spec.
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
    /// Its text when no shell is needed to determine it.
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

} // namespace rankwright::inline script
