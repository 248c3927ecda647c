// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/linecells.h"

#include "models/cluster/remote/linetags.h"

#include <QtGlobal>

#include <array>

namespace rankwright::inline insight::linecells {

namespace {

bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }

QByteArrayView withoutLabel(QByteArrayView line)
{
    qsizetype at = 0;
    while (at < line.size() && line[at] == ' ')
        ++at;
    const qsizetype digits = at;
    while (at < line.size() && isDigit(line[at]))
        ++at;
    const bool isLabel = at > digits && at + 1 < line.size() && line[at] == ':' && line[at + 1] == ' ';
    return isLabel ? line.sliced(at + 2) : line;
}

} // namespace

std::optional<Head> headOf(QByteArrayView line, QByteArrayView tag)
{
    if (line.size() > longestLine)
        return {};
    const QByteArrayView bare = line.startsWith('@') ? line : withoutLabel(line);
    if (!linetags::begins(bare, tag))
        return {};
    const qsizetype node = tag.size() + 1;
    const qsizetype time = bare.indexOf(' ', node) + 1;
    const qsizetype rest = time > 0 ? bare.indexOf(' ', time) + 1 : 0;
    if (rest <= 0 || time - 1 == node)
        return {};
    const auto ms = whole(bare.sliced(time, rest - 1 - time), std::numeric_limits<qint64>::max() / 10 - 1);
    if (!ms)
        return {};
    return Head{bare.sliced(node, time - 1 - node), *ms, bare.sliced(rest)};
}

std::optional<qint64> whole(QByteArrayView cell, qint64 high)
{
    if (cell.isEmpty() || cell.size() > 18)
        return {};
    qint64 value = 0;
    for (const char letter : cell) {
        if (!isDigit(letter))
            return {};
        value = 10 * value + (letter - '0');
    }
    return value <= high ? std::optional<qint64>(value) : std::nullopt;
}

std::optional<double> decimal(QByteArrayView cell, double low, double high)
{
    // up to 15 digits and a power of ten up to 10^15 are exact as doubles: the quotient is the nearest double
    static constexpr int mostDigits = 15;
    static constexpr std::array<double, mostDigits + 1> tens{
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    qint64 digits = 0;
    int count = 0;
    int behind = -1; // digits behind the point; -1: no point yet
    for (const char letter : cell) {
        if (letter == '.' && behind < 0 && count > 0) {
            behind = 0;
            continue;
        }
        if (!isDigit(letter) || ++count > mostDigits)
            return {};
        digits = 10 * digits + (letter - '0');
        behind += behind >= 0 ? 1 : 0;
    }
    if (count == 0)
        return {};
    const double value = double(digits) / tens.at(static_cast<std::size_t>(qMax(0, behind)));
    return value >= low && value <= high ? std::optional<double>(value) : std::nullopt;
}

QByteArrayView Cells::next()
{
    if (!m_more) {
        m_whole = false;
        return {};
    }
    ++m_count;
    const qsizetype end = m_rest.indexOf(';');
    m_whole = end >= 0;
    const QByteArrayView cell = m_whole ? m_rest.first(end) : m_rest;
    m_more = m_whole;
    m_rest = m_whole ? m_rest.sliced(end + 1) : QByteArrayView();
    return cell;
}

} // namespace rankwright::inline insight::linecells
