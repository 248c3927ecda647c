// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingfacts.h"

namespace rankwright {

bool isSameJob(const RecordingFacts& a, const RecordingFacts& b)
{
    if (a.cluster != b.cluster || a.job.id != b.job.id)
        return false;
    const bool bothReported = a.job.submitted.isValid() && b.job.submitted.isValid();
    return !bothReported || qAbs(a.job.submitted.secsTo(b.job.submitted)) <= 2;
}

} // namespace rankwright
