// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

/// `batch`: the batch of a design, or of terms given as options.
CliCommand batchCommand();

} // namespace rankwright
