// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/siteoptions.h"

#include "models/planner/design/fieldtable.h"

#include <algorithm>

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

template <typename Value>
void clearKept(QLatin1StringView path, const Value& before, Value& now, QList<FieldPath>& cleared)
{
    if (now == Value() || now != before)
        return;
    now = Value();
    cleared.append(path);
}

/// A name or a relative path may mean the same everywhere; an address such as docker:// does.
void clearKeptPath(QLatin1StringView path, const std::optional<QString>& before, std::optional<QString>& now,
    QList<FieldPath>& cleared)
{
    if (now && (now->startsWith(u'/') || now->startsWith(u'$')))
        clearKept(path, before, now, cleared);
}

} // namespace

QList<FieldPath> clearSiteOptions(const JobSpec& before, JobSpec& moved)
{
    QList<FieldPath> cleared;
    clearKept(field::account, before.account, moved.account, cleared);
    clearKept(field::partition, before.partition, moved.partition, cleared);
    clearKept(field::reservation, before.reservation, moved.reservation, cleared);
    clearKeptPath(field::container, before.environment.container, moved.environment.container, cleared);
    clearKept(field::modules, before.environment.modules, moved.environment.modules, cleared);
    clearKeptPath(field::venv, before.environment.venv, moved.environment.venv, cleared);
    clearKeptPath(field::conda, before.environment.conda, moved.environment.conda, cleared);
    clearKept(field::uenv, before.environment.uenv, moved.environment.uenv, cleared);
    clearKept(field::binds, before.environment.binds, moved.environment.binds, cleared);
    clearKeptPath(field::workdir, before.workdir, moved.workdir, cleared);
    clearKept(field::qos, before.options.qos, moved.options.qos, cleared);
    clearKept(field::constraint, before.options.constraint, moved.options.constraint, cleared);
    clearKept(field::exclude, before.options.exclude, moved.options.exclude, cleared);
    clearKept(field::mpi, before.options.mpi, moved.options.mpi, cleared);
    std::stable_sort(cleared.begin(), cleared.end(),
        [](const FieldPath& a, const FieldPath& b) { return formOrder(a) < formOrder(b); });
    return cleared;
}

} // namespace rankwright::inline planner
