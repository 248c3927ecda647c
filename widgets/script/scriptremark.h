// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/checks/finding.h"

#include <algorithm>
#include <optional>

namespace rankwright {

/// A finding where the script shows it: a squiggle, a mark in the margin, a sentence whose words in “quotes” are what
/// is underlined.
struct ScriptRemark {
    Finding finding;
    LineRange lines; ///< the finding's own, or those of its field
    /// In the list of findings; empty: silenced by a comment: a grey mark, no squiggle, nothing to go to.
    std::optional<int> index = {};

    bool isSilenced() const { return !index; }
    /// Label of the change that cures it; empty: none is offered.
    QString fix() const { return finding.fix && !isSilenced() ? finding.fix->label : QString(); }
    int firstLine() const { return lines.first - 1; } ///< as the editor counts, from 0
    int lastLine() const { return std::max(lines.first, lines.last) - 1; } ///< likewise
    /// Whether both look the same.
    bool operator==(const ScriptRemark& other) const;
};

/// Characters [from, to) of a line that a remark is about: what its sentence quotes when that is in the line, else
/// the line without its indentation.
struct RemarkSpan {
    int from = 0;
    int to = 0;
    bool operator==(const RemarkSpan&) const = default;
};
RemarkSpan spanOf(const ScriptRemark& remark, const QString& line);

} // namespace rankwright
