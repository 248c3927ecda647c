// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/guideentries.h"

#include "widgets/base/card.h"
#include "widgets/base/richtooltip.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QCompleter>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>

namespace rankwright {

using namespace Qt::StringLiterals;

GuideEntries::GuideEntries(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
}

void GuideEntries::rebuild(const QList<GuideEntry>& entries)
{
    if (m_body) {
        m_body->hide();
        m_body->deleteLater();
    }
    m_rows.clear();
    m_body = new QWidget(this);
    m_grid = new QGridLayout(m_body);
    m_grid->setContentsMargins(2, 4, 2, 0);
    m_grid->setVerticalSpacing(4);
    layout()->addWidget(m_body);
    for (const GuideEntry& entry : entries) {
        Row row;
        const int at = int(m_rows.size()) * 3;
        auto* label = makeLabel(entry.label, "quiet", m_body);
        QWidget* editor = nullptr;
        if (entry.fixed) {
            editor = row.choice = new QComboBox(m_body);
            row.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            row.choice->setMinimumContentsLength(10);
            connect(row.choice, &QComboBox::textActivated, this,
                [this, field = entry.field](const QString& text) { emit entered(field, text); });
        } else {
            editor = row.edit = new QLineEdit(m_body);
            connect(row.edit, &QLineEdit::editingFinished, this, [this, field = entry.field, edit = row.edit] {
                if (!edit->isModified())
                    return;
                edit->setModified(false);
                emit entered(field, edit->text());
            });
        }
        editor->setObjectName(u"guide."_s + entry.field);
        editor->setAccessibleName(entry.label);
        editor->setAccessibleDescription(entry.help);
        editor->setToolTip(richToolTip(entry.help));
        label->setBuddy(editor);
        row.trouble = makeLabel({}, "fault", m_body);
        row.trouble->setWordWrap(true);
        m_grid->addWidget(label, at, 0);
        m_grid->addWidget(editor, at + 1, 0);
        m_grid->addWidget(row.trouble, at + 2, 0);
        m_rows.append(row);
    }
    m_body->show();
}

void GuideEntries::fill(Row& row, const GuideEntry& entry)
{
    const bool newChoices = row.entry.choices != entry.choices;
    if (row.choice) {
        const QSignalBlocker blocker(row.choice);
        if (newChoices || row.choice->count() == 0) {
            row.choice->clear();
            row.choice->addItems(entry.choices);
        }
        row.choice->setCurrentIndex(int(entry.choices.indexOf(entry.value)));
    } else {
        const bool isTyped = row.edit->hasFocus() && row.edit->isModified();
        if (!isTyped && row.edit->text() != entry.value)
            row.edit->setText(entry.value);
        row.edit->setPlaceholderText(entry.placeholder);
        if (newChoices) {
            auto* completer = new QCompleter(entry.choices, row.edit);
            completer->setCaseSensitivity(Qt::CaseInsensitive);
            completer->setFilterMode(Qt::MatchContains);
            row.edit->setCompleter(completer);
        }
    }
    row.trouble->setText(entry.trouble);
    row.trouble->setVisible(!entry.trouble.isEmpty());
    row.entry = entry;
}

void GuideEntries::setEntries(const QList<GuideEntry>& entries)
{
    QStringList fields, shown;
    for (const GuideEntry& entry : entries)
        fields.append(entry.field);
    for (const Row& row : m_rows)
        shown.append(row.entry.field);
    if (fields != shown)
        rebuild(entries);
    for (int i = 0; i < m_rows.size(); ++i)
        fill(m_rows[i], entries.at(i));
    setVisible(!entries.isEmpty());
}

QWidget* GuideEntries::editorOf(const FieldPath& field) const
{
    for (const Row& row : m_rows) {
        if (row.entry.field == field)
            return row.choice ? static_cast<QWidget*>(row.choice) : row.edit;
    }
    return nullptr;
}

} // namespace rankwright
