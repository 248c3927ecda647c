// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/factgrid.h"

#include "widgets/base/card.h"
#include "widgets/base/theme.h"

#include <QGridLayout>
#include <QLabel>

#include <algorithm>

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

void FactGrid::showText(QLabel* text, const Fact& fact) const
{
    const bool isCode = fact.code && !fact.value.isEmpty();
    setStyleProperty(text, "quiet", fact.value.isEmpty());
    text->setFont(isCode ? Theme::codeFont(12) : QFont());
    text->setMinimumWidth(isCode ? 60 : 0);
    text->setText(fact.value.isEmpty() ? m_whenEmpty : fact.value);
}

bool FactGrid::fits(const QList<Fact>& facts) const
{
    return std::equal(facts.begin(), facts.end(), m_rows.begin(), m_rows.end(),
        [](const Fact& fact, const Row& row) { return row.value && row.code == fact.code; });
}

void FactGrid::setFacts(const QList<Fact>& facts)
{
    if (!fits(facts)) {
        while (QLayoutItem* item = m_grid->takeAt(0)) {
            item->widget()->hide(); // hands the keyboard on; a deleted one takes it along
            item->widget()->deleteLater();
            delete item;
        }
        for (int row = 0; row < m_grid->rowCount(); ++row)
            m_grid->setRowStretch(row, 0);
        m_rows.clear();
        for (const Fact& fact : facts)
            add(fact);
        return;
    }
    for (qsizetype i = 0; i < facts.size(); ++i) {
        const Fact& fact = facts.at(i);
        QLabel* value = m_rows.at(i).value;
        m_rows.at(i).label->setText(fact.label);
        value->setAccessibleName(fact.label);
        showText(value, fact);
    }
}

void FactGrid::add(const Fact& fact)
{
    QLabel* text = makeText({}, "plain", this);
    showText(text, fact);
    addWidget(fact.label, text);
    m_rows.last().value = text;
    m_rows.last().code = fact.code;
}

void FactGrid::addWidget(const QString& label, QWidget* value)
{
    const int row = int(m_rows.size()) / m_columns;
    const int column = 2 * (int(m_rows.size()) % m_columns);
    // Rows stay together, room goes below; a largest height would cut texts that wrap.
    m_grid->setRowStretch(row, 0);
    m_grid->setRowStretch(row + 1, 1);
    QLabel* name = makeLabel(label, "quiet", this);
    value->setAccessibleName(label);
    m_rows.append({name});
    m_grid->addWidget(name, row, column, Qt::AlignTop);
    m_grid->addWidget(value, row, column + 1, Qt::AlignTop);
}

} // namespace rankwright
