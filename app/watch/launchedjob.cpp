// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/launchedjob.h"

#include "models/script/document/designjson.h"

namespace rankwright {

QString LaunchedJob::strategy() const
{
    return spec && spec->parallel.strategy ? toText(*spec->parallel.strategy).toUpper() : QString();
}

LaunchedJob launchedFrom(const QByteArray& design, const QString& name)
{
    LaunchedJob launched;
    launched.name = name;
    launched.design = design;
    if (const auto read = readDesign(design, name))
        launched.spec = read->spec;
    return launched;
}

LaunchedJob launchedJob(const JobLog& log, const QString& cluster, const JobId& job)
{
    const auto entries = log.withJob(cluster, job);
    if (!entries || entries->isEmpty())
        return {};
    LaunchedJob launched = launchedFrom(entries->first().design, entries->first().name);
    launched.entryId = entries->first().id;
    launched.script = entries->first().script;
    return launched;
}

} // namespace rankwright
