// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/submit/submitflow.h"

namespace rankwright {

/// SlurmClient::rehearse, at most five times a minute for one cluster, whichever program of this data folder asks: the
/// controller walks through its whole plan for each (sbatch(1), PERFORMANCE: no loops). A sixth gets Answer::NotAsked.
void askDryRun(
    SlurmClient& client, const QString& dataFolder, const SubmitOrder& order, QObject* guard, Then<StartForecast> then);

/// How long until the next one may be asked; 0: now, and it is noted. In ms; `now` since 1970, UTC.
qint64 reserveDryRun(const QString& dataFolder, const QString& cluster, qint64 now);

} // namespace rankwright
