// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

/// How fast a training stack runs: efficiencies, launch costs, overlap.
struct StackSpeed {
    QString source;
};

} // namespace rankwright
