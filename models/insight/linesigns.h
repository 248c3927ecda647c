// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace rankwright {

/// Where, from `from` on, something stands that may tell progress; -1: nowhere.
qsizetype nextProgressClue(QByteArrayView text, qsizetype from);

} // namespace rankwright
