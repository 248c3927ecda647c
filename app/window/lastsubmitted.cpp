// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lastsubmitted.h"

#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QLocale>

namespace rankwright {

namespace { } // namespace

ComparedScript lastSubmitted(const JobLog& log, const QString& cluster, const QString& title, const QString& name)
{
    ComparedScript last;
    last.missing = tr("Nothing was submitted to %1 yet.").arg(title);
    const auto found = log.lastSent(cluster, name);
    if (!found || !*found || (*found)->script.isEmpty())
        return last;
    const JobLogEntry* entry = &**found;
    last.text = QString::fromUtf8(entry->script);
    last.missing.clear();
    const QString when = QLocale().toString(entry->created.toLocalTime(), QLocale::ShortFormat);
    const QString other = entry->name == name ? QString() : tr("; “%1” itself was not sent yet").arg(name);
    last.caption = (entry->job.isEmpty() ? tr("− %1 as sent on %2   + now").arg(entry->name, when)
                                         : tr("− %1, job %2 of %3   + now").arg(entry->name, entry->job, when))
        + other;
    return last;
}

} // namespace rankwright
