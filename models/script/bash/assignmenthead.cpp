// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/assignmenthead.h"

namespace rankwright::inline script {

qsizetype endOfAssignmentHead(QStringView text, qsizetype begin)
{
    constexpr qsizetype longestIndex = 80;
    const auto at = [&text](qsizetype place) { return place < text.size() ? text.at(place) : QChar(); };
    const auto isLetter = [](QChar c) { return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_'; };
    if (!isLetter(at(begin)))
        return -1;
    qsizetype end = begin + 1;
    while (isLetter(at(end)) || (at(end) >= u'0' && at(end) <= u'9'))
        ++end;
    if (at(end) == u'[') {
        const qsizetype index = ++end;
        const auto isBlank = [](QChar c) { return c == u' ' || (c >= u'\t' && c <= u'\r'); };
        while (end < text.size() && end - index < longestIndex && text.at(end) != u']' && !isBlank(text.at(end)))
            ++end;
        if (at(end) != u']')
            return -1;
        ++end;
    }
    if (at(end) == u'+')
        ++end;
    return at(end) == u'=' ? end + 1 : -1;
}

} // namespace rankwright::inline script
