// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace rankwright::inline insight {

// What silence is, for the map, the feed and the alerts: a value is drawn as fresh for `freshMs`; a node that has sent
// nothing for silentAfterMs() is called silent, by the feed's trouble and by alerts A03 and A06 alike.

constexpr qint64 freshMs = 5000;

/// `intervalMs`: between samples. 10 s, or 3.5 intervals of slow sampling.
constexpr qint64 silentAfterMs(qint64 intervalMs) { return std::max(2 * freshMs, intervalMs * 7 / 2); }

} // namespace rankwright::inline insight
