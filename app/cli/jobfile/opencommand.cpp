// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/commands/reportprinter.h"
#include "app/cli/jobfile/memberlist.h"
#include "app/jobfile/jobfilereport.h"
#include "app/jobfile/jobfilewords.h"
#include "app/report/reportjson.h"
#include "models/cluster/slurm/jobrecordjson.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int printMember(const CliContext& context, const JobFile& file)
{
    const QString name = context.option(u"member"_s);
    const JobFileMember* member = file.manifest().member(name);
    const bool isText
        = member && member->kind != JobFileMember::Kind::Recording && member->kind != JobFileMember::Kind::Other;
    if (!isText) {
        QStringList names;
        for (const JobFileMember& each : file.manifest().members) {
            if (each.kind != JobFileMember::Kind::Recording && each.kind != JobFileMember::Kind::Other)
                names.append(each.name);
        }
        return report(context,
            {Fault::Invalid, u"There is no text “%1” in it."_s.arg(name), {},
                u"Choose one of "_s + names.join(u", "_s)});
    }
    const QString text = QString::fromUtf8(file.text(*member));
    if (context.json)
        printJson(context.out, QJsonObject{{u"name"_s, name}, {u"text"_s, text}});
    else
        context.out << text << (text.endsWith(u'\n') ? QString() : u"\n"_s);
    return ExitDone;
}

int printOpened(const CliContext& context, const JobFile& file, const Result<JobReports>& made)
{
    const JobFileManifest& manifest = file.manifest();
    printJson(context.out,
        QJsonObject{{u"file"_s, file.path()}, {u"bytes"_s, double(file.bytes())},
            {u"program"_s, orNull(manifest.program)}, {u"made"_s, timeJson(manifest.made)},
            {u"cluster"_s, manifest.cluster}, {u"clusterTitle"_s, orNull(manifest.clusterTitle)},
            {u"job"_s, jobRecordJson(manifest.job)}, {u"secretsLeftOut"_s, manifest.secretsLeftOut},
            {u"ignoredEntries"_s, file.ignoredEntries()}, {u"members"_s, membersJson(manifest)},
            {u"report"_s, made ? QJsonValue(reportsJson(*made)) : QJsonValue()},
            {u"fault"_s, made ? QJsonValue() : QJsonValue(made.error().oneLine())}});
    return ExitDone;
}

int runOpen(const CliContext& context)
{
    const auto format = reportFormat(context);
    if (!format)
        return report(context, format.error());
    const auto opened = JobFile::open(context.positional.value(0));
    if (!opened)
        return report(context, opened.error());
    const JobFile& file = **opened;
    const JobFileManifest& manifest = file.manifest();
    if (context.has(u"member"_s))
        return printMember(context, file);
    const auto made = reportOf(file, context.catalogue);
    if (context.json)
        return printOpened(context, file, made);
    if (*format == ReportFormat::Text) {
        TextFacts facts;
        facts.add(u"job"_s,
            u"%1 on %2"_s.arg(
                manifest.job.id, manifest.clusterTitle.isEmpty() ? manifest.cluster : manifest.clusterTitle));
        facts.add(u"file"_s, u"%1, %2"_s.arg(file.path(), humanBytes(Bytes{file.bytes()})));
        facts.add(u"made"_s,
            u"%1, by Rankwright %2"_s.arg(
                manifest.made.isValid() ? manifest.made.toUTC().toString(Qt::ISODate) : u"-"_s, manifest.program));
        facts.print(context.out);
        context.out << u'\n';
        printMembers(manifest, context.out);
        if (const QString left = secretsText(manifest); !left.isEmpty())
            context.out << left << u'\n';
        context.out << u'\n';
    }
    if (made)
        return printReports(*made, context, manifest.cluster);
    const QByteArray text = file.text(JobFileMember::Kind::ReportText);
    if (text.isEmpty())
        return report(context, made.error(), ExitNo);
    context.err << u"rankwright-cli: %1; this is the report as it was written\n"_s.arg(made.error().oneLine());
    context.out << QString::fromUtf8(text);
    return ExitDone;
}

} // namespace

CliCommand openCommand()
{
    return {
        .name = "open",
        .summary = "Show what is in a job file, and the report on its job",
        .words = "FILE.rwjob",
        .run = runOpen,
        .options = {reportFormatOption(),
            {.name = "member", .value = "NAME", .text = "the text of this member: output/1-job.out, script.sh"}},
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
