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

struct LinkPart {
    qsizetype from = 0;
    qsizetype length = 0;
    HangLink::To to = HangLink::To::Ranks;
};

/// Where the words name the one row's GPU or line.
QList<LinkPart> partsWithin(QStringView words, const HangRow& row)
{
    QList<LinkPart> parts;
    const auto find = [&](const QString& text, HangLink::To to) {
        if (const qsizetype at = text.isEmpty() ? -1 : words.indexOf(text); at >= 0)
            parts.append({at, text.size(), to});
    };
    if (!row.node.isEmpty() && row.gpu)
        find(u"node %1, GPU %2"_s.arg(row.node, QString::number(*row.gpu)), HangLink::To::Gpu);
    if (row.line)
        find(fileText(row), HangLink::To::Line);
    std::sort(parts.begin(), parts.end(), [](const LinkPart& a, const LinkPart& b) { return a.from < b.from; });
    return parts;
}

/// Without the spaces and signs at both ends that belong to no word.
HangLink trimmedLink(HangLink link, QStringView sentence)
{
    const auto isWord = [&](qsizetype at) { return sentence.at(at).isLetterOrNumber() || sentence.at(at) == u'“'; };
    while (link.length > 0 && !isWord(link.from)) {
        ++link.from;
        --link.length;
    }
    while (link.length > 0 && u" (,;"_s.contains(sentence.at(link.from + link.length - 1)))
        --link.length;
    return link;
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

QList<HangLink> hangLinks(const HangVerdict& verdict)
{
    QList<HangLink> links;
    const QStringView sentence(verdict.sentence);
    qsizetype behind = 0;
    for (const HangProof& proof : verdict.proofs) {
        const qsizetype at = sentence.indexOf(proof.words, behind);
        if (at < 0)
            continue;
        behind = at + proof.words.size();
        QList<LinkPart> parts;
        if (proof.rows.size() == 1 && proof.rows.first() < verdict.rows.size())
            parts = partsWithin(proof.words, verdict.rows.at(proof.rows.first()));
        const auto add = [&](qsizetype from, qsizetype to, HangLink::To kind) {
            const HangLink link = trimmedLink({at + from, to - from, kind, proof.source, proof.rows}, sentence);
            if (link.length > 0)
                links.append(link);
        };
        qsizetype done = 0;
        for (const LinkPart& part : std::as_const(parts)) {
            if (part.from < done)
                continue;
            add(done, part.from, HangLink::To::Ranks);
            add(part.from, part.from + part.length, part.to);
            done = part.from + part.length;
        }
        add(done, proof.words.size(), HangLink::To::Ranks);
    }
    return links;
}

} // namespace rankwright::inline insight
