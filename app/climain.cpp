// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/coreprivacy.h"
#include "app/cli/commandline.h"
#include "app/cli/commands/commands.h"
#include "app/cli/interruption.h"

#include <QCoreApplication>
#include <QIODevice>
#include <QStandardPaths>

#include <cstdio>

using namespace Qt::StringLiterals;

/// Further cluster files of the user, beside the built-in catalogue.
static QString userCatalogueFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/rankwright/clusters"_s;
}

int main(int argc, char** argv)
{
    rankwright::keepMemoryOutOfCores();
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(u"rankwright"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(RANKWRIGHT_VERSION));
    QTextStream out(stdout, QIODevice::WriteOnly);
    QTextStream err(stderr, QIODevice::WriteOnly);
    const int code = rankwright::runCommandLine(
        rankwright::allCommands(), QCoreApplication::arguments().mid(1), out, err, userCatalogueFolder());
    out.flush();
    err.flush();
    rankwright::Interruption::endBySignal();
    return code;
}
