// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "app/cli/ownruns.h"
#include "models/document/scriptfindings.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// What holds of the design itself, then the members of its file that no design has.
QList<Finding> designFindings(const LoadedDesign& design, const CalibrationTable& runs)
{
    QList<Finding> findings = derive(design.resolved.spec, *design.profile, runs).findings;
    for (const QString& path : design.unknownMembers) {
        Finding unknown;
        unknown.rule = u"R00"_s;
        unknown.slug = u"unknown-member"_s;
        unknown.field = path.startsWith(u"$.") ? path.mid(2) : path;
        unknown.text = u"“%1” is not a member of a design: it changes nothing. Check its spelling, or remove it."_s.arg(
            unknown.field);
        findings.append(unknown);
    }
    return findings;
}

QJsonObject findingJson(const Finding& finding)
{
    return {
        {u"severity"_s, toText(finding.severity)},
        {u"rule"_s, orNull(finding.rule)},
        {u"slug"_s, orNull(finding.slug)},
        {u"line"_s, finding.line >= 0 ? QJsonValue(finding.line + 1) : QJsonValue()},
        {u"field"_s, orNull(finding.field)},
        {u"text"_s, finding.text},
        {u"fix"_s, orNull(finding.fix ? finding.fix->label : QString())},
        {u"source"_s, orNull(finding.source)},
    };
}

void printFindings(const CliContext& context, const QList<Finding>& findings)
{
    if (findings.isEmpty()) {
        context.out << u"No findings.\n"_s;
        return;
    }
    for (const Finding& finding : findings) {
        context.out << toText(finding.severity).leftJustified(8) << finding.rule.leftJustified(5);
        if (finding.line >= 0)
            context.out << u"line "_s << finding.line + 1 << u": "_s;
        context.out << finding.text << u'\n';
        if (!finding.field.isEmpty())
            context.out << QString(13, u' ') << u"field: "_s << finding.field << u'\n';
        if (finding.fix)
            context.out << QString(13, u' ') << u"fix: "_s << finding.fix->label << u'\n';
    }
}

/// Prints them and says whether one of them is an error.
int answer(const CliContext& context, const QList<Finding>& findings)
{
    if (context.json) {
        QJsonArray list;
        for (const Finding& finding : findings)
            list.append(findingJson(finding));
        printJson(context.out, QJsonObject{{u"findings"_s, list}});
    } else {
        printFindings(context, findings);
    }
    const bool refused = std::any_of(
        findings.cbegin(), findings.cend(), [](const Finding& finding) { return finding.severity == Severity::Error; });
    return refused ? ExitNo : ExitDone;
}

/// A design is a JSON object; whatever else is text is taken for a script.
bool isDesign(const QByteArray& bytes)
{
    QByteArray start = bytes.left(4096);
    if (start.startsWith("\xef\xbb\xbf"))
        start.remove(0, 3);
    return start.trimmed().startsWith('{');
}

int checkScript(const CliContext& context, const QString& name, const QByteArray& bytes)
{
    if (bytes.trimmed().isEmpty())
        return report(
            context, {Fault::Unreadable, name + u": is empty"_s, {}, u"give a design file or a batch script"_s});
    if (bytes.contains('\0'))
        return report(context,
            {Fault::Unreadable, name + u": is not text"_s, u"a zero byte at offset %1"_s.arg(bytes.indexOf('\0')),
                u"give a design file or a batch script"_s});
    const ClusterProfile* profile = nullptr;
    if (context.has(u"cluster"_s)) {
        const QString cluster = context.option(u"cluster"_s);
        profile = context.catalogue.find(cluster);
        if (profile == nullptr)
            return report(context,
                {Fault::Invalid, u"--cluster: “%1” is not in the catalogue"_s.arg(cluster), {},
                    u"choose one of "_s + context.catalogue.names().join(u", "_s)});
    }
    return answer(context, textFindings(QString::fromUtf8(bytes), profile));
}

int runCheck(const CliContext& context)
{
    const QString path = context.positional.value(0);
    const QString name = path == u"-" ? u"standard input"_s : path;
    const Result<QByteArray> bytes = readInput(path, name);
    if (!bytes)
        return report(context, bytes.error());
    if (!isDesign(*bytes))
        return checkScript(context, name, *bytes);
    if (context.has(u"cluster"_s))
        return report(context,
            {Fault::Invalid, name + u": is a design, which names its cluster itself"_s, {}, u"leave out --cluster"_s});
    const Result<LoadedDesign> design = loadDesign(context, name, *bytes);
    if (!design)
        return report(context, design.error());
    return answer(context, designFindings(*design, ownRuns(context)));
}

} // namespace

CliCommand checkCommand()
{
    return {
        .name = "check",
        .summary = "Check a design, or the text of a batch script; exit code 1 when it would fail",
        .words = "DESIGN|SCRIPT",
        .run = runCheck,
        .options = withOwnRuns(
            {{.name = "cluster", .value = "CLUSTER", .text = "of a script: check by this site's rules, too"}}),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
