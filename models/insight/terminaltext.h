// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace rankwright {

/// Escape sequences (ECMA-48: CSI, OSC and two-byte ones) and control characters taken out, tabs as four blanks: a log
/// may not move the cursor, retitle or ring anything on our side.
QByteArray withoutControls(const QByteArray& raw);

} // namespace rankwright
