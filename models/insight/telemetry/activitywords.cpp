// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/activitywords.h"

#include "models/core/quantitytext.h"

#include <QStringList>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

QString activityText(const GpuActivity& activity)
{
    QStringList parts;
    const auto add = [&parts](const QString& what, const std::optional<double>& percent) {
        if (percent)
            parts.append(what + u' ' + percentText(*percent));
    };
    add(u"multiprocessors"_s, activity.compute);
    add(u"their warps"_s, activity.occupancy);
    add(u"tensor cores"_s, activity.tensor);
    add(u"memory"_s, activity.memory);
    QString text = parts.join(u", "_s);
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    return text;
}

std::optional<bool> isFilled(const GpuActivity& activity)
{
    return activity.compute ? std::optional(*activity.compute >= filledPercent) : std::nullopt;
}

} // namespace rankwright::inline insight
