// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/logending.h"

#include "models/cluster/slurm/slurmparsers.h"
#include "models/cluster/slurm/slurmtext.h"
#include "models/core/shellquote.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/progress/traininglogreader.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString rankSection(qsizetype file) { return u"ranks%1"_s.arg(file); }

/// The first file that counts steps, as while a job is watched; bars go to the errors.
TrainingProgress progressIn(const QList<LogEndingText>& files)
{
    TrainingProgress progress;
    for (const LogEndingText& file : files) {
        TrainingLogReader reader;
        reader.feed(file.end);
        reader.finish();
        if (!progress.step && reader.progress() != TrainingProgress())
            progress = reader.progress();
    }
    return progress;
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
    command.purpose = u"Reads the ends of a job's output for its report"_s;
    command.deadlineSeconds = 60;
    return command;
}

QHash<QString, LogEndingText> splitLogEndings(const QByteArray& answer, const QStringList& paths)
{
    QHash<QString, LogEndingText> found;
    const QHash<QString, QByteArray> parts = splitSections(answer);
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const LogEndingText text{parts.value(QString::number(i)), parts.value(rankSection(i))};
        if (!text.end.trimmed().isEmpty())
            found.insert(paths.at(i), text);
    }
    return found;
}

LogEnding readLogEnding(const QList<LogEndingText>& files, std::optional<int> nodes)
{
    LogEnding ending;
    ending.progress = progressIn(files);
    LogDiagnoser diagnoser;
    diagnoser.setNodes(nodes);
    for (qsizetype i = 0; i < files.size(); ++i) {
        diagnoser.feed(files.at(i).end, int(i));
        for (const QByteArray& line : files.at(i).ranks.split('\n')) {
            if (const auto report = readRankReport(QString::fromUtf8(line).remove(u'\r')))
                ending.binding.addReport(*report);
        }
    }
    if (ending.progress.step.value_or(0) > 0)
        ending.binding.begin();
    ending.diagnoses = diagnoser.diagnoses();
    return ending;
}

} // namespace rankwright
