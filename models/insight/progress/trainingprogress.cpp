// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/trainingprogress.h"

#include "models/core/units.h"

#include <QtGlobal>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

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

std::optional<qint64> TrainingProgress::runStepsLeft() const
{
    if (!step || !steps || *steps < *step)
        return std::nullopt;
    if (!stepWithinEpoch)
        return *steps - *step;
    if (!epoch || !epochs)
        return std::nullopt;
    return *steps - *step + qint64(std::max(0.0, *epochs - *epoch) * double(*steps));
}

std::optional<double> TrainingProgress::runSecondsLeft() const
{
    if (isLeftBySteps())
        return *stepSeconds * double(*runStepsLeft());
    if (!etaSeconds || !stepWithinEpoch)
        return etaSeconds;
    if (!epoch || !epochs || !step || !steps || *steps <= *step)
        return std::nullopt;
    const double each = *etaSeconds / double(*steps - *step);
    return *etaSeconds + std::max(0.0, *epochs - *epoch) * double(*steps) * each;
}

QString stepTimeText(double seconds)
{
    const bool isShort = seconds < 0.1;
    const double value = isShort ? seconds * 1000 : seconds;
    const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return humanNumber(value, isShort && value >= 10 ? 0 : decimals) + (isShort ? u"\u2009ms"_s : u"\u2009s"_s);
}

} // namespace rankwright::inline insight
