// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/wordlistedit.h"

namespace rankwright::inline script {

/// The line of a directive that the script lacks, among the others, in the spelling that most of them have. `option`:
/// long name of sbatch's; `text`: of the script. Nothing: no such option, or the script has no directives.
std::optional<TextChange> newDirective(
    const BoundScript& bound, const QString& text, const QString& option, const QString& value);

/// How the line at a place ends ("\n", "\r\n"), or the one before where it is the last.
QString lineEndAt(const QString& text, qsizetype at);

} // namespace rankwright::inline script
