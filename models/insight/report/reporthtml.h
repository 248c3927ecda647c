// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"
#include "models/insight/report/speeduptable.h"

namespace rankwright::inline insight {

/// The same as toMarkdown() as one page of HTML that needs nothing else: no script, no picture, no address. Text of a
/// job (names, log lines) is escaped; what could turn the direction of writing is replaced.
QString toHtml(
    const QList<EfficiencyReport>& reports, const SpeedupTable& speedup = {}, const QString& acknowledgement = {});

} // namespace rankwright::inline insight
