// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfilereport.h"

namespace rankwright {

using namespace Qt::StringLiterals;

std::unique_ptr<ReportMaker> reportMakerOf(const JobFile& file, const Catalogue& catalogue)
{
    QList<LogEndingText> endings;
    for (const JobFileMember& member : file.manifest().members) {
        if (member.kind == JobFileMember::Kind::Output)
            endings.append({file.text(member), {}});
    }
    auto maker = std::make_unique<ReportMaker>(catalogue, nullptr, file.dataFolder());
    maker->setFurtherEvidence([&file, endings](const JobRecord& job, JobEvidence& evidence) {
        if (evidence.design.isEmpty())
            evidence.design = file.text(JobFileMember::Kind::Design);
        evidence.script = file.text(JobFileMember::Kind::Script);
        if (!endings.isEmpty())
            evidence.ending = readLogEnding(endings, job.nodes);
    });
    return maker;
}

QString reportSourceText(const JobFile& file)
{
    return u"the report is made %1: nothing in it is from this machine"_s.arg(file.origin());
}

Result<JobReports> reportOf(const JobFile& file, const Catalogue& catalogue)
{
    auto made = reportMakerOf(file, catalogue)->makeOfflineNow(file.manifest().cluster, {file.manifest().job.id});
    if (made)
        made->notes.prepend(reportSourceText(file));
    return made;
}

} // namespace rankwright
