// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

/// rankwright-cli beside this program, else the one on the path; empty: neither is there.
QString headlessProgram();

} // namespace rankwright
