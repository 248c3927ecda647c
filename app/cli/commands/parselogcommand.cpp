// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/parselogcommand.h"

#include "app/cli/clioutput.h"
#include "app/cli/utf8text.h"
#include "models/insight/diagnosis/diagnosisjson.h"
#include "models/insight/progress/progressjson.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr qint64 pieceBytes = 256 * 1024; // stays in the processor's cache

void printText(QTextStream& out, const TrainingProgress& progress, const QList<Diagnosis>& diagnoses)
{
    const auto of = [](const auto& value, const auto& total) {
        const QString first = value ? QString::number(double(*value), 'g', 12) : u"unknown"_s;
        return total ? u"%1 of %2"_s.arg(first, QString::number(double(*total), 'g', 12)) : first;
    };
    TextFacts facts;
    if (progress.epoch)
        facts.add(u"epoch"_s, of(progress.epoch, progress.epochs));
    if (progress.step)
        facts.add(u"step"_s, of(progress.step, progress.steps));
    if (progress.loss)
        facts.add(u"loss"_s, QString::number(*progress.loss));
    if (progress.rate)
        facts.add(u"rate"_s, QString::number(*progress.rate, 'g', 8) + u' ' + progress.rateUnit);
    if (progress.etaSeconds)
        facts.add(u"time left"_s, humanDuration(Seconds(qint64(*progress.etaSeconds))));
    facts.print(out);
    for (const Diagnosis& diagnosis : diagnoses) {
        QString who;
        if (diagnosis.rank)
            who += u", rank %1"_s.arg(*diagnosis.rank);
        if (diagnosis.gpu)
            who += u", GPU %1"_s.arg(*diagnosis.gpu);
        if (!diagnosis.node.isEmpty())
            who += u", node "_s + diagnosis.node;
        if (diagnosis.line > 0)
            who += u", line %1"_s.arg(diagnosis.line);
        out << diagnosis.kind << who << u"\n  "_s << diagnosis.evidence << u"\n  "_s << diagnosis.advice << u'\n';
    }
    if (diagnoses.isEmpty())
        out << u"No known failure in this output.\n"_s;
}

} // namespace

int runParseLog(const CliContext& context)
{
    if (context.positional.size() > 2)
        return report(
            context, {Fault::Invalid, u"parse log reads one output at a time."_s, {}, u"Use parse log < OUTPUT."_s});
    const QString path = context.positional.value(1, u"-"_s);
    QFile file(path);
    if (!(path == u"-" ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly)))
        return report(context,
            {Fault::Unreadable, u"The output %1 cannot be read."_s.arg(path), file.errorString(),
                u"Check the path."_s});
    const auto patterns = userPatterns(context.all(u"pattern"_s));
    if (!patterns)
        return report(context, patterns.error());
    TrainingLogReader reader;
    reader.setSummaryOnly(true);
    reader.setPatterns(*patterns);
    LogDiagnoser diagnoser;
    Utf8Text text;
    while (true) {
        const QByteArray bytes = file.read(pieceBytes);
        if (bytes.isEmpty())
            break;
        const QByteArray piece = text.next(bytes);
        reader.feed(piece);
        diagnoser.feed(piece);
    }
    reader.finish();
    if (!reader.patternTrouble().isEmpty())
        report(context, {Fault::Invalid, reader.patternTrouble(), {}, u"Make it simpler."_s}, ExitDone);
    const QList<Diagnosis> diagnoses = diagnoser.diagnoses();
    if (!context.json) {
        printText(context.out, reader.progress(), diagnoses);
        return ExitDone;
    }
    QJsonArray reported;
    for (const Diagnosis& diagnosis : diagnoses)
        reported.append(diagnosisJson(diagnosis));
    const QString framework
        = reader.progress().framework.isEmpty() ? diagnoser.framework() : reader.progress().framework;
    printJson(context.out,
        {{u"framework"_s, orNull(framework)}, {u"progress"_s, progressJson(reader.progress())},
            {u"diagnoses"_s, reported}});
    return ExitDone;
}

} // namespace rankwright
