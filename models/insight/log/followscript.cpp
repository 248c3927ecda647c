// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/log/followscript.h"

#include "models/cluster/remote/remotelease.h"
#include "models/core/shellquote.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

QString followCommand(const QList<LogTail::Followed>& files, const QList<OutputFile>& patterns, qint64 lastBytes)
{
    QStringList words{u"bash"_s, u"-c"_s, leasedProgram(u"follow-files.sh"_s), u"rankwright"_s,
        QString::number(lastBytes), QString::number(LogTail::mostFiles), QString::number(files.size())};
    for (const LogTail::Followed& file : files)
        words << file.path << QString::number(file.offset.value_or(-1));
    for (const OutputFile& pattern : patterns)
        words << pattern.path;
    return shellQuote(words);
}

RemoteCommand rangeCommand(const QString& path, qint64 from, qint64 length)
{
    const QString script = u"tail -c +$2 -- \"$1\" | head -c $3"_s;
    RemoteCommand command = RemoteCommand::of({u"sh"_s, u"-c"_s, script, u"rankwright"_s, path,
        QString::number(from + 1), QString::number(qMax<qint64>(0, length))});
    command.purpose = u"Reads a part of a job's output"_s;
    command.outputLimit = length + 4096;
    return command;
}

RemoteCommand countLinesCommand(const QString& path, qint64 offset)
{
    const QString script
        = u"export LC_ALL=C; n=$(timeout 20 head -c $2 -- \"$1\" | wc -l; exit ${PIPESTATUS[0]}) && echo $n"_s;
    return RemoteCommand::of({u"bash"_s, u"-c"_s, script, u"rankwright"_s, path, QString::number(offset)})
        .withPurpose(u"Counts the lines of a job's output"_s);
}

RemoteCommand rankLinesCommand(const QString& path, qint64 before)
{
    constexpr qint64 mostRead = 256LL * 1024 * 1024; // they stand at the beginning
    const QString script = u"export LC_ALL=C; head -c $2 -- \"$1\" | grep -a -F 'rankwright: rank ' | tail -n 4096 | "
                           "cut -c1-2000"_s;
    RemoteCommand command = RemoteCommand::of(
        {u"sh"_s, u"-c"_s, script, u"rankwright"_s, path, QString::number(qBound<qint64>(0, before, mostRead))});
    command.purpose = u"Reads where the job's ranks run from its output"_s;
    command.outputLimit = 8 * 1024 * 1024;
    return command;
}

} // namespace rankwright::inline insight
