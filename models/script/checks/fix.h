// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

#include <functional>

namespace rankwright::inline script {

/// Whole lines of a script replaced by others. Lines count from 1; `last` before `first` inserts before `first`.
struct LineEdit {
    int first = 1;
    int last = 0;
    QStringList lines;
    bool operator==(const LineEdit&) const = default;
};

/// A change that cures a finding, applied by one click as one undo step.
struct Fix {
    QString label; ///< "Use standard-g", "Remove the line"
    std::function<void(JobSpec&)> apply = {}; ///< the change of the design; empty: of a script without a design
    /// The same change as edits of the script's text, where it is one: in order, without overlap, all line numbers
    /// those of the text before the change.
    QList<LineEdit> edits = {};
};
/// The text after a fix. Lines that no edit names stay as they are, with their own line ends.
QString textAfter(const QString& text, const Fix& fix);

} // namespace rankwright::inline script
