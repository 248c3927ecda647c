// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/log/outputlisting.h"

#include <QSet>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 lastBytes = 16LL * 1024 * 1024;
constexpr int longestSearch = 120; ///< seconds

RemoteCommand bashCommand(const QString& purpose, const QString& script, const QStringList& words)
{
    return RemoteCommand::of(QStringList{u"bash"_s, u"-c"_s, script, u"rankwright"_s} + words).withPurpose(purpose);
}

} // namespace

RemoteCommand listOutputsCommand(const QList<OutputFile>& files)
{
    // of each: "NUMBER SIZE SECONDS PATH" and a null byte; NUMBER is that of the pattern
    const QString script
        = u"export LC_ALL=C; shopt -s nullglob; IFS=; left=$1; shift; number=0; while [ $# -gt 1 ]; do "
          "if [ \"$1\" = glob ]; then found=($2); else found=(\"$2\"); fi; shift 2; "
          "for file in \"${found[@]}\"; do [ -f \"$file\" ] && [ $left -gt 0 ] || continue; left=$((left - 1)); "
          "stat -L --printf=\"$number %s %Y %n\\\\0\" -- \"$file\"; done; number=$((number + 1)); done; true"_s;
    QStringList words{QString::number(mostListedOutputs)};
    for (const OutputFile& file : files)
        words << (file.isPattern ? u"glob"_s : u"file"_s) << file.path;
    return bashCommand(u"Lists the files of a job's output"_s, script, words);
}

QList<ListedOutput> listedOutputs(const QByteArray& answer, const QList<OutputFile>& files)
{
    QList<ListedOutput> all;
    QSet<QString> known;
    for (const QByteArray& entry : answer.split('\0')) {
        const QString text = QString::fromUtf8(entry);
        bool hasNumber = false, hasSize = false, hasTime = false;
        const qsizetype number = text.section(u' ', 0, 0).toInt(&hasNumber);
        ListedOutput output;
        output.size = text.section(u' ', 1, 1).toLongLong(&hasSize);
        const qint64 seconds = text.section(u' ', 2, 2).toLongLong(&hasTime);
        output.path = text.section(u' ', 3);
        if (!hasNumber || !hasSize || !hasTime || output.path.isEmpty() || known.contains(output.path))
            continue;
        known.insert(output.path);
        output.modified = QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
        if (number >= 0 && number < files.size())
            output.rank = rankInName(files.at(number), output.path);
        all.append(output);
    }
    return all;
}

RemoteCommand lastLinesCommand(const QString& path, int lines)
{
    const QString script
        = u"export LC_ALL=C; tail -c $2 -- \"$1\" | sed 's/\\r$//' | tr '\\r' '\\n' | tail -n $3; exit ${PIPESTATUS[0]}"_s;
    RemoteCommand command = bashCommand(u"Reads the last lines of a job's output"_s, script,
        {path, QString::number(lastBytes), QString::number(qBound(1, lines, mostOutputLines))});
    command.deadlineSeconds = longestSearch;
    return command;
}

RemoteCommand matchingLinesCommand(const QString& path, const QString& expression, int lines)
{
    const QString script = u"export LC_ALL=C; [ -r \"$1\" ] || { echo \"$1: cannot be read\" >&2; exit 2; }; "
                           "sed 's/\\r$//' < \"$1\" | tr '\\r' '\\n' | timeout $4 grep -a -E -e \"$2\" | tail -n $3 | "
                           "cut -b 1-4000; exit ${PIPESTATUS[2]}"_s;
    RemoteCommand command = bashCommand(u"Searches a job's output"_s, script,
        {path, expression, QString::number(qBound(1, lines, mostOutputLines)), QString::number(longestSearch)});
    command.deadlineSeconds = longestSearch + 20;
    return command;
}

} // namespace rankwright::inline insight
