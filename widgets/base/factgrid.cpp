// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/factgrid.h"

#include "widgets/base/card.h"
#include "widgets/base/theme.h"

#include <QGridLayout>
#include <QLabel>

namespace rankwright {

QLabel* makeText(const QString& text, const char* role, QWidget* parent)
{
    QLabel* label = makeLabel(text, role, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

FactGrid::FactGrid(const QString& whenEmpty, int columns, QWidget* parent)
    : QWidget(parent), m_grid(new QGridLayout(this)), m_whenEmpty(whenEmpty), m_columns(columns)
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(14);
    m_grid->setVerticalSpacing(5);
    for (int column = 0; column < columns; ++column)
        m_grid->setColumnStretch(2 * column + 1, 1);
}

void FactGrid::clear()
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (int row = 0; row < m_grid->rowCount(); ++row)
        m_grid->setRowStretch(row, 0);
    m_count = 0;
}

void FactGrid::add(const QString& label, const QString& value, bool code)
{
    QLabel* text = makeText(value.isEmpty() ? m_whenEmpty : value, value.isEmpty() ? "quiet" : "plain", this);
    if (code && !value.isEmpty()) {
        text->setFont(Theme::codeFont(12));
        text->setMinimumWidth(60);
    }
    addWidget(label, text);
}

void FactGrid::addWidget(const QString& label, QWidget* value)
{
    const int row = m_count / m_columns;
    const int column = 2 * (m_count % m_columns);
    ++m_count;
    // Rows stay together, room goes below; a largest height would cut texts that wrap.
    m_grid->setRowStretch(row, 0);
    m_grid->setRowStretch(row + 1, 1);
    QLabel* name = makeLabel(label, "quiet", this);
    value->setAccessibleName(label);
    m_grid->addWidget(name, row, column, Qt::AlignTop);
    m_grid->addWidget(value, row, column + 1, Qt::AlignTop);
}

} // namespace rankwright
