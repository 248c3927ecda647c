// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/lint/lintfacts.h"

namespace rankwright::inline script::lint {

/// One way that a script may go at an `if` or `case` which gives variables their values.
struct Way {
    QString when; ///< “when the branch of line 12 (“[ -n "$X" ]”) is taken”
    QString text; ///< the script with the other branches blanked out: lines and columns are the same
    QSet<QString> names; ///< variables that hang on the choice, directly or through others
    bool setsNone = false; ///< on this way the names get no value
};

/// A choice of the script's own shell: the ways that may be taken as far as its conditions are known. One: it is
/// known which. A way that leaves the script is none, nor is one whose condition is known not to hold.
struct Choice {
    QList<Way> ways;
    bool isPlain = true; ///< all branches set plain texts: what is not found on a way is not so there
    int firstLine = 0; ///< of if or case
    int lastLine = 0; ///< of fi or esac
};

/// The choices on whose branches a value depends that is read outside of them. At most eight, with at most sixteen
/// ways together; what stands inside of loops, functions and other choices is none.
QList<Choice> choicesOf(const LintFacts& facts);

/// The names that the commands on some lines read, outside of here-documents.
QSet<QString> namesReadAt(const LintFacts& facts, int firstLine, int lastLine);

/// Lets a script be read as one that goes straight on: a variable that is set several times, always outside of
/// branches, loops and functions, is certain, too.
void mergeBranches(BatchText& batch);

} // namespace rankwright::inline script::lint
