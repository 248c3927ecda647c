// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QStringList>

namespace rankwright {

/// Starts the user's terminal program with this command in it; `setting`: which one the user chose, empty: whichever is
/// found. The terminal lives on when this program ends.
Result<void> openTerminal(const QString& setting, const QStringList& command);

} // namespace rankwright
