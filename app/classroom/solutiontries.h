// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classsite.h"

namespace rankwright {

/// How the last trial of all solutions of this very class (classDigest) ended, from classtries.json of the data folder.
/// Empty: there was none, or it cannot be read.
std::optional<SolutionsTried> solutionsTried(const ClassFile& file, const QString& dataFolder);
/// Keeps it for the newest classes.
Result<void> saveSolutionsTried(const ClassFile& file, const SolutionsTried& tried, const QString& dataFolder);

} // namespace rankwright
