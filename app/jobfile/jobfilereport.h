// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfile.h"
#include "app/report/reportmaker.h"

namespace rankwright {

/// Makes reports on the job of a job file from what is in it alone. Both must outlive it.
std::unique_ptr<ReportMaker> reportMakerOf(const JobFile& file, const Catalogue& catalogue);
/// "the report is made from lumi-4711.rwjob ...: nothing in it is from this machine"
QString reportSourceText(const JobFile& file);
/// The report on the job of a job file, made again from what is in it alone; the catalogue gives the site's rules. May
/// take seconds where there are thousands of GPUs. Error: it holds neither what the job used nor a recording.
Result<JobReports> reportOf(const JobFile& file, const Catalogue& catalogue);

} // namespace rankwright
