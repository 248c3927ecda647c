// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

#include <optional>

namespace rankwright::inline planner {

// Figures of a training that are in a program's own words: "--batch-size 32", "training.max_steps=90".

/// A figure that design and program both know.
enum class ProgramFigure { MicroBatch, Accumulation, GlobalBatch, Epochs, Steps, Precision, Sequence, Model };

/// One figure in a command, as typed.
struct CommandFigure {
    ProgramFigure figure = ProgramFigure::MicroBatch;
    QString option; ///< without its value: "--batch-size"
    QString value; ///< empty: a flag, such as --bf16
    bool anyBatch = false; ///< "--batch-size": of one rank for most programs, of all ranks for some
    std::optional<qsizetype> at; ///< where the value begins in the command; empty: it has none

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

/// Tokens of a sequence that the command asks for; empty: it does not say.
std::optional<CommandFigure> commandSequence(const JobSpec& spec);
/// The model that the command names, where the model list knows it: by its name or its maker's ("meta-llama/…"), not by
/// a folder, in which anything may lie.
struct CommandModel {
    CommandFigure figure;
    QString preset; ///< name in the model list
    QString title;
};
std::optional<CommandModel> commandModel(const JobSpec& spec);
/// Whether the design's own model is another one: by its name, where it has one, else by its size.
bool isAnotherModel(const JobSpec& spec, const CommandModel& named);
/// Whether `batch.micro` was read from an option that means the batch of all ranks for some programs, and nothing says
/// which: neither the design nor a program that is known.
bool batchIsAmbiguous(const JobSpec& spec, const CommandBatch& batch);

/// What JobSpec::Program says of a figure; null where it has no member: steps, sequence, model.
const std::optional<QString>* programOption(const JobSpec::Program& program, ProgramFigure figure);
std::optional<QString>* programOption(JobSpec::Program& program, ProgramFigure figure);
/// Path of that member; empty where it has none.
FieldPath programOptionField(ProgramFigure figure);
/// The word for a program that takes a figure from its own configuration.
inline constexpr QLatin1StringView ownConfiguration{"own"};
/// Whether a text can be the name of an option: "--batch-size", "-b", "training.batch_size=", "--bf16".
bool isOptionName(const QString& text);
/// "micro-batch", "accumulation steps", "global batch", "epochs", "steps", "precision", "sequence length", "model".
QString figureName(ProgramFigure figure);

/// Options of a program that is known by its name or its other words.
struct KnownProgram {
    QString title; ///< "the Trainer of Hugging Face"
    JobSpec::Program options;
    bool accumulationOfAll = false; ///< its accumulation steps are divided by the number of ranks
};
/// nanoGPT, torchtune, scripts of transformers and TRL, Lightning's command line, the practice cluster's own program.
std::optional<KnownProgram> knownProgram(const JobSpec& spec);

} // namespace rankwright::inline planner
