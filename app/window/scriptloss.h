// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/scriptreader.h"

namespace rankwright {

/// What a batch script says and the script that would be written in its place does not: lines that nobody keeps, and
/// what is asked of Slurm in another way. `reading` is what was understood of it. Spelling, order and comments do not
/// count. Empty: nothing is lost.
QList<NotUnderstood> scriptLosses(const QString& original, const ScriptReading& reading, const QString& written);

} // namespace rankwright
