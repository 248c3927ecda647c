// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/joblog.h"

namespace rankwright {

/// The entry of the job log with which a job was launched from here, with design and script. Ids start again where a
/// cluster is set up again: the token, or else the time, identifies the same job. Empty: launched elsewhere.
std::optional<JobLogEntry> launchOf(const JobLog& log, const QString& cluster, const JobRecord& job);

} // namespace rankwright
