// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

/// `clusters`: what the catalogue knows.
int runClusters(const CliContext& context);

} // namespace rankwright
