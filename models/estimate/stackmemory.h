// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

/// What a training stack keeps in GPU memory and in which precision.
struct StackMemory {
    QString source;
};

} // namespace rankwright
