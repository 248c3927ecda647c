// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/trainingprogress.h"
#include "models/slurm/jobrecord.h"
#include "models/tables/recordmodel.h"
#include "widgets/standouts.h"

#include <QMap>

namespace rankwright {

/// One statement about the job for people: what was seen, since when, what it means.
struct LiveFinding {
    Tone tone = Tone::Quiet;
    QString title;
    QString text;
    std::optional<GpuAddress> gpu; ///< to be shown on a click
    QString action; ///< the click's label
    bool operator==(const LiveFinding&) const = default;
};

/// What findings are derived from; nothing else may enter, so that none of them can be a guess.
struct LiveFacts {
    const GpuGridModel& grid;
    const JobRecord& job;
    const TrainingProgress& progress;
    QMap<QString, Error> troubles; ///< by source
    QList<Standout> standouts;
    QMap<GpuAddress, qint64> standoutSince; ///< our clock
    std::optional<Seconds> elapsed;
};

/// Findings, worst first. Never empty while a job is shown.
QList<LiveFinding> findingsOf(const LiveFacts& facts);

} // namespace rankwright
