// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jobfile/memberlist.h"

#include "app/cli/clioutput.h"
#include "app/jobfile/jobfilewords.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"

using namespace Qt::StringLiterals;

namespace rankwright {

void printMembers(const JobFileManifest& manifest, QTextStream& out)
{
    TextTable table({u"name"_s, u"size"_s, u"what"_s});
    for (const JobFileMember& member : manifest.members)
        table.add({member.name, humanBytes(Bytes{member.bytes}), contentText(member)});
    table.print(out);
}

QJsonArray membersJson(const JobFileManifest& manifest)
{
    QJsonArray all;
    for (const JobFileMember& member : manifest.members)
        all.append(QJsonObject{{u"name"_s, member.name}, {u"kind"_s, toText(member.kind)},
            {u"bytes"_s, double(member.bytes)}, {u"sha256"_s, QString::fromLatin1(member.sha256)},
            {u"file"_s, orNull(member.file)}, {u"wholeBytes"_s, orNull(member.wholeBytes)}});
    return all;
}

} // namespace rankwright
