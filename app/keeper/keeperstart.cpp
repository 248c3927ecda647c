// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperstart.h"

#include "app/base/settings.h"
#include "app/keeper/keeperposix.h"
#include "ssh/sshshell.h"

#include <QCoreApplication>
#include <QProcess>

namespace rankwright {

using namespace Qt::StringLiterals;

bool hasKeeperSocket(const QString& dataFolder) { return factsOf(keeperPlace(dataFolder).socket).has_value(); }

bool startKeeper(const QString& dataFolder, const QString& program)
{
    QProcess process;
    process.setProgram(program.isEmpty() ? QCoreApplication::applicationFilePath() : program);
    process.setArguments({u"agent"_s, u"run"_s, u"--detached"_s, u"--data-dir"_s, dataFolder});
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    process.setWorkingDirectory(u"/"_s); // keeps no file system from being unmounted
    return process.startDetached();
}

std::unique_ptr<KeeperLink> keeperLinkFor(const SshEndpoint& endpoint, const QString& dataFolder)
{
    const bool isWanted = Settings(dataFolder).keeperWanted();
    if (!isWanted && !hasKeeperSocket(dataFolder))
        return nullptr;
    KeeperLink::Ways ways;
    ways.place = keeperPlace(dataFolder);
    if (isWanted)
        ways.startAgent = [dataFolder] { return startKeeper(dataFolder); };
    ways.own = [endpoint] { return std::make_unique<SshShell>(endpoint); };
    return std::make_unique<KeeperLink>(endpoint, std::move(ways));
}

} // namespace rankwright
