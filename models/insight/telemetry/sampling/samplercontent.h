// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/sampling/rankgatherer.h"
#include "models/insight/telemetry/sampling/ticklines.h"

#include <QByteArrayList>

namespace rankwright::inline insight {

/// What lines of the sampling command report, sorted. `gatherer` keeps moments whose lines come later.
struct SamplerContent {
    QList<NodeTick> ticks;
    QList<NodeProcesses> processes;
};
SamplerContent samplerContent(const QByteArrayList& lines, RankGatherer& gatherer);

} // namespace rankwright::inline insight
