// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangtext.h"

#include "models/core/harmlesstext.h"
#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/insight/hang/hangrows.h"

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostCopiedFrames = 16; ///< of each odd rank

QString whoText(const HangVerdict& verdict, const HangFold& fold)
{
    const HangRow& first = verdict.rows.at(fold.rows.first());
    if (fold.rows.size() > 1) {
        QList<int> ranks;
        for (const qsizetype i : fold.rows) {
            if (verdict.rows.at(i).rank)
                ranks.append(*verdict.rows.at(i).rank);
        }
        return ranks.size() == fold.rows.size() ? u"ranks "_s + numberRangesForPeople(ranks)
                                                : counted(fold.rows.size(), u"process"_s, u"processes"_s);
    }
    QStringList words{first.rank ? u"rank %1"_s.arg(*first.rank) : u"a process"_s};
    if (!first.node.isEmpty())
        words.append(u"node "_s + first.node);
    if (first.gpu)
        words.append(u"GPU %1"_s.arg(*first.gpu));
    return words.join(u", "_s);
}

QString lineText(const HangVerdict& verdict, const HangFold& fold)
{
    const HangRow& first = verdict.rows.at(fold.rows.first());
    QStringList parts;
    for (const QString& part : {first.state ? u"state "_s + toText(*first.state) : QString(), first.waitChannel,
             first.collective, placeText(first)}) {
        if (!part.isEmpty())
            parts.append(part);
    }
    if (!first.last.isEmpty())
        parts.append(u"last known: "_s + first.last);
    const QString text = parts.isEmpty() ? u"nothing is known"_s : parts.join(u", "_s);
    return u"%1%2: %3"_s.arg(first.isOdd ? u"! "_s : u"  "_s, whoText(verdict, fold), text);
}

} // namespace

QString hangText(const HangVerdict& verdict)
{
    QStringList lines{verdict.sentence, QString()};
    for (const HangFold& fold : foldedRows(verdict.rows, 0))
        lines.append(lineText(verdict, fold));
    for (const HangRow& row : verdict.rows) {
        if (!row.isOdd || row.stack.isEmpty())
            continue;
        lines.append({QString(),
            row.rank ? u"Stack of rank %1, innermost first:"_s.arg(*row.rank) : u"Stack, innermost first:"_s});
        for (const QString& frame : row.stack.first(std::min(mostCopiedFrames, row.stack.size())))
            lines.append(u"    "_s + frame);
    }
    if (!verdict.notes.isEmpty())
        lines.append(QString());
    for (const QString& note : verdict.notes)
        lines.append(u"note: "_s + note);
    return harmlessText(lines.join(u'\n')) + u'\n';
}

QStringList hangAdvice(const HangVerdict& verdict)
{
    QStringList advice;
    const auto has
        = [&verdict](bool (*is)(const HangRow&)) { return std::any_of(verdict.rows.begin(), verdict.rows.end(), is); };
    if (verdict.rows.isEmpty() || verdict.cause == HangCause::Over)
        return advice;
    if (!has([](const HangRow& row) { return !row.stack.isEmpty(); }))
        advice.append(
            u"For functions and lines of Python: install py-spy in the program's environment (pip install py-spy), or start the program with RANKWRIGHT_STACKS=57 and faulthandler registered for that signal (docs/where.md)."_s);
    if (verdict.calledGroup.isEmpty() && verdict.rows.size() > 1)
        advice.append(
            u"For the number of each rank's collective: export TORCH_NCCL_TRACE_BUFFER_SIZE=2000 and TORCH_NCCL_DEBUG_INFO_PIPE_FILE=$PWD/flight_ in the script (newer PyTorch: TORCH_FR_BUFFER_SIZE and TORCH_FR_DEBUG_INFO_PIPE_FILE)."_s);
    return advice;
}

} // namespace rankwright::inline insight
