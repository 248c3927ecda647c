// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

/// `clusters --draft NAME`: drafts an entry from a live connection, shows it with what is uncertain, saves it with
/// --save.
int runClusterDraft(const CliContext& context);

} // namespace rankwright
