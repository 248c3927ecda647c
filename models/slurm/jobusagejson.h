// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/slurm/jobusage.h"

#include <QJsonObject>

namespace rankwright {

/// For keeping a usage on this machine, and back. Times are UTC, ISO 8601. What cannot be read back is empty.
QJsonObject toJson(const JobUsage& usage);
JobUsage usageFromJson(const QJsonObject& object);

} // namespace rankwright
