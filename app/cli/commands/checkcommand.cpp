// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/commands/findingjson.h"
#include "app/cli/commands/sarifreport.h"
#include "app/cli/designfile.h"
#include "app/cli/inputstream.h"
#include "app/cli/ownruns.h"
#include "models/script/checks/launchchecks.h"
#include "models/script/document/scriptfindings.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// What holds of the design itself, then the members of its file that no design has.
CheckResult checkDesign(const LoadedDesign& design, const CalibrationTable& runs)
{
    const Derived derived = derive(design.resolved.spec, *design.profile, runs);
    QList<Finding> findings = derived.findings();
    for (const QString& path : design.unknownMembers) {
        Finding unknown;
        unknown.rule = u"R00"_s;
        unknown.slug = u"unknown-member"_s;
        unknown.field = path.startsWith(u"$.") ? path.mid(2) : path;
        unknown.text = u"“%1” is not a member of a design: it changes nothing. Check its spelling, or remove it."_s.arg(
            unknown.field);
        findings.append(unknown);
    }
    return {findings, derived.silenced()};
}

void printFindings(const CliContext& context, const QList<Finding>& findings)
{
    for (const Finding& finding : findings) {
        context.out << toText(finding.severity).leftJustified(8) << finding.rule.leftJustified(5);
        if (finding.lines)
            context.out << u"line "_s << finding.lines->first << u": "_s;
        context.out << finding.text << u'\n';
        if (!finding.field.isEmpty())
            context.out << QString(13, u' ') << u"field: "_s << finding.field << u'\n';
        for (const QString& label : finding.fixLabels())
            context.out << QString(13, u' ') << u"fix: "_s << label << u'\n';
    }
}

void printSilenced(const CliContext& context, const QList<Finding>& silenced)
{
    if (silenced.isEmpty())
        return;
    QStringList places;
    for (const Finding& finding : silenced)
        places.append(finding.lines ? u"%1 in line %2"_s.arg(finding.rule).arg(finding.lines->first) : finding.rule);
    context.out << u"silenced "_s << silenced.size() << u": "_s << places.join(u", "_s) << u'\n';
}

void printText(const CliContext& context, const QList<CheckedFile>& files)
{
    for (const CheckedFile& file : files) {
        if (files.size() > 1)
            context.out << file.name << u":\n"_s;
        if (file.result.findings.isEmpty())
            context.out << u"No findings.\n"_s;
        printFindings(context, file.result.findings);
        printSilenced(context, file.result.silenced);
    }
}

/// One file: its findings; several: a list of files.
QJsonObject answerJson(const QList<CheckedFile>& files, bool several)
{
    QJsonArray list;
    for (const CheckedFile& file : files) {
        QJsonObject one{
            {u"findings"_s, findingsJson(file.result.findings)}, {u"silenced"_s, findingsJson(file.result.silenced)}};
        if (!several)
            return one;
        one.insert(u"file"_s, file.name);
        list.append(one);
    }
    return {{u"files"_s, list}};
}

/// A design is a JSON object; whatever else is text is taken for a script.
bool isDesign(const QByteArray& bytes)
{
    QByteArray start = bytes.left(4096);
    if (start.startsWith("\xef\xbb\xbf"))
        start.remove(0, 3);
    return start.trimmed().startsWith('{');
}

Result<CheckedFile> checkScript(const QString& name, const QByteArray& bytes, const ClusterProfile* profile)
{
    if (bytes.trimmed().isEmpty())
        return fail(Fault::Unreadable, name + u": is empty"_s, {}, u"give a design file or a batch script"_s);
    if (bytes.contains('\0'))
        return fail(Fault::Unreadable, name + u": is not text"_s,
            u"a zero byte at offset %1"_s.arg(bytes.indexOf('\0')), u"give a design file or a batch script"_s);
    const QString text = ScriptBytes::read(bytes).text;
    CheckResult result = textFindings(text, profile);
    if (profile != nullptr)
        result.findings += scriptLaunchFindings(parseBatch(text), *profile);
    return CheckedFile{name, text, result};
}

Result<CheckedFile> checkFile(const CliContext& context, const QString& path, const ClusterProfile* profile)
{
    const QString name = inputName(path);
    const Result<QByteArray> bytes = readInput(path, name);
    if (!bytes)
        return fail(bytes.error());
    if (!isDesign(*bytes))
        return checkScript(name, *bytes, profile);
    if (context.has(u"cluster"_s))
        return fail(
            Fault::Invalid, name + u": is a design, which names its cluster itself"_s, {}, u"leave out --cluster"_s);
    const Result<LoadedDesign> design = loadDesign(context, name, *bytes);
    if (!design)
        return fail(design.error());
    return CheckedFile{name, {}, checkDesign(*design, ownRuns(context))};
}

int runCheck(const CliContext& context)
{
    const QString format = context.option(u"format"_s, context.json ? u"json"_s : u"text"_s);
    static const QStringList formats{u"text"_s, u"json"_s, u"sarif"_s};
    if (!formats.contains(format))
        return report(context,
            {Fault::Invalid, u"--format: there is no “%1”"_s.arg(format), {},
                u"choose one of "_s + formats.join(u", "_s)});
    const ClusterProfile* profile = nullptr;
    if (context.has(u"cluster"_s)) {
        const QString cluster = context.option(u"cluster"_s);
        profile = context.catalogue.find(cluster);
        if (profile == nullptr)
            return report(context,
                {Fault::Invalid, u"--cluster: “%1” is not in the catalogue"_s.arg(cluster), {},
                    u"choose one of "_s + context.catalogue.names().join(u", "_s)});
    }
    QList<CheckedFile> files;
    int code = ExitDone;
    for (const QString& path : context.positional) { // one that cannot be read does not hide the others
        const Result<CheckedFile> file = checkFile(context, path, profile);
        if (!file) {
            code = std::max(code, report(context, file.error()));
            continue;
        }
        files.append(*file);
        const bool refused = std::any_of(file->result.findings.cbegin(), file->result.findings.cend(),
            [](const Finding& finding) { return finding.severity == Severity::Error; });
        code = std::max<int>(code, refused ? ExitNo : ExitDone);
    }
    if (files.isEmpty())
        return code;
    if (format == u"sarif")
        printJson(context.out, sarifOf(files));
    else if (format == u"json")
        printJson(context.out, answerJson(files, context.positional.size() > 1));
    else
        printText(context, files);
    return code;
}

} // namespace

CliCommand checkCommand()
{
    return {
        .name = "check",
        .summary = "Check designs, or the texts of batch scripts; exit code 1 when one would fail",
        .words = "DESIGN|SCRIPT...",
        .run = runCheck,
        .options
        = withOwnRuns({{.name = "cluster", .value = "CLUSTER", .text = "of a script: check by this site's rules, too"},
            {.name = "format", .value = "text|json|sarif", .text = "sarif: SARIF 2.1.0, for code scanning"}}),
        .minimumWords = 1,
        .maximumWords = 100000,
    };
}

} // namespace rankwright
