// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/scriptreader.h"

namespace rankwright::inline script {

/// What a batch script says and the script that would be written in its place does not: lines without a counterpart,
/// fields that are said otherwise, what is asked of Slurm in another way, and what else its launch shares a line with.
/// `reading` is what was understood of it. Spelling, order and comments do not count. Empty: nothing is lost.
QList<NotUnderstood> scriptLosses(const BatchText& original, const ScriptReading& reading, const BatchText& written);

} // namespace rankwright::inline script
