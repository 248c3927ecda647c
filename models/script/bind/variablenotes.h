// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/wordlistedit.h"

namespace rankwright::inline script {

/// Whether one of the changes lies in or at one of the ranges.
bool meets(const QList<TextRange>& ranges, const QList<TextChange>& changes);

/// What a person should know of the variables whose values are changed: that something else may have set one
/// (`: ${NAME:=value}`), and what the script computes from one ($((2 * NAME))). `text`: of the script, before the
/// changes.
QStringList variableNotes(const BoundScript& bound, const QString& text, const QList<TextChange>& changes);

} // namespace rankwright::inline script
