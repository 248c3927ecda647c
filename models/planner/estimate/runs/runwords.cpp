// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runwords.h"

#include <QRegularExpression>

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner::runs {

namespace {

/// Year and month that a text names: "(2024-06-06)", "202412", "(24.07)".
int monthIn(const QString& text)
{
    static const QRegularExpression dashed(u"(?<![0-9])(20[12][0-9])-(0[1-9]|1[0-2])"_s);
    static const QRegularExpression packed(u"(?<![0-9])(20[12][0-9])(0[1-9]|1[0-2])(?![0-9])"_s);
    static const QRegularExpression release(u"\\((2[0-9])\\.(0[1-9]|1[0-2])\\)"_s);
    for (const QRegularExpression* form : {&dashed, &packed, &release}) {
        const QRegularExpressionMatch found = form->match(text);
        if (!found.hasMatch())
            continue;
        const int year = found.captured(1).toInt();
        return monthOf(year < 100 ? 2000 + year : year, found.captured(2).toInt());
    }
    return 0;
}

/// Compiling costs more than matching, and a table has thousands of rows.
const QRegularExpression& compiled(const QString& pattern)
{
    thread_local QHash<QString, QRegularExpression> known; // some dozens of patterns, all ours
    auto found = known.find(pattern);
    if (found == known.end())
        found = known.insert(pattern, QRegularExpression(pattern));
    return *found;
}

} // namespace

RunWords RunWords::of(const RunCells& cells)
{
    const auto lower = [&cells](const QString& column) { return cells.text(column).toLower().left(2000); };
    RunWords words{lower(u"source"_s), lower(u"hardware"_s), lower(u"model"_s), lower(u"strategy"_s),
        lower(u"precision"_s), lower(u"optimizer"_s), lower(u"act_ckpt"_s), lower(u"attention"_s), lower(u"notes"_s),
        0};
    words.month = monthIn(words.source);
    if (words.month == 0)
        words.month = monthIn(words.notes);
    return words;
}

bool has(const QString& text, const QString& word) { return text.contains(word); }

bool matches(const QString& text, const QString& pattern) { return compiled(pattern).match(text).hasMatch(); }

bool hasWord(const QString& text, const QString& word)
{
    return matches(text, u"(?<![a-z0-9])"_s + QRegularExpression::escape(word) + u"(?![a-z0-9])"_s);
}

std::optional<qint64> numberBehind(const QString& text, const QString& word)
{
    const QRegularExpression form = compiled(u"(?<![a-z])"_s + word + u"\\s*=?\\s*([0-9]{1,9})(?![0-9.])"_s);
    const QRegularExpressionMatch found = form.match(text);
    return found.hasMatch() ? std::optional(found.captured(1).toLongLong()) : std::nullopt;
}

void report(QString& sentences, const QString& sentence)
{
    if (!sentences.isEmpty())
        sentences += u' ';
    sentences += sentence.simplified(); // a cell that is quoted may hold lines
}

QString RunCells::text(const QString& column) const
{
    const auto found = m_columns.constFind(column);
    return found != m_columns.cend() && *found < m_cells.size() ? m_cells.at(*found).trimmed() : QString();
}

std::optional<qint64> RunCells::count(const QString& column, qint64 least, qint64 most) const
{
    const QString written = text(column);
    if (written.isEmpty())
        return std::nullopt;
    bool read = false;
    const double value = written.toDouble(&read);
    if (read && value >= static_cast<double>(least) && value <= static_cast<double>(most) && std::floor(value) == value)
        return static_cast<qint64>(value);
    const QString fault = u"%1 is “%2”: a whole number from %3 to %4 is needed."_s.arg(
        column, written.left(40).simplified(), QString::number(least), QString::number(most));
    if (!m_faults.contains(fault))
        m_faults.append(fault);
    return std::nullopt;
}

std::optional<double> RunCells::number(const QString& column) const
{
    bool read = false;
    const double value = text(column).toDouble(&read);
    return read && std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

} // namespace rankwright::inline planner::runs
