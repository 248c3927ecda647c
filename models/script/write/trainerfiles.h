// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"
#include "models/script/write/scriptdocument.h"

namespace rankwright::inline script {

/// A configuration file that the job writes for itself, so that one script is the whole job.
struct ConfigFile {
    QString name; ///< "ds_config.json"
    QString title; ///< for the heading: "DeepSpeed"
    QList<ScriptLine> lines; ///< literal text, one physical line each
    bool operator==(const ConfigFile&) const = default;
};

// One function per file; each line names the fields it comes from.
ConfigFile deepspeedConfig(const ResolvedSpec& resolved);
ConfigFile accelerateConfig(const ResolvedSpec& resolved);
ConfigFile titanConfig(const ResolvedSpec& resolved);
/// The same for takesTitanFunction(): "--section.name=value" of batch, degrees and compiler; the function has the rest.
QList<ScriptLine> titanArguments(const ResolvedSpec& resolved);

} // namespace rankwright::inline script
