// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/boundscript.h"

namespace rankwright::inline script {

// Why a field that a script does not have cannot be set: a sentence without its full stop, with what to do.

/// Of a field that the script has nowhere, or of which no line can be edited.
QString absenceOf(const BoundScript& script, const QString& path);

/// Of a field that a new directive would say, where sbatch reads none of this script's.
QString noDirectives(const BoundScript& script, const QString& path);

/// Of a variable that the script sets and the program does not see.
QString unexported(const BoundScript& script, const QString& name);

} // namespace rankwright::inline script
