// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/welcome/tilelayout.h"

#include "widgets/base/theme.h"

#include <QFontMetrics>
#include <QWidget>

#include <algorithm>

namespace rankwright {

namespace {

int heightOf(const QLayoutItem& item, int width)
{
    const int wanted = item.hasHeightForWidth() ? item.heightForWidth(width) : item.sizeHint().height();
    return std::max(wanted, item.minimumSize().height());
}

} // namespace

TileLayout::TileLayout(const Rule& rule, int spacing, QWidget* parent) : QLayout(parent), m_rule(rule)
{
    setSpacing(spacing);
    setContentsMargins(0, 0, 0, 0);
}

TileLayout::~TileLayout() { qDeleteAll(m_items); }

void TileLayout::addItem(QLayoutItem* item) { m_items.append(item); }

QLayoutItem* TileLayout::takeAt(int index)
{
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int TileLayout::columnsFor(int width) const
{
    const int least = QFontMetrics(Theme::uiFont()).averageCharWidth() * m_rule.leastCharacters;
    return std::clamp((width + spacing()) / std::max(1, least + spacing()), 1, m_rule.mostColumns);
}

int TileLayout::arrange(const QRect& area, Pass pass) const
{
    QList<QLayoutItem*> shown;
    for (QLayoutItem* item : m_items) {
        if (!item->isEmpty())
            shown.append(item);
    }
    if (shown.isEmpty())
        return 0;
    return m_rule.leastCharacters > 0 ? arrangeColumns(area, shown, pass) : arrangeInLines(area, shown, pass);
}

int TileLayout::arrangeColumns(const QRect& area, const QList<QLayoutItem*>& shown, Pass pass) const
{
    const int columns = columnsFor(area.width());
    const int room = area.width() - (columns - 1) * spacing();
    const bool wide = columns == m_rule.mostColumns && columns > 1;
    const double unit = room / (wide ? columns - 1 + m_rule.firstWeight : double(columns));
    const int first = wide ? qRound(unit * m_rule.firstWeight) : qRound(unit);
    int top = area.top();
    for (qsizetype row = 0; row < shown.size(); row += columns) {
        const qsizetype end = std::min<qsizetype>(row + columns, shown.size());
        const auto widthOf = [&](qsizetype i) { return i == row ? first : qRound(unit); };
        int height = 0;
        for (qsizetype i = row; i < end; ++i)
            height = std::max(height, heightOf(*shown.at(i), widthOf(i)));
        int left = area.left();
        for (qsizetype i = row; i < end; ++i) {
            const int width = i - row == columns - 1 ? area.left() + area.width() - left : widthOf(i);
            if (pass == Pass::Place)
                shown.at(i)->setGeometry(QRect(left, top, width, height));
            left += width + spacing();
        }
        top += height + spacing();
    }
    return top - spacing() - area.top();
}

/// The parts of a line stand on its middle.
int TileLayout::arrangeInLines(const QRect& area, const QList<QLayoutItem*>& shown, Pass pass) const
{
    const auto widthOf = [&area](const QLayoutItem* item) { return std::min(item->sizeHint().width(), area.width()); };
    int top = area.top();
    for (qsizetype first = 0; first < shown.size();) {
        qsizetype end = first;
        int used = 0;
        int height = 0;
        while (end < shown.size() && (end == first || used + widthOf(shown.at(end)) <= area.width())) {
            used += widthOf(shown.at(end)) + spacing();
            height = std::max(height, heightOf(*shown.at(end), widthOf(shown.at(end))));
            ++end;
        }
        int left = area.left();
        for (; first < end; ++first) {
            const int width = widthOf(shown.at(first));
            const int own = heightOf(*shown.at(first), width);
            if (pass == Pass::Place)
                shown.at(first)->setGeometry(QRect(left, top + (height - own) / 2, width, own));
            left += width + spacing();
        }
        top += height + spacing() / 2;
    }
    return top - spacing() / 2 - area.top();
}

QSize TileLayout::sizeHint() const
{
    int width = 0;
    for (const QLayoutItem* item : m_items)
        width += item->sizeHint().width() + spacing();
    return {width, heightForWidth(width)};
}

QSize TileLayout::minimumSize() const
{
    QSize least;
    for (const QLayoutItem* item : m_items) {
        if (!item->isEmpty())
            least = least.expandedTo(item->minimumSize());
    }
    return least;
}

void TileLayout::setGeometry(const QRect& area)
{
    QLayout::setGeometry(area);
    arrange(area, Pass::Place);
}

} // namespace rankwright
