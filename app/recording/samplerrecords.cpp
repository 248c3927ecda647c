// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/samplerrecords.h"

#include "models/script/write/jobsampler.h"
#include "models/telemetry/sampling/jobsamplerscript.h"

#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

RemoteCommand command(const QString& script, const QString& workdir, const QStringList& words, const QByteArray& input)
{
    const QString folder = u"cd -- \"${1:-$HOME}\" || exit; shift; "_s;
    return RemoteCommand::of(QStringList{u"sh"_s, u"-c"_s, folder + script, u"rankwright"_s, workdir} + words, input);
}

/// Reads the spans from standard input, then every record once. Whatever lies between two full readings ("=TIME") is
/// kept until it is known whether a wanted moment is among it.
const QString pieces = uR"AWK(
function flush(  i) {
  if (lines && hit) {
    if (sent + size > limit) { over = 1; exit }
    if (shown != head) { print head; shown = head }
    for (i = 1; i <= lines; i++) print line[i]
    sent += size
  }
  lines = size = hit = 0
}
function reach() { if (t) printf "@rwl %s %.0f\n", node, t; t = 0 }
function wanted(t,  i) {
  for (i = 1; i <= n["*"]; i++) if (t >= from["*", i] && t < to["*", i]) return 1
  for (i = 1; i <= n[node]; i++) if (t >= from[node, i] && t < to[node, i]) return 1
  return 0
}
FNR == NR { n[$1]++; from[$1, n[$1]] = $2; to[$1, n[$1]] = $3; next }
/^@rws / { flush(); if (node != $3) reach(); head = $0; node = $3; synced = 0; next }
/^@rwe / || NF < 2 || head == "" { next }
{
  if (substr($2, 1, 1) == "=") { flush(); t = substr($2, 2) + 0; synced = 1 }
  else if (!synced) next
  else t += $2
  line[++lines] = $0; size += length($0) + 1
  if (!hit && wanted(t)) hit = 1
}
END { if (!over) flush(); reach(); print "@rwz", over ? "limit" : "done" }
)AWK"_s;

} // namespace

RemoteCommand placeSamplerCommand(const QString& workdir)
{
    const QByteArray text = samplerScript();
    // A link that breaks gives a shorter text, not an error: so it is counted.
    const QString script
        = u"f=%1; mkdir -p \"${f%/*}\" && cat >\"$f.$$\" && [ \"$(wc -c <\"$f.$$\")\" -eq %2 ] && "
          "{ cmp -s \"$f.$$\" \"$f\" || mv -f \"$f.$$\" \"$f\"; }; r=$?; rm -f \"$f.$$\"; exit $r"_s.arg(
              samplerFileName, QString::number(text.size()));
    RemoteCommand made = command(script, workdir, {}, text);
    made.deadlineSeconds = 15;
    return made;
}

RemoteCommand fetchRecordCommand(
    const QString& workdir, const QString& job, const QList<MissingSpan>& missing, qint64 limit)
{
    QByteArray spans;
    for (const MissingSpan& part : missing) {
        spans += (part.node.isEmpty() ? QByteArray("*") : part.node.toUtf8()) + ' '
            + QByteArray::number(part.span.fromMs) + ' ' + QByteArray::number(part.span.toMs) + '\n';
    }
    const QString script = u"cd -- \"${1:-$HOME}/.rankwright/$2\" 2>/dev/null && set -- \"$3\" \"$4\" *.rws && "
                           "[ -r \"$3\" ] || { echo '@rwz none'; exit 0; }; l=$1 p=$2; shift 2; "
                           "exec awk -v limit=\"$l\" \"$p\" - \"$@\""_s;
    RemoteCommand made = RemoteCommand::of(
        {u"sh"_s, u"-c"_s, script, u"rankwright"_s, workdir, job, QString::number(limit), pieces}, spans);
    made.deadlineSeconds.reset();
    return made;
}

RemoteCommand listRecordsCommand(const QString& workdir)
{
    return command(u"for d in .rankwright/*/; do d=${d%/}; set -- \"$d\"/*.rws; [ -f \"$1\" ] || continue; "
                   "printf '@rwr %s %s %s %s\\n' \"${d##*/}\" $# \"$(cat \"$@\" | wc -c)\" "
                   "\"$(stat -c %Y \"$@\" | sort -n | tail -n 1)\"; done"_s,
        workdir, {}, {});
}

Result<QList<SamplerRecords>> readRecordList(const QByteArray& answer)
{
    QList<SamplerRecords> records;
    for (const QByteArray& line : answer.split('\n')) {
        const QByteArrayList words = line.simplified().split(' ');
        if (words.size() != 5 || words.first() != "@rwr")
            continue;
        records.append({QString::fromUtf8(words.at(1)), words.at(2).toInt(), words.at(3).toLongLong(),
            words.at(4).toLongLong() * 1000});
    }
    return records;
}

RemoteCommand removeRecordsCommand(const QString& workdir, const QStringList& jobs)
{
    // Only plain numbers: nothing that a person typed becomes a path.
    static const QRegularExpression number(u"^[0-9]{1,18}(_[0-9]{1,9})?$"_s);
    const QStringList safe = jobs.filter(number);
    return command(u"for j; do [ -d \".rankwright/$j\" ] || continue; rm -f -- \".rankwright/$j\"/*.rws; "
                   "rmdir -- \".rankwright/$j\" && echo \"removed $j\"; done"_s,
        workdir, safe, {});
}

QStringList readRemoved(const QByteArray& answer)
{
    QStringList jobs;
    for (const QByteArray& line : answer.split('\n')) {
        if (line.startsWith("removed "))
            jobs.append(QString::fromUtf8(line.mid(8)).trimmed());
    }
    return jobs;
}

} // namespace rankwright
