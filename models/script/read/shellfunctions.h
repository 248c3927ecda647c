// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// Whole lines that belong together: a command with its continued lines and here-documents, several commands that share
/// a line, or a block (if ... fi, a loop, a function).
struct ShellFunction {
    int first = 1;
    int last = 1;
    QList<int> commands; ///< of the script's own shell, by their places in ShellText::commands
    bool isBlock = false;
};

QList<ShellFunction> shellFunctions(const BatchText& batch); ///< in order; lines without a command belong to none
QStringList unitText(const BatchText& batch, const ShellFunction& unit);

} // namespace rankwright::inline script
