// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lastsubmitted.h"

#include <QCoreApplication>
#include <QLocale>

namespace rankwright {

namespace {
QString tr(const char* text) { return QCoreApplication::translate("LastSubmitted", text); }
} // namespace

ComparedScript lastSubmitted(const JobLog& log, const QString& cluster, const QString& title)
{
    ComparedScript last;
    last.missing = tr("Nothing was submitted to %1 yet.").arg(title);
    const auto entries = log.newest(cluster, 1);
    if (!entries || entries->isEmpty())
        return last;
    const auto entry = log.find(entries->first().id); // the list leaves scripts out
    if (!entry || entry->script.isEmpty())
        return last;
    last.text = QString::fromUtf8(entry->script);
    last.missing.clear();
    const QString when = QLocale().toString(entry->created.toLocalTime(), QLocale::ShortFormat);
    last.caption = entry->job.isEmpty() ? tr("− %1 as sent on %2   + now").arg(entry->name, when)
                                        : tr("− %1, job %2 of %3   + now").arg(entry->name, entry->job, when);
    return last;
}

} // namespace rankwright
