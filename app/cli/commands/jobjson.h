// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/slurm/jobrecord.h"

#include <QJsonObject>

namespace rankwright {

/// A job as the headless commands print it (docs/cli.md). Unknown is null.
QJsonObject jobJson(const JobRecord& record);
/// ISO 8601 in UTC, or null.
QJsonValue timeJson(const QDateTime& time);

} // namespace rankwright
