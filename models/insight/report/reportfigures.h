// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"

namespace rankwright::reportparts {

// What a report measures, and how its figures are written.

QList<ReportFigure> figures(const ReportInputs& in);
QList<ReportComparison> comparisons(const ReportInputs& in);

QString percentText(double percent); ///< "62 %", "0.4 %"
QString shareText(double share); ///< of 0..1
QString many(int count, const QString& word); ///< "1 GPU", "4 GPUs"

} // namespace rankwright::reportparts
