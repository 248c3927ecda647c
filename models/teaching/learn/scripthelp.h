// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/learn/learnsearch.h"

#include <optional>

namespace rankwright::inline teaching {

/// What explains the directive, option, variable or command at `column` of a line of a batch script; of a directive
/// its value counts as well. Empty: no term or question is of it.
std::optional<LearnHit> scriptHelp(const QString& line, int column);
/// Every word that is explained so, for the test that all of them lead somewhere.
QStringList scriptHelpWords();

} // namespace rankwright::inline teaching
