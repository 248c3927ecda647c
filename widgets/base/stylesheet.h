// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

/// The style sheet of the whole application, its @names replaced by the theme's colours. Layout metrics of standard
/// controls live here; colours live in Theme.
QString styleSheetFor(bool dark);

} // namespace rankwright
