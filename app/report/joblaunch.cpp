// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/joblaunch.h"

namespace rankwright {

std::optional<JobLogEntry> launchOf(const JobLog& log, const QString& cluster, const JobRecord& job)
{
    constexpr qint64 daySeconds = 86400;
    const auto entries = log.withJob(cluster, job.id);
    for (const JobLogEntry& entry : entries.valueOr({})) {
        const bool same = isOurToken(job.comment)
            ? job.comment == entry.token
            : !job.submitted.isValid() || qAbs(job.submitted.secsTo(entry.created)) < daySeconds;
        if (!same)
            continue;
        const auto whole = log.find(entry.id);
        return whole ? std::optional(*whole) : std::nullopt;
    }
    return {};
}

} // namespace rankwright
