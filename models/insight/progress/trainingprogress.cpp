// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/trainingprogress.h"

#include <QtGlobal>

#include <algorithm>

namespace rankwright {

std::optional<double> TrainingProgress::fraction() const
{
    std::optional<double> share;
    if (step && steps && *steps > 0)
        share = double(*step) / double(*steps);
    if (stepWithinEpoch)
        share = share && epoch && epochs && *epochs > 0 ? std::optional<double>((*epoch - 1 + *share) / *epochs)
                                                        : std::nullopt;
    else if (!share && epoch && epochs && *epochs > 0)
        share = *epoch / *epochs;
    return share ? std::optional<double>(qBound(0.0, *share, 1.0)) : std::nullopt;
}

std::optional<double> TrainingProgress::runSecondsLeft() const
{
    if (!etaSeconds || !stepWithinEpoch)
        return etaSeconds;
    if (!epoch || !epochs || !step || !steps || *steps <= *step)
        return std::nullopt;
    const double each = *etaSeconds / double(*steps - *step);
    return *etaSeconds + std::max(0.0, *epochs - *epoch) * double(*steps) * each;
}

} // namespace rankwright
