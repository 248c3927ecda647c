// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/joblog.h"
#include "models/planner/design/jobspec.h"

namespace rankwright {

/// What is known of a job because it was launched from here: its row of the job log with the design in it, read once.
/// All of it empty: launched elsewhere.
struct LaunchedJob {
    QString entryId; ///< of the job log
    QString name; ///< of the design
    QByteArray design; ///< as it was written
    QByteArray script; ///< as it was sent
    std::optional<JobSpec> spec; ///< the same, read; empty: there is none, or it cannot be read

    /// As pages show it: "FSDP"; empty: the design does not say.
    QString strategy() const;
};

/// Looks the job up in the job log; what the log cannot say is empty.
LaunchedJob launchedJob(const JobLog& log, const QString& cluster, const JobId& job);
/// Of a design that was kept elsewhere, such as in a recording.
LaunchedJob launchedFrom(const QByteArray& design, const QString& name = {});

} // namespace rankwright
