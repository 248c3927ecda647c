// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

int runParseLog(const CliContext& context); ///< `parse log < OUTPUT`, or `parse log FILE`

} // namespace rankwright
