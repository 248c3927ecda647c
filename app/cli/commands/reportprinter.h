// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicommand.h"
#include "app/report/reportmaker.h"

namespace rankwright {

/// --format text|markdown|html
CliOption reportFormatOption();
enum class ReportFormat { Text, Markdown, Html };
/// The form that the option names, or text. Error: another word.
Result<ReportFormat> reportFormat(const CliContext& context);

/// Prints reports as the options ask for it (--format, --markdown, --json), with the sentence that the site asks for in
/// papers, and their notes on standard error. Returns the exit code.
int printReports(JobReports made, const CliContext& context, const QString& cluster);

} // namespace rankwright
