// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"
#include "models/insight/report/speeduptable.h"

namespace rankwright::inline insight {

/// Reports and the speed-up over their jobs as one text in GitHub-flavoured Markdown: a title for each job, verdict,
/// tables of figures, advice, what is not known. Text of a job (names, log lines) is escaped. An empty table and one
/// with a single number of GPUs are left out. `acknowledgement`: a sentence for papers, at the end; empty: none. Names
/// no path.
QString toMarkdown(
    const QList<EfficiencyReport>& reports, const SpeedupTable& speedup = {}, const QString& acknowledgement = {});

/// "Job 4711 (gpt-imdb) on LUMI"
QString reportTitle(const EfficiencyReport& report);
/// "2 nodes, 16 GCDs, small-g · started 2026-03-01 08:00 UTC · COMPLETED"
QString reportSubtitle(const EfficiencyReport& report);
/// What a figure's source and coverage are, in words: "recording, 97 % of the run time".
QString sourceText(const ReportFigure& figure);
/// "12 % more than expected, inside the band"
QString differenceText(const ReportComparison& row);

} // namespace rankwright::inline insight
