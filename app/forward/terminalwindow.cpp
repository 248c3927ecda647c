// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/terminalwindow.h"

#include "models/cluster/forward/terminalchoice.h"

#include <QProcess>
#include <QStandardPaths>

namespace rankwright {

using namespace Qt::StringLiterals;

Result<void> openTerminal(const QString& setting, const QStringList& command)
{
    const TerminalChoice choice{setting, qEnvironmentVariable("TERMINAL"), qEnvironmentVariable("XDG_CURRENT_DESKTOP")};
    const auto words = terminalWords(choice, keptOpen(command),
        [](const QString& program) { return !QStandardPaths::findExecutable(program).isEmpty(); });
    if (!words)
        return fail(words.error());
    if (!QProcess::startDetached(words->first(), words->mid(1)))
        return fail(
            Fault::Io, u"%1 could not be started."_s.arg(words->first()), {}, u"Choose another terminal program."_s);
    return {};
}

} // namespace rankwright
