// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/reportmaker.h"

#include <QJsonObject>

namespace rankwright {

/// The answer of `report` (docs/cli.md): {"jobs": [...], "speedup": [...], ...}. Unknown is null.
QJsonObject reportsJson(const JobReports& made);

} // namespace rankwright
