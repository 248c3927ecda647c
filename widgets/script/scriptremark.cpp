// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/scriptremark.h"

#include <QRegularExpression>

#include <tuple>

namespace rankwright {

using namespace Qt::StringLiterals;

bool ScriptRemark::operator==(const ScriptRemark& other) const
{
    const auto shown = [](const ScriptRemark& one) {
        return std::tuple(one.index, one.finding.severity, one.lines.first, one.lines.last, one.finding.rule,
            one.finding.text, one.finding.source, one.fix());
    };
    return shown(*this) == shown(other);
}

RemarkSpan spanOf(const ScriptRemark& remark, const QString& line)
{
    static const QRegularExpression quoted(u"“([^”]+)”"_s);
    for (auto matches = quoted.globalMatch(remark.finding.text); matches.hasNext();) {
        QString word = matches.next().captured(1);
        if (word.endsWith(u'…'))
            word.chop(1);
        const qsizetype at = line.indexOf(word);
        if (at >= 0 && !word.trimmed().isEmpty())
            return {int(at), int(at + word.size())};
    }
    int from = 0;
    while (from < line.size() && line.at(from).isSpace())
        ++from;
    int to = int(line.size());
    while (to > from && line.at(to - 1).isSpace())
        --to;
    // A blank line still needs something to see: its whole width.
    return from < to ? RemarkSpan{from, to} : RemarkSpan{0, int(line.size())};
}

} // namespace rankwright
