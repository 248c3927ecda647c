// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/scriptloss.h"

#include "models/lint/lintrequest.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// A command, or a directive, with the lines that continue it.
struct LogicalLine {
    int first = 1;
    int last = 1;
    QString text; ///< blanks folded
};

QString withoutQuotes(QString text) { return text.remove(u'"').remove(u'\''); }

QList<LogicalLine> logicalLines(const QString& script)
{
    QList<LogicalLine> all;
    const QStringList lines = script.split(u'\n');
    for (int i = 0; i < lines.size(); ++i) {
        LogicalLine line{i + 1, i + 1, lines.at(i)};
        while (line.text.endsWith(u'\\') && i + 1 < lines.size()) {
            line.text.chop(1);
            line.text += u' ' + lines.at(++i);
            line.last = i + 1;
        }
        line.text = withoutQuotes(line.text).simplified();
        all.append(line);
    }
    return all;
}

bool isComment(const QString& line)
{
    return line.isEmpty() || (line.startsWith(u'#') && !line.startsWith(u"#SBATCH"_s));
}

QString shown(const std::optional<int>& number) { return number ? QString::number(*number) : tr("not said"); }

/// What Slurm is asked for, figure by figure.
void compareRequests(const BatchText& before, const BatchText& now, QList<NotUnderstood>& losses)
{
    const lint::LintRequest asked = lint::readRequest(before);
    const lint::LintRequest asks = lint::readRequest(now);
    const auto compare = [&](const QString& what, const QString& option, const std::optional<int>& old,
                             const std::optional<int>& fresh) {
        if (!old || old == fresh)
            return;
        const BatchOption* written = before.option(option);
        losses.append({written ? written->line : 0, written ? written->written : what,
            tr("%1: your script asks for %2, the design for %3.").arg(what, shown(old), shown(fresh))});
    };
    compare(tr("Nodes"), u"nodes"_s, asked.nodesGiven ? asked.nodes : std::nullopt, asks.nodes);
    compare(tr("Tasks per node"), u"ntasks-per-node"_s, asked.tasksPerNode, asks.tasksPerNode);
    compare(tr("GPUs per node"), u"gpus-per-node"_s, asked.gpusPerNode, asks.gpusPerNode);
    compare(tr("CPUs per task"), u"cpus-per-task"_s, asked.cpusPerTask, asks.cpusPerTask);
}

bool stopsAtErrors(const BatchText& batch)
{
    return std::any_of(batch.lines.cbegin(), batch.lines.cend(), [](const QString& line) {
        const QString text = line.trimmed();
        return text.startsWith(u"set -"_s) && text.section(u' ', 1, 1).contains(u'e');
    });
}

} // namespace

QList<NotUnderstood> scriptLosses(const QString& original, const ScriptReading& reading, const QString& written)
{
    QSet<int> covered; // lines that a field says, or of which the reader speaks
    for (const int line : reading.understood)
        covered.insert(line);
    for (const NotUnderstood& part : reading.notUnderstood)
        covered.insert(part.line);
    QSet<QString> kept;
    for (const LogicalLine& line : logicalLines(written))
        kept.insert(line.text);
    const BatchText before = parseBatch(original);
    const BatchText now = parseBatch(written);
    for (const Launch& launch : before.launches) { // said by launcher, command and their options
        for (int line = launch.line; line <= launch.lastLine; ++line)
            covered.insert(line);
    }
    // A value that the script's new text says by another name, or in place, is not lost.
    const QString plain = withoutQuotes(written);
    for (const BatchVariable& variable : before.variables) {
        const auto value = staticValue(before, variable.value, variable.line);
        if (value && !value->isEmpty() && plain.contains(*value))
            covered.insert(variable.line);
    }
    QList<NotUnderstood> losses;
    for (const LogicalLine& line : logicalLines(original)) {
        if (isComment(line.text) || kept.contains(line.text))
            continue;
        bool isKept = false;
        for (int each = line.first; each <= line.last; ++each)
            isKept = isKept || covered.contains(each);
        if (!isKept)
            losses.append({line.first, line.text, tr("Dropped: no field says it, and the design's script lacks it.")});
    }
    compareRequests(before, now, losses);
    if (stopsAtErrors(now) && !stopsAtErrors(before))
        losses.append(
            {0, u"set -e"_s, tr("Added: the design's script ends at the first command that fails; yours went on.")});
    return losses;
}

} // namespace rankwright
