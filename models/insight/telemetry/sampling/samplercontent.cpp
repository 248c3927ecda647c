// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/samplercontent.h"

namespace rankwright::inline insight {

SamplerContent samplerContent(const QByteArrayList& lines, RankGatherer& gatherer)
{
    SamplerContent content;
    for (const QByteArray& line : lines) {
        if (const auto ranks = parseRankLine(line)) {
            if (const auto whole = gatherer.add(*ranks))
                content.processes.append(*whole);
        } else if (const auto resources = parseResourceLine(line)) {
            gatherer.add(*resources);
        } else if (const auto tick = parseTickLine(line)) {
            content.ticks.append(*tick);
        }
    }
    return content;
}

} // namespace rankwright::inline insight
