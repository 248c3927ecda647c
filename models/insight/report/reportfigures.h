// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"

namespace rankwright::inline insight::reportparts {

// What a report measures.

QList<ReportFigure> figures(const ReportInputs& in);
QList<ReportComparison> comparisons(const ReportInputs& in);

} // namespace rankwright::inline insight::reportparts
