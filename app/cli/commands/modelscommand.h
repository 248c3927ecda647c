// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

/// `models`: the list of published models, or one of it, or the model of a Hugging Face config.json.
CliCommand modelsCommand();

} // namespace rankwright
