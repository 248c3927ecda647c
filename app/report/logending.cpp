// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/logending.h"

#include "models/core/shellquote.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/progress/traininglogreader.h"
#include "models/slurm/slurmparsers.h"
#include "models/slurm/slurmtext.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString rankSection(qsizetype file) { return u"ranks%1"_s.arg(file); }

RankBinding bindingIn(const QByteArray& lines, const TrainingProgress& progress)
{
    RankBinding binding;
    for (const QByteArray& line : lines.split('\n')) {
        if (const auto report = readRankReport(QString::fromUtf8(line).remove(u'\r')))
            binding.take(*report);
    }
    if (progress.step.value_or(0) > 0)
        binding.begin();
    return binding;
}

} // namespace

RemoteCommand logEndingCommand(const QStringList& paths)
{
    QString line;
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const QString path = shellQuote(paths.at(i));
        // control characters of the output itself would end a section
        line += u"printf '\\n%s\\n' "_s + shellQuote(QChar::fromLatin1(sectionMark) + QString::number(i))
            + u"; [ -r %1 ] && tail -c 262144 -- %1 | tr -d '\\035'; "_s.arg(path);
        line += u"printf '\\n%s\\n' "_s + shellQuote(QChar::fromLatin1(sectionMark) + rankSection(i))
            + u"; [ -r %1 ] && head -c 67108864 -- %1 | LC_ALL=C grep -a -F 'rankwright: rank ' | tail -n 4096 | "
              "cut -c1-2000 | tr -d '\\035'; "_s.arg(path);
    }
    RemoteCommand command = RemoteCommand::shell(line + u"exit 0"_s);
    command.deadlineSeconds = 60;
    return command;
}

QHash<QString, LogEnding> parseLogEnding(const QByteArray& answer, const QStringList& paths)
{
    QHash<QString, LogEnding> found;
    const QHash<QString, QByteArray> parts = splitSections(answer);
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const QByteArray text = parts.value(QString::number(i));
        if (text.trimmed().isEmpty())
            continue;
        TrainingLogReader reader;
        reader.feed(text);
        reader.finish();
        found.insert(paths.at(i),
            {reader.progress(), bindingIn(parts.value(rankSection(i)), reader.progress()), diagnose(text)});
    }
    return found;
}

} // namespace rankwright
