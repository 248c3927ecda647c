// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/guide/guidestep.h"

namespace rankwright::inline teaching {

/// Where the guide is, as far as the words of its one button need it.
struct GuideNext {
    GuideStep step = GuideStep::Where;
    bool isWaiting = false; ///< for the cluster
    bool hasFailed = false; ///< the cluster did not come
    bool startsPractice = false; ///< the practice cluster is chosen and not running
    bool isLaunched = false; ///< this very design
    bool wasLaunched = false; ///< this design or an earlier one
    bool hasEnded = false; ///< the job
};
/// "Next: how many"; empty: no next step yet.
QString guideNextText(const GuideNext& at);

} // namespace rankwright::inline teaching
