// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/traininglogreader.h"

namespace rankwright::test {

/// epoch/epochs step/steps loss rate unit eta, "-" for what is not reported.
inline QString reported(const TrainingProgress& progress)
{
    const QString none = QStringLiteral("-");
    const auto number = [&none](const auto& value) { return value ? QString::number(double(*value), 'g', 8) : none; };
    return QStringLiteral("%1/%2 %3/%4 %5 %6 %7 %8")
        .arg(number(progress.epoch), number(progress.epochs), number(progress.step), number(progress.steps),
            number(progress.loss), number(progress.rate), progress.rateUnit.isEmpty() ? none : progress.rateUnit,
            number(progress.etaSeconds));
}

/// A reader that was fed all of `bytes` at once.
inline TrainingLogReader readAll(const QByteArray& bytes)
{
    TrainingLogReader reader;
    reader.feed(bytes);
    return reader;
}

} // namespace rankwright::test
