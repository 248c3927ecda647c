// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/progressclues.h"
#include "models/insight/progress/progressline.h"

namespace rankwright::inline insight {

/// Layouts that the general patterns do not read: programs that print JSON, tables, or words of their own.
std::optional<ProgressHint> otherLayout(const QString& text);

/// The program that prints lines like this one, or empty.
QString layoutOf(const QString& text, const LineClues& clues);

} // namespace rankwright::inline insight
