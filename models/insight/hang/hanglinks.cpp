// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hanglinks.h"

#include "models/insight/hang/hangrows.h"

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

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
