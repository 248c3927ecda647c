// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicommand.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/log/outputlisting.h"

namespace rankwright {

/// What `outputs` was asked for.
struct OutputsRequest {
    JobId job;
    QString file; ///< empty: all of them, or the job's first
    QString expression; ///< empty: none
    int lines = 200;
    bool wantsText = false;
};

/// The output files of a job, from the cluster or from what is kept.
struct OutputsAnswer {
    JobId job;
    JobState state = JobState::Unknown;
    QList<ListedOutput> files; ///< likeliest first
    QList<ListedOutput> chosen; ///< of which text is wanted
    QList<QStringList> texts; ///< of the chosen ones, as far as they were read
};

/// Error: what is asked for cannot be.
Result<OutputsRequest> outputsRequest(const CliContext& context);
/// Fills `chosen`. Error: there is no such file.
Result<void> chooseOutputs(OutputsAnswer& answer, const OutputsRequest& request);
/// Return the exit code.
int printOutputList(const CliContext& context, const OutputsAnswer& answer);
int printOutputTexts(const CliContext& context, const OutputsAnswer& answer, const OutputsRequest& request);

/// From what was kept on this machine when the job ended. Empty: nothing was; else the exit code.
std::optional<int> printKeptOutputs(const CliContext& context, const QString& cluster, const OutputsRequest& request);

} // namespace rankwright
