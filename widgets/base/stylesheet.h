// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/theme.h"

namespace rankwright {

/// The style sheet of the whole application, its @names replaced by the theme's colours. Layout metrics of standard
/// controls live here; colours live in Theme.
QString styleSheetFor(Theme::Scheme scheme);

} // namespace rankwright
