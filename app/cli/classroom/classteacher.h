// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicontext.h"
#include "models/teaching/classroom/classsite.h"

#include <QJsonArray>

namespace rankwright {

// What a teacher asks a cluster of a class: parts of the command `class` that log in.

/// `class run`: tries every exercise (ClassRun).
int runClassTrial(const CliContext& context, const ClassFile& file);
/// `class progress`: who is where, from the class's folder on its cluster, or with --here on this machine.
int runClassProgress(const CliContext& context, const ClassFile& file);

/// Of `class check --cluster`: checkClassSite with what that cluster says now.
struct SiteAnswer {
    int failed = ExitDone; ///< else: why has been reported, and this is the exit code
    QStringList left; ///< of the class, which is of another cluster
    QList<SiteVerdict> verdicts;
};
SiteAnswer askClassSite(const CliContext& context, const ClassFile& file, const QString& dataFolder);
QJsonArray siteJson(const QList<SiteVerdict>& verdicts);
void printSite(const CliContext& context, const SiteAnswer& answer);

} // namespace rankwright
