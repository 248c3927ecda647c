// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/commandplan.h"
#include "models/script/write/scriptdocument.h"

namespace rankwright {

/// A configuration file that the job writes for itself, so that one script is the whole job.
struct ConfigFile {
    QString name; ///< "ds_config.json"
    QString title; ///< for the heading: "DeepSpeed"
    QList<ScriptLine> lines; ///< literal text, one physical line each
    bool operator==(const ConfigFile&) const = default;
};

/// How the training stack learns what the design says about it. The pieces are bash words, ready to stand in a command.
struct TrainerPlan {
    std::optional<ConfigFile> file;
    QList<ScriptLine> launcherPieces; ///< options of the agent: accelerate's --config_file
    QList<ScriptLine> programPieces; ///< behind the program's own words
    bool operator==(const TrainerPlan&) const = default;
};

/// The folder of files that a job writes for itself, as an exported variable of the script; unique by job id.
inline constexpr QLatin1StringView jobFilesVariable{"JOB_FILES"};

/// DeepSpeed's JSON, accelerate's YAML, torchtitan's TOML, Megatron's arguments. Options that the design's command
/// already has are left alone; `options.config` replaces or suppresses the file.
TrainerPlan planTrainer(const ResolvedSpec& resolved, const CommandPlan& command);

// One function per file; each line names the fields it comes from.
ConfigFile deepspeedConfig(const ResolvedSpec& resolved);
ConfigFile accelerateConfig(const ResolvedSpec& resolved);
ConfigFile titanConfig(const ResolvedSpec& resolved);
/// Megatron-LM's arguments for what the design says; `given` are the words that the command has already.
QList<ScriptLine> megatronArguments(const ResolvedSpec& resolved, const QStringList& given);

/// Whether a command has an option, written "--name value" or "--name=value", with dashes or underscores.
bool hasOption(const QStringList& words, const QString& option);

} // namespace rankwright
