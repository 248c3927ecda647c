// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/teaching/guide/guidestep.h"

namespace rankwright::inline teaching {

/// Where a person is in the guided first job, as it is kept on this machine: the step and the answers, which are the
/// design itself, and the job that was launched of it.
struct GuidePlace {
    GuideStep step = GuideStep::Where;
    GuideStep reached = GuideStep::Where; ///< never before `step`
    JobSpec spec; ///< the answers
    JobId job; ///< empty: nothing was launched yet
    QString cluster; ///< of the job
    JobSpec launched; ///< the design as it was launched
    JobRecord record; ///< of the job once it has ended; else without an id
    bool operator==(const GuidePlace&) const = default;
};

QByteArray writeGuidePlace(const GuidePlace& place);
/// Empty where there is none, or where what is kept cannot be read whole: then nothing is guessed.
std::optional<GuidePlace> readGuidePlace(const QByteArray& bytes);

} // namespace rankwright::inline teaching
