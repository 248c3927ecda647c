// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/knowndesign.h"

#include "models/script/document/designjson.h"

namespace rankwright {

using namespace Qt::StringLiterals;

std::optional<KnownDesign> knownDesign(
    const QByteArray& design, const ClusterProfile* profile, const CalibrationTable& learned)
{
    if (design.isEmpty() || !profile)
        return {};
    const auto read = readDesign(design, u"design"_s);
    if (!read)
        return {};
    KnownDesign known;
    known.resolved = resolve(read->spec, *profile);
    known.batch = planBatch(known.resolved);
    if (const auto estimate = estimateDesign(known.resolved, known.batch, *profile, learned))
        known.estimate = *estimate;
    return known;
}

} // namespace rankwright
