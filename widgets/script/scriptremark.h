// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/checks/designchecks.h"

namespace rankwright {

/// Something said of a place in the script: a squiggle, a mark in the margin, a sentence.
struct ScriptRemark {
    Severity severity = Severity::Warning;
    int line = 0; ///< 0 based
    int lastLine = 0; ///< of the place; at least `line`
    QString rule; ///< "L35"
    QString text; ///< one sentence; words of the line in “quotes” are what is underlined
    QString source;
    QString fix; ///< label of the change that cures it; empty: none
    int finding = -1; ///< index in the list of findings that it stands for; -1: none
    bool isSilenced = false; ///< by a comment in the script: a grey mark, no squiggle, and nothing to go to
    bool operator==(const ScriptRemark&) const = default;
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
