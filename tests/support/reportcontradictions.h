// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"

namespace rankwright::test {

/// Every pair of statements that no report may make together, as far as this one makes both. Empty: it agrees.
QStringList contradictionsIn(const EfficiencyReport& report, const ReportInputs& in);

} // namespace rankwright::test
