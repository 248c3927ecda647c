// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classsite.h"

namespace rankwright {

/// What became of the solutions of this very class (classDigest) when all of them were tried last, kept in
/// classtries.json of the data folder. Empty: they were not, or that cannot be read.
std::optional<SolutionsTried> solutionsTried(const ClassFile& file, const QString& dataFolder);
/// Keeps it for the newest classes.
Result<void> saveSolutionsTried(const ClassFile& file, const SolutionsTried& tried, const QString& dataFolder);

} // namespace rankwright
