// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/shellcursor.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

constexpr int deepest = 60; // of $( ${ (( in one another
constexpr int mostFaults = 20;

} // namespace

void ShellReading::addFault(int line, int column, const QString& what)
{
    if (out.faults.size() < mostFaults)
        out.faults.append({line, column, what});
}

ShellCursor::ShellCursor(const ShellInnerText& inner, ShellReading& reading, int nesting)
    : text(inner.text), depth(nesting), m_origins(inner.origins), m_early(inner.early), m_reading(reading)
{
    m_origins.push_back(m_origins.empty() ? 0 : m_origins.back() + 1); // the end of the text has a place, too
}

bool ShellCursor::isBlankAt(qsizetype place) const
{
    if (place >= text.size())
        return false;
    const QChar c = text.at(place);
    return c == u' ' || c == u'\t' || (c == u'\r' && (place + 1 >= text.size() || text.at(place + 1) == u'\n'));
}

bool ShellCursor::isWordEndAt(qsizetype place) const
{
    if (place >= text.size() || isBlankAt(place))
        return true;
    return u"\n;&|()<>"_s.contains(text.at(place));
}

void ShellCursor::skipBlanks()
{
    while (!atEnd()) {
        if (isBlankAt(at))
            ++at;
        else if (peek() == u'\\' && peek(1) == u'\n')
            at += 2;
        else if (peek() == u'\\' && peek(1) == u'\r' && peek(2) == u'\n')
            at += 3;
        else if (peek() == u'\\' && at + 1 == text.size() && m_origins.empty()) // the file ends: bash drops it
            ++at;
        else
            return;
    }
}

qsizetype ShellCursor::original(qsizetype place) const
{
    if (m_origins.empty())
        return place;
    return m_origins.at(static_cast<std::size_t>(qMin(place, static_cast<qsizetype>(m_origins.size()) - 1)));
}

QList<int> ShellCursor::originals(qsizetype begin, qsizetype count) const
{
    QList<int> places;
    addOriginals(begin, count, places);
    return places;
}

void ShellCursor::addOriginals(qsizetype begin, qsizetype count, QList<int>& places) const
{
    const qsizetype before = places.size();
    places.resize(before + count);
    int* place = places.data() + before;
    for (qsizetype i = 0; i < count; ++i)
        place[i] = static_cast<int>(original(begin + i));
}

int ShellCursor::lineOf(qsizetype originalPlace) const
{
    const QList<qsizetype>& starts = m_reading.lineStarts;
    const auto isIn = [&](qsizetype line) {
        return starts.at(line) <= originalPlace && (line + 1 == starts.size() || originalPlace < starts.at(line + 1));
    };
    qsizetype& near = m_reading.nearLine;
    if (isIn(near))
        return static_cast<int>(near) + 1;
    const auto behind = std::upper_bound(starts.cbegin(), starts.cend(), originalPlace);
    near = qMax<qsizetype>(0, behind - starts.cbegin() - 1);
    return static_cast<int>(behind - starts.cbegin());
}

int ShellCursor::columnOf(qsizetype originalPlace) const
{
    return static_cast<int>(originalPlace - m_reading.lineStarts.at(lineOf(originalPlace) - 1)) + 1;
}

void ShellCursor::fault(qsizetype place, const QString& what)
{
    const qsizetype whole = original(place);
    m_reading.addFault(lineOf(whole), columnOf(whole), what);
}

bool ShellCursor::tooDeep(qsizetype place)
{
    if (depth < deepest)
        return false;
    fault(place, u"This is nested too deeply to be read."_s);
    at = text.size();
    return true;
}

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
