// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/telemetryhistory.h"

namespace rankwright::inline insight {

/// What a gap is, for whoever draws, counts or reports one: between two samples longer than three usual intervals, and
/// than 5 s, as long as a value counts as fresh.
qint64 gapLongerThanMs(qint64 usualIntervalMs);
/// Median distance of the first samples of the first nodes, 1 s where nothing is known.
qint64 usualIntervalMs(const TelemetryHistory& history);

/// Stretches of `within` in which no node reported anything for longer than that: between samples, and, where `within`
/// reaches beyond them, before the first and after the last. Empty `within`: the recorded span. `longerThanMs` 0: as
/// the history's own interval asks.
QList<TimeSpan> gapsWithin(const TelemetryHistory& history, TimeSpan within = {}, qint64 longerThanMs = 0);

qint64 lengthOf(const QList<TimeSpan>& gaps); ///< together, ms
QString gapsText(const QList<TimeSpan>& gaps); ///< "2 gaps, 10 s in all"; empty: none

} // namespace rankwright::inline insight
