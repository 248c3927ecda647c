// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/newdirective.h"

#include "models/script/bash/scriptquoting.h"
#include "models/script/batch/slurmoptions.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// Order in which new directives stand among others, whatever the order of the edits.
int rankOf(const QString& option)
{
    static const QStringList order{u"job-name"_s, u"account"_s, u"partition"_s, u"qos"_s, u"reservation"_s,
        u"constraint"_s, u"exclude"_s, u"nodes"_s, u"ntasks"_s, u"ntasks-per-node"_s, u"gpus-per-node"_s,
        u"cpus-per-task"_s, u"cpus-per-gpu"_s, u"mem"_s, u"mem-per-cpu"_s, u"mem-per-gpu"_s, u"time"_s, u"output"_s,
        u"error"_s, u"array"_s, u"dependency"_s, u"chdir"_s, u"signal"_s, u"mail-user"_s, u"mail-type"_s};
    return static_cast<int>(order.indexOf(option));
}

qsizetype startOfLine(const QString& text, int line)
{
    qsizetype at = 0;
    for (int i = 1; i < line; ++i) {
        const qsizetype next = text.indexOf(u'\n', at);
        if (next < 0)
            return text.size();
        at = next + 1;
    }
    return at;
}

} // namespace

std::optional<TextChange> newDirective(
    const BoundScript& bound, const QString& text, const QString& option, const QString& value)
{
    if (option.isEmpty() || !bound.directiveAt)
        return std::nullopt;
    const int rank = rankOf(option);
    int before = 0; // line after which it stands
    int firstLine = 0;
    int longOnes = 0, shortOnes = 0, blanks = 0, equals = 0;
    for (const BatchOption& other : bound.batch.options) {
        firstLine = firstLine == 0 ? other.line : qMin(firstLine, other.line);
        if (rankOf(other.name) <= rank)
            before = qMax(before, other.line);
        const bool isLong = other.typedName.startsWith(u"--");
        ++(isLong ? longOnes : shortOnes);
        if (isLong && other.hasValue)
            ++(other.written.contains(u'=') ? equals : blanks);
    }
    const SlurmOption* known = findSlurmOption(option, SlurmOption::Of::Sbatch);
    const bool isShort = shortOnes > longOnes && known != nullptr && !known->letter.isNull();
    const QString typed
        = isShort ? u"-%1 "_s.arg(known->letter) : u"--%1%2"_s.arg(option, blanks > equals ? u" "_s : u"="_s);
    QString line = u"#SBATCH "_s + typed + directiveWord(value);
    const qsizetype at = startOfLine(text, before > 0 ? before + 1 : firstLine);
    if (at > 0 && text.at(at - 1) != u'\n') // the last line, not ended
        line.prepend(lineEndAt(text, startOfLine(text, before)));
    else
        line.append(lineEndAt(text, at));
    return TextChange{{at, at}, line};
}

QString lineEndAt(const QString& text, qsizetype at)
{
    qsizetype end = text.indexOf(u'\n', at);
    if (end < 0)
        end = text.lastIndexOf(u'\n');
    return end > 0 && text.at(end - 1) == u'\r' ? u"\r\n"_s : u"\n"_s;
}

} // namespace rankwright::inline script
