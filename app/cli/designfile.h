// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicontext.h"

#include "models/planner/design/resolve.h"
#include "models/script/batch/scriptbytes.h"

namespace rankwright {

/// A design as a command works on it.
struct LoadedDesign {
    QString name; ///< file name, or "standard input"
    ResolvedSpec resolved;
    const ClusterProfile* profile = nullptr;
    QStringList unknownMembers;
};

/// Reads the design file of the first positional word, "-" for standard input, and finds its cluster. Members that no
/// design has are warned of on the error stream. Error: file, place in it, what is wrong, what to do.
Result<LoadedDesign> loadDesign(const CliContext& context);
/// The same for bytes that have been read; `name` is what errors call them.
Result<LoadedDesign> loadDesign(const CliContext& context, const QString& name, const QByteArray& bytes);

/// All bytes of a file, "-" for standard input. Error: it cannot be read, or has more than 16 MiB.
Result<QByteArray> readInput(const QString& path, const QString& name);

/// The batch script of the first positional word, "-" for standard input. Error: no such file, no text (a
/// zero byte), nothing in it.
Result<ScriptBytes> loadScript(const CliContext& context);

} // namespace rankwright
