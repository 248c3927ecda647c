// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/classroom/classrun.h"

#include <QJsonObject>

namespace rankwright {

/// What became of a class that was tried, as `class run --json` prints it (docs/cli.md lists the members).
QJsonObject classRunJson(const ClassRun& run, const ClassFile& file, const ClusterProfile& profile);
/// The same for a person: what became of each job, then a table of the checks.
void printClassRun(const ClassRun& run, const ClassFile& file, QTextStream& out);

} // namespace rankwright
