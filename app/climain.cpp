// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/coreprivacy.h"
#include "app/base/programidentity.h"
#include "app/cli/commandline.h"
#include "app/cli/commands/commands.h"
#include "app/cli/interruption.h"

#include <QCoreApplication>
#include <QIODevice>

#include <cstdio>

int main(int argc, char** argv)
{
    rankwright::excludeMemoryFromCores();
    QCoreApplication application(argc, argv);
    rankwright::setProgramIdentity();
    QTextStream out(stdout, QIODevice::WriteOnly);
    QTextStream err(stderr, QIODevice::WriteOnly);
    const int code = rankwright::runCommandLine(
        rankwright::allCommands(), QCoreApplication::arguments().mid(1), out, err, rankwright::userCatalogueFolder());
    out.flush();
    err.flush();
    rankwright::Interruption::endBySignal();
    return code;
}
