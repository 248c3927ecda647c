// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/commandplan.h"
#include "models/script/write/scriptdocument.h"
#include "models/script/write/trainerfiles.h"

namespace rankwright::inline script {

/// How the training stack learns what the design says about it. The pieces are bash words, ready to be in a command.
struct TrainerPlan {
    std::optional<ConfigFile> file;
    QList<ScriptLine> launcherPieces; ///< options of the agent: accelerate's --config_file
    QList<ScriptLine> programPieces; ///< after the program's own words
    bool operator==(const TrainerPlan&) const = default;
};

/// The folder of files that a job writes for itself, as an exported variable of the script; unique by job id.
inline constexpr QLatin1StringView jobFilesVariable{"JOB_FILES"};
QString jobFilesLine(); ///< that sets it

/// DeepSpeed's JSON, accelerate's YAML, torchtitan's TOML, Megatron's arguments. Options that the design's command
/// already has are left alone; `options.config` replaces or suppresses the file.
TrainerPlan planTrainer(const ResolvedSpec& resolved, const CommandPlan& command);

/// Whether a command has an option, written "--name value" or "--name=value", with dashes or underscores.
bool hasOption(const QStringList& words, const QString& option);

} // namespace rankwright::inline script
