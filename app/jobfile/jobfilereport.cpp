// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfilereport.h"

namespace rankwright {

using namespace Qt::StringLiterals;

Result<JobReports> reportOf(const JobFile& file, const Catalogue& catalogue)
{
    QList<LogEndingText> endings;
    for (const JobFileMember& member : file.manifest().members) {
        if (member.kind == JobFileMember::Kind::Output)
            endings.append({file.text(member), {}});
    }
    ReportMaker maker(catalogue, nullptr, file.dataFolder());
    maker.setFurtherEvidence([&](const JobRecord& job, JobEvidence& evidence) {
        if (evidence.design.isEmpty())
            evidence.design = file.text(JobFileMember::Kind::Design);
        evidence.script = file.text(JobFileMember::Kind::Script);
        if (!endings.isEmpty())
            evidence.ending = readLogEnding(endings, job.nodes);
    });
    auto made = maker.makeOfflineNow(file.manifest().cluster, {file.manifest().job.id});
    if (made)
        made->notes.prepend(u"the report is made %1: nothing of it is of this machine"_s.arg(file.origin()));
    return made;
}

} // namespace rankwright
