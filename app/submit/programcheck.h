// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"
#include "models/core/error.h"
#include "models/script/document/design.h"

namespace rankwright {

/// A design's program as a file on its cluster.
struct ProgramFile {
    QString file; ///< as the design names it; empty: it names none that could be looked for
    QString folder; ///< where the job runs; empty: the home folder
    bool operator==(const ProgramFile&) const = default;
};
ProgramFile programOf(const Derived& derived);

/// Asks once whether it can be read there. Error: unknown (no connection, a shell that answers something else).
void askForProgram(RemoteShell& shell, const ProgramFile& program, QObject* guard, const Then<bool>& then);

/// What of `folder` on this machine brings a design's program to its place: the file, or the folder in which it lies
/// there. Empty: it is not here, or not named by a path from where the job runs.
QString uploadFor(const QString& file, const QString& folder);

} // namespace rankwright
