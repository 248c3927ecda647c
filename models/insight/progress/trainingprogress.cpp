// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/trainingprogress.h"

#include <QtGlobal>

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

} // namespace rankwright
