// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clilogin.h"
#include "models/cluster/forward/nodestep.h"

namespace rankwright {

/// Which node of which job, as the words and options of a command say it.
struct NodeChoice {
    JobId job;
    QString node; ///< empty: by rank, else the first
    std::optional<int> rank;

    /// CLUSTER JOB --node NODE | --rank N.
    static Result<NodeChoice> read(const CliContext& context);
};

/// Asks Slurm for the job and `then` goes on with its record and the node meant; what is wrong is reported and ends the
/// command.
void findNode(CliLogin& login, const NodeChoice& choice,
    const std::function<void(const JobRecord& job, const NodeStep& step)>& then);

} // namespace rankwright
