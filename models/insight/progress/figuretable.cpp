// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/figuretable.h"

#include "models/insight/progress/progressclues.h"
#include "models/insight/progress/progressnumbers.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestHeading = 2000; ///< characters
constexpr qsizetype mostCells = 64;
constexpr int otherLines = 20; ///< between two rows: what else a program prints

/// A cell of a row: a number, or what stands for none ("No log", "nan", "-"), or a time ("00:41").
std::optional<double> cellFigure(const QString& cell, bool& isCell)
{
    static const QRegularExpression none(uR"(^(?:no log|none|n/?a|-+|\d+:\d\d(?::\d\d)?)?$)"_s, noCase);
    static const QRegularExpression lost(u"^[-+]?(?:nan|inf(?:inity)?)$"_s, noCase);
    isCell = true;
    if (none.match(cell).hasMatch())
        return {};
    if (lost.match(cell).hasMatch())
        return std::numeric_limits<double>::quiet_NaN();
    const auto figure = decimalIn(cell.endsWith(u'%') ? cell.chopped(1) : cell);
    isCell = figure.has_value();
    return figure;
}

} // namespace

bool FigureTable::mayBegin(QByteArrayView raw)
{
    if (raw.size() > longestHeading)
        return false;
    qsizetype at = 0;
    while (at < raw.size() && (raw[at] == ' ' || raw[at] == '|' || raw[at] == '\t'))
        ++at;
    const char first = at < raw.size() ? char(raw[at] | 0x20) : ' ';
    if (first != 's' && first != 'e' && first != 'i' && first != 'g' && first != 'b') // step, epoch, iteration, global
        return false;
    return std::none_of(raw.begin(), raw.end(), [](char byte) { return byte >= '0' && byte <= '9'; });
}

QStringList FigureTable::cellsOf(const QString& text, Border border)
{
    QStringList cells;
    switch (border) {
    case Border::Tabs: cells = text.split(u'\t'); break;
    case Border::Bars: {
        QString inner = text.trimmed();
        if (inner.startsWith(u'|'))
            inner.remove(0, 1);
        if (inner.endsWith(u'|'))
            inner.chop(1);
        cells = inner.split(u'|');
        break;
    }
    case Border::Blanks: cells = text.simplified().split(u' '); break;
    }
    for (QString& cell : cells)
        cell = cell.trimmed();
    return cells;
}

FigureTable::Column FigureTable::columnOf(const QString& name)
{
    struct Name {
        QRegularExpression form;
        Column column;
    };
    static const QList<Name> names{
        {QRegularExpression(u"^(?:global[ _]?)?(?:steps?|iter(?:ation)?s?|batch)$"_s, noCase), Column::Step},
        {QRegularExpression(u"^epochs?$"_s, noCase), Column::Epoch},
        {QRegularExpression(u"^(?:(?:train(?:ing)?|lm)[ _/.]?)?loss$"_s, noCase), Column::Loss},
        {QRegularExpression(u"^(?:val(?:id(?:ation)?)?|eval(?:uation)?)[ _/.]?loss$"_s, noCase), Column::EvalLoss},
        {QRegularExpression(u"^(?:(?:mean|avg)[ _])?rewards?$"_s, noCase), Column::Reward},
        {QRegularExpression(u"^kl$"_s, noCase), Column::Kl},
        {QRegularExpression(u"^(?:tok(?:ens)?/s(?:ec)?|tps)$"_s, noCase), Column::Tokens},
    };
    for (const Name& one : names) {
        if (one.form.match(name).hasMatch())
            return one.column;
    }
    return Column::Other;
}

bool FigureTable::begin(const QString& text, Border border)
{
    static const QRegularExpression word(uR"(^[A-Za-z_][\w /().%@:-]{0,79}$)"_s);
    if (border == Border::Blanks && !text.trimmed().contains(u"  "_s)) // a sentence, no aligned columns
        return false;
    const QStringList cells = cellsOf(text, border);
    const qsizetype fewest = border == Border::Blanks ? 3 : 2;
    if (cells.size() < fewest || cells.size() > mostCells)
        return false;
    QList<Column> columns;
    for (const QString& cell : cells) {
        if (!word.match(cell).hasMatch() || cell.endsWith(u':'))
            return false;
        columns.append(columnOf(cell));
    }
    const bool isCount = columns.first() == Column::Step || columns.first() == Column::Epoch;
    const bool hasFigure = columns.contains(Column::Loss) || columns.contains(Column::Reward);
    if (!isCount || !hasFigure)
        return false;
    m_columns = columns;
    m_border = border;
    m_patience = otherLines;
    m_count = 0;
    return true;
}

std::optional<ProgressHint> FigureTable::rowIn(const QString& text)
{
    const QStringList cells = cellsOf(text, m_border);
    if (cells.size() != m_columns.size())
        return {};
    ProgressHint hint;
    hint.framework = m_border == Border::Tabs ? u"hf-trainer"_s : u"generic"_s;
    hint.isRow = true;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        bool isCell = false;
        const std::optional<double> figure = cellFigure(cells.at(i), isCell);
        if (!isCell)
            return {};
        const std::optional<double> known = figure && std::isfinite(*figure) ? figure : std::nullopt;
        switch (m_columns.at(i)) {
        case Column::Step: hint.step = wholeIn(cells.at(i)); break;
        case Column::Epoch: hint.epoch = known; break;
        case Column::Loss: hint.loss = hint.loss ? hint.loss : figure; break; // a lost one is news
        case Column::EvalLoss: hint.evalLoss = known; break;
        case Column::Reward: hint.reward = known; break;
        case Column::Kl: hint.kl = known; break;
        case Column::Tokens: hint.tokensPerSecond = known; break;
        case Column::Other: break;
        }
    }
    const std::optional<double> count = m_columns.first() == Column::Step
        ? (hint.step ? std::optional(double(*hint.step)) : std::nullopt)
        : hint.epoch;
    if (!count || !(*count >= m_count))
        return {};
    m_count = *count;
    hint.kind = hint.step ? ProgressHint::Kind::Step : ProgressHint::Kind::Epoch;
    if (hint.tokensPerSecond) {
        hint.rate = hint.tokensPerSecond;
        hint.rateUnit = u"tokens/s"_s;
    }
    return hint;
}

std::optional<ProgressHint> FigureTable::read(const QString& text)
{
    if (isOpen()) {
        if (const auto row = rowIn(text)) {
            m_patience = otherLines;
            return row;
        }
        --m_patience;
    }
    if (text.size() > longestHeading || text.isEmpty() || !mayBegin(text.toUtf8()))
        return {};
    if (text.contains(u'\t'))
        begin(text, Border::Tabs);
    else if (text.contains(u'|'))
        begin(text, Border::Bars);
    else
        begin(text, Border::Blanks);
    return {};
}

} // namespace rankwright::inline insight
