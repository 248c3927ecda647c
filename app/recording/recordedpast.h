// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingreader.h"
#include "models/insight/alerts/alertreplay.h"
#include "models/insight/alerts/timeline.h"
#include "models/insight/progress/rankbinding.h"

namespace rankwright {

/// What a recording reports beside the samples, as a replay shows it.
struct RecordedPast {
    QList<ProgressTrack::Entry> progress; ///< evenly over its time, at most a few hundred
    QList<TimelineMark> marks; ///< alerts and states
    QList<LossPoint> losses; ///< the whole curve
    QList<FoundFailures> failures; ///< in the output, as they became known
    QList<BindingAt> bindings; ///< by time
    QList<Alert> lastAlerts; ///< the alerts of its last recorded moment
    std::optional<Error> trouble; ///< entries that are damaged and left out; empty: all could be read
};

RecordedPast recordedPast(const RecordingReader& recording);

/// The job as a recording knows it. One that was not seen to end has a state that is not known, and the time that was
/// recorded as its own.
JobRecord recordedJob(const RecordingInfo& info);

} // namespace rankwright
