// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/transfer/outputsanswer.h"

#include "app/base/datafolder.h"
#include "app/cli/clioutput.h"
#include "app/store/keptoutputs.h"
#include "app/store/recordings.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/core/jsonvalue.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr qsizetype longestMatch = 4000;
constexpr qsizetype mostNamed = 12;

QJsonObject fileJson(const ListedOutput& file)
{
    return {{u"path"_s, file.path}, {u"name"_s, file.path.section(u'/', -1)}, {u"rank"_s, orNull(file.rank)},
        {u"bytes"_s, double(file.size)}, {u"modified"_s, file.modified.toString(Qt::ISODate)}};
}

void printAnswer(const CliContext& context, const OutputsAnswer& answer, const QJsonValue& text)
{
    QJsonArray files;
    for (const ListedOutput& file : answer.files)
        files.append(fileJson(file));
    printJson(context.out,
        QJsonObject{
            {u"jobId"_s, answer.job}, {u"state"_s, toText(answer.state)}, {u"files"_s, files}, {u"text"_s, text}});
}

/// As the commands on the cluster do it: carriage returns of bars begin lines.
QStringList linesIn(const QByteArray& bytes)
{
    QStringList lines = QString::fromUtf8(bytes).replace(u'\r', u'\n').split(u'\n');
    if (lines.last().isEmpty())
        lines.removeLast();
    return lines;
}

QStringList wantedLines(QStringList lines, const OutputsRequest& request, const QRegularExpression& expression)
{
    if (!request.expression.isEmpty()) {
        lines.removeIf([&](const QString& line) { return !expression.match(line).hasMatch(); });
        for (QString& line : lines)
            line = line.left(longestMatch);
    }
    return lines.mid(qMax<qsizetype>(0, lines.size() - request.lines));
}

} // namespace

Result<OutputsRequest> outputsRequest(const CliContext& context)
{
    OutputsRequest request;
    request.job = context.positional.value(1);
    request.file = context.option(u"file"_s);
    request.expression = context.option(u"grep"_s);
    request.wantsText = context.has(u"file"_s) || context.has(u"tail"_s) || context.has(u"grep"_s);
    if (auto fault = jobIdFault(request.job))
        return fail(*fault);
    if (context.has(u"grep"_s) && request.expression.isEmpty())
        return fail(Fault::Invalid, u"--grep has no expression."_s, {}, u"Give one: --grep 'loss|error'."_s);
    if (context.has(u"tail"_s)) {
        bool isNumber = false;
        request.lines = context.option(u"tail"_s).toInt(&isNumber);
        if (!isNumber || request.lines < 1 || request.lines > mostOutputLines)
            return fail(Fault::Invalid, u"--tail takes a number of lines from 1 to %1."_s.arg(mostOutputLines),
                context.option(u"tail"_s), u"Give a number."_s);
    }
    return request;
}

Result<void> chooseOutputs(OutputsAnswer& answer, const OutputsRequest& request)
{
    for (const ListedOutput& file : std::as_const(answer.files)) {
        const bool isMeant = request.file == file.path || request.file == file.path.section(u'/', -1)
            || request.file == shortName(file.path, file.rank);
        if (request.file.isEmpty() ? answer.chosen.isEmpty() || !request.expression.isEmpty() : isMeant)
            answer.chosen.append(file);
    }
    if (!answer.chosen.isEmpty())
        return {};
    QStringList names;
    for (const ListedOutput& file : std::as_const(answer.files).first(qMin(answer.files.size(), mostNamed)))
        names.append(file.path.section(u'/', -1));
    return fail(Fault::Invalid, u"Job %1 has no output file “%2”."_s.arg(answer.job, request.file), {},
        u"Choose one of "_s + names.join(u", "_s) + (answer.files.size() > mostNamed ? u" …"_s : QString()));
}

int printOutputList(const CliContext& context, const OutputsAnswer& answer)
{
    if (context.json) {
        printAnswer(context, answer, {});
        return ExitDone;
    }
    TextTable table({u"size"_s, u"changed (UTC)"_s, u"rank"_s, u"file"_s});
    for (const ListedOutput& file : answer.files)
        table.add({humanBytes(Bytes{file.size}), file.modified.toString(u"yyyy-MM-dd HH:mm:ss"_s),
            file.rank ? QString::number(*file.rank) : QString(), file.path});
    table.print(context.out);
    return ExitDone;
}

int printOutputTexts(const CliContext& context, const OutputsAnswer& answer, const OutputsRequest& request)
{
    qsizetype count = 0;
    QJsonArray parts;
    const bool isNamed = answer.chosen.size() > 1;
    for (qsizetype i = 0; i < answer.chosen.size(); ++i) {
        const QString path = answer.chosen.at(i).path;
        count += answer.texts.at(i).size();
        if (!request.expression.isEmpty() && answer.texts.at(i).size() >= request.lines)
            context.err << u"rankwright-cli: of %1 the last %2 with a match; --tail N prints up to %3\n"_s.arg(
                path.section(u'/', -1), counted(request.lines, u"line"_s), QString::number(mostOutputLines));
        if (context.json) {
            parts.append(QJsonObject{{u"path"_s, path}, {u"lines"_s, QJsonArray::fromStringList(answer.texts.at(i))}});
            continue;
        }
        for (const QString& line : answer.texts.at(i))
            context.out << (isNamed ? path.section(u'/', -1) + u": "_s : QString()) << line << u'\n';
    }
    if (context.json)
        printAnswer(context, answer, parts);
    return count == 0 && !request.expression.isEmpty() ? ExitNo : ExitDone;
}

std::optional<int> printKeptOutputs(const CliContext& context, const QString& cluster, const OutputsRequest& request)
{
    const QString recording
        = findRecording(recordingsFolder(dataFolderPath(context.option(u"data-dir"_s))), cluster, request.job);
    if (recording.isEmpty())
        return {};
    const auto kept = readKeptOutputs(recording);
    if (!kept)
        return report(context, kept.error());
    if (kept->isEmpty())
        return {};
    OutputsAnswer answer;
    answer.job = request.job;
    if (const auto facts = readRecordingFacts(recording))
        answer.state = facts->job.state;
    for (const KeptOutput& output : *kept)
        answer.files.append({output.path, output.wholeBytes, output.modified, output.rank});
    context.err << u"rankwright-cli: the outputs are those that were kept on this machine when the job ended\n"_s;
    if (!request.wantsText)
        return printOutputList(context, answer);
    if (const auto chosen = chooseOutputs(answer, request); !chosen)
        return report(context, chosen.error());
    const QRegularExpression expression(request.expression);
    if (!expression.isValid())
        return report(context,
            {Fault::Invalid, u"--grep cannot use this expression."_s, expression.errorString(), u"Give another."_s});
    for (const ListedOutput& file : std::as_const(answer.chosen)) {
        const auto output = std::find_if(
            kept->begin(), kept->end(), [&file](const KeptOutput& each) { return each.path == file.path; });
        if (!output->isWhole())
            context.err << u"rankwright-cli: of %1 the last %2 are kept\n"_s.arg(
                file.path.section(u'/', -1), humanBytes(Bytes{qint64(output->bytes.size())}));
        answer.texts.append(wantedLines(linesIn(output->bytes), request, expression));
    }
    return printOutputTexts(context, answer, request);
}

} // namespace rankwright
