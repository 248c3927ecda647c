// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QStringList>

#include <functional>

namespace rankwright::inline cluster {

/// The user's terminal program, as far as it is known here.
struct TerminalChoice {
    QString setting; ///< what was chosen in the program: "konsole", or a line with {command}; empty: nothing
    QString environment; ///<
    QString desktop; ///<
};

/// The words that open a terminal window with `command` in it. The setting first, then , then what the desktop
/// has, then whichever of the usual ones is installed. A chosen one that is not installed is an error and not replaced.
/// `isInstalled`: is there such a program? For X and Wayland; macOS and Windows have another way to open one, which
/// would stand here.
Result<QStringList> terminalWords(
    const TerminalChoice& choice, const QStringList& command, const std::function<bool(const QString&)>& isInstalled);

/// The command behind a shell that keeps the window open when it failed, so that its message can be read.
QStringList keptOpen(const QStringList& command);

} // namespace rankwright::inline cluster
