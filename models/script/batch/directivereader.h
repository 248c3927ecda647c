// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// Fills options, lost, shebang and firstCommandLine from the lines; the shell text must have been read.
void readDirectives(BatchText& batch);

} // namespace rankwright::inline script
