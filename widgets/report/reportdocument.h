// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"
#include "models/insight/report/speeduptable.h"

#include <QPageSize>

class QPagedPaintDevice;

namespace rankwright {

/// A report on paper: light, A4 or Letter, with the curve, the map and the speed-up as vector pictures and a page
/// number on each page.
struct ReportPaper {
    QList<EfficiencyReport> reports;
    SpeedupTable speedup;
    QString made; ///< footer of each page: "Rankwright 0.1, 2026-03-01"
    QString acknowledgement = {}; ///< a sentence for papers, at the end; empty: none
};

/// Paints it onto a device whose page size is set (printer or PDF); the device's margins are used as they are.
/// Returns the number of pages.
int paintReport(const ReportPaper& paper, QPagedPaintDevice& device);

/// Writes a PDF with its fonts embedded. Error: the file cannot be written; its old contents are lost then.
Result<void> writeReportPdf(const ReportPaper& paper, const QString& path, QPageSize::PageSizeId size = QPageSize::A4);

} // namespace rankwright
