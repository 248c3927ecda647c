// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

namespace rankwright::inline script {

/// One line of a batch script that knows why it is there.
struct ScriptLine {
    QString text;
    QList<FieldPath> origins; ///< fields that made it; empty: fixed part
    QString reason; ///< what it does and what happens without it; empty for blank lines
    QString source; ///< rule or page, e.g. "R10"; may be empty
    bool operator==(const ScriptLine&) const = default;
};

struct ScriptDocument {
    QList<ScriptLine> lines;
    bool finalNewline = true;

    QStringList texts() const; ///< of the lines, without newlines
    QString text() const; ///< all lines, each ended by a newline, the last one by finalNewline
    /// Line numbers (0 based) made by a field or by a field below it ("resources" finds "resources.nodes").
    QList<int> linesOf(const FieldPath& field) const;
    bool operator==(const ScriptDocument&) const = default;
};

} // namespace rankwright::inline script
