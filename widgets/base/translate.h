// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace rankwright {

/// For functions that belong to no QObject: the text in the user's language; "%n" is replaced by `n`.
inline QString tr(const char* text, int n = -1) { return QCoreApplication::translate("rankwright", text, nullptr, n); }

} // namespace rankwright
