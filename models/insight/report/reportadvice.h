// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"

namespace rankwright::inline insight::reportparts {

QList<ReportAdvice> advice(const ReportInputs& in); ///< of a job that has ended; else empty

/// Enough of the GPUs' time was recorded to speak of the whole job.
inline constexpr double enoughSeen = 0.5;
bool seenEnough(const ReportInputs& in);

/// A start-up that is worth a word: shorter ones change no figure.
inline constexpr double noticeableStartSeconds = 5;
bool hasNoticeableStart(const ReportInputs& in);
/// It runs, was seen since its beginning, and no GPU has worked yet.
bool isStarting(const ReportInputs& in);

/// Who worked: GPUs that were recorded long enough, and which of them were idle all the time.
struct Workers {
    int seen = 0; ///< GPUs that reported their use
    QList<GpuSummary> idle; ///< never at work
    QHash<int, int> busyOnNode; ///< row -> GPUs at work
    int busy() const { return seen - int(idle.size()); }
};
Workers workers(const HistorySummary& recorded);

} // namespace rankwright::inline insight::reportparts
