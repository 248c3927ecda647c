// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clilogin.h"
#include "app/report/reportmaker.h"

namespace rankwright {

/// What a command does with the reports on some jobs of one cluster, wherever they come from.
struct ReportTask {
    QString cluster;
    QList<JobId> jobs; ///< valid ids
    /// The cluster was asked, and `me` is the user there (empty: not known): has to end in login.finish().
    std::function<void(CliLogin& login, const JobReports& made, const QString& me)> asked;
    /// From what this machine keeps; `log` knows its launches. Returns the exit code.
    std::function<int(const JobLog& log, const Result<JobReports>& made)> kept;
};

/// Connects and asks; with --offline, or where the cluster cannot be reached and all that is asked for is kept, takes
/// what this machine keeps. Returns the exit code.
int runReportTask(const CliContext& context, const ReportTask& task);

} // namespace rankwright
