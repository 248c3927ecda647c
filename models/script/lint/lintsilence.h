// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/lint/lintrule.h"

namespace rankwright::inline script::lint {

/// A comment “# rankwright: ignore L05 other-slug”: the rules that are not to speak of some lines.
struct Silence {
    int line = 0; ///< of the comment
    QStringList names; ///< ids and slugs as typed
    int first = 0; ///< lines that it covers: its own, or the command or directive below a comment that stands alone
    int last = 0;
    bool covers(const Finding& finding) const;
};

QList<Silence> silencesOf(const LintFacts& facts);
/// Moves what is silenced from one list to the other, and adds a hint for each name that silenced nothing.
void silence(const QList<Silence>& silences, QList<Finding>& findings, QList<Finding>& silenced);

} // namespace rankwright::inline script::lint
