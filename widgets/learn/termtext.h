// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/learn/termlinks.h"

class QLabel;

namespace rankwright {

/// Gives a label a text with terms as links "term:ID" (marks as termLinks() reads them), dotted underneath. The links
/// work by mouse and keyboard; connect linkActivated, or leave it to a TermGuide.
void setTermText(QLabel* label, const QString& text, KnownWords words = KnownWords::LeftAlone);

/// Dots the underline of term links in a label of rich text; links of another kind stay as they are.
void dotTermLinks(QLabel* label);

} // namespace rankwright
