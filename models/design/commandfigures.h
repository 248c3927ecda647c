// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/design/jobspec.h"

namespace rankwright {

// Figures of a training that are in a program's own words: "--batch-size 32", "training.max_steps=90".

/// A figure that design and program both know.
enum class ProgramFigure { MicroBatch, Accumulation, GlobalBatch, Epochs, Steps, Precision };

/// One figure in a command, as typed.
struct CommandFigure {
    ProgramFigure figure = ProgramFigure::MicroBatch;
    QString option; ///< without its value: "--batch-size"
    QString value; ///< empty: a flag, such as --bf16
    bool anyBatch = false; ///< "--batch-size": of one rank for most programs, of all ranks for some
    qsizetype at = -1; ///< where the value begins in the command; -1: it has none

    std::optional<qint64> count() const; ///< the value as a whole number from 1
    std::optional<double> number() const; ///< the value as a number above 0
    bool operator==(const CommandFigure&) const = default;
};

/// All figures in the words of a command, in their order: "--name value", "--name=value", "name=value", dashes and
/// underscores alike. `named`: what the design calls its program's options.
QList<CommandFigure> commandFigures(const QString& command, const JobSpec::Program& named = {});
/// The command with another value in the place of one of its figures.
QString withFigure(const QString& command, const CommandFigure& figure, const QString& value);

/// What the command of a design says of the batch. An option that may mean either batch is the micro-batch, unless that
/// has an option of its own, or its value is the global batch of the design and not the micro-batch.
struct CommandBatch {
    std::optional<CommandFigure> micro, accumulation, global;
};
CommandBatch commandBatch(const JobSpec& spec);
/// Optimiser steps and epochs that the command of a design asks for; empty: it does not say.
std::optional<qint64> commandSteps(const JobSpec& spec);
std::optional<double> commandEpochs(const JobSpec& spec);

/// What JobSpec::Program says of a figure; null where it has no member: steps.
const std::optional<QString>* programOption(const JobSpec::Program& program, ProgramFigure figure);
std::optional<QString>* programOption(JobSpec::Program& program, ProgramFigure figure);
/// Path of that member; empty for steps.
FieldPath programOptionField(ProgramFigure figure);
/// The word for a program that takes a figure from its own configuration.
inline constexpr QLatin1StringView ownConfiguration{"own"};
/// Whether a text can be the name of an option: "--batch-size", "-b", "training.batch_size=", "--bf16".
bool isOptionName(const QString& text);
/// "micro-batch", "accumulation steps", "global batch", "epochs", "steps", "precision".
QString figureName(ProgramFigure figure);

/// Options of a program that is known by its name or its other words.
struct KnownProgram {
    QString title; ///< "the Trainer of Hugging Face"
    JobSpec::Program options;
    bool accumulationOfAll = false; ///< its accumulation steps are divided by the number of ranks
};
/// nanoGPT, torchtune, scripts of transformers and TRL, Lightning's command line, the practice cluster's own program.
std::optional<KnownProgram> knownProgram(const JobSpec& spec);

} // namespace rankwright
