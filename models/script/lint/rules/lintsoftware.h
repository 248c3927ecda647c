// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/lint/lintfacts.h"

#include <QVersionNumber>

namespace rankwright::inline script::lint {

// With what a script trains, as far as its text says.

/// The images that its starts run in, as paths or names, with the line of the start. A value that only the running
/// shell knows is not there.
struct ImageUse {
    QString image;
    int line = 0;
};
QList<ImageUse> imagesOf(const LintFacts& facts);

/// Modules that it loads: "rocm/7.1.1", "pytorch".
QStringList modulesOf(const LintFacts& facts);

/// The release of PyTorch that its image names or, without an image, its modules and packages; null: nothing says it.
QVersionNumber torchReleaseOf(const LintFacts& facts);

/// Would the writer put this line of the catalogue into a script with this software?
bool holdsHere(const LintFacts& facts, const EnvironmentRule& rule);

} // namespace rankwright::inline script::lint
