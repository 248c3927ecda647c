// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "models/slurm/jobrecord.h"

#include <QJsonObject>

namespace rankwright {

// The networked subcommands, one function each; gathered by networkCommands().
int runConnect(const CliContext& context);
int runSubmit(const CliContext& context);
int runJobs(const CliContext& context);
int runCancel(const CliContext& context);
int runGpuRecords(const CliContext& context);
int runWatch(const CliContext& context);
int runReport(const CliContext& context);
int runPractice(const CliContext& context);

/// A job as the headless twin tells it; unknown is null.
QJsonObject jobJson(const JobRecord& record);
/// ISO 8601 in UTC, or null.
QJsonValue timeJson(const QDateTime& time);

} // namespace rankwright
