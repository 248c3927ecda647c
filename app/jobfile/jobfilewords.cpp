// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfilewords.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"

namespace rankwright {

using namespace Qt::StringLiterals;

QString contentText(const JobFileMember& member)
{
    switch (member.kind) {
    case JobFileMember::Kind::Recording: return u"what was sampled, and what happened"_s;
    case JobFileMember::Kind::Output:
        return member.wholeBytes ? u"the end of %1 (%2)"_s.arg(member.file, humanBytes(Bytes{*member.wholeBytes}))
                                 : u"the end of %1"_s.arg(member.file);
    case JobFileMember::Kind::Script: return u"the batch script"_s;
    case JobFileMember::Kind::Design: return u"the design"_s;
    case JobFileMember::Kind::Usage: return u"what the cluster reported of its use"_s;
    case JobFileMember::Kind::Report: return u"the report, for programs"_s;
    case JobFileMember::Kind::ReportText: return u"the report, to read"_s;
    case JobFileMember::Kind::Other: break;
    }
    return u"from a newer program: ignored"_s;
}

QString secretsText(const JobFileManifest& manifest)
{
    const int count = manifest.secretsLeftOut;
    return count == 0 ? QString() : u"%1 left out."_s.arg(counted(count, u"secret"_s));
}

} // namespace rankwright
