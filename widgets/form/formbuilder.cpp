// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/formbuilder.h"

#include "widgets/base/card.h"

#include <QGridLayout>
#include <QLabel>

namespace rankwright {

namespace {
constexpr int labelWidth = 112;
constexpr int controlHeight = 28;
} // namespace

FormBuilder::FormBuilder(QWidget* parent, QGridLayout* grid) : m_parent(parent), m_grid(grid)
{
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnMinimumWidth(0, labelWidth);
    grid->setColumnStretch(1, 1);
}

QLabel* FormBuilder::section(const QString& title)
{
    auto* label = makeLabel(title, "section", m_parent);
    label->setMinimumHeight(m_next == 0 ? 20 : 32);
    label->setAlignment(Qt::AlignLeft | Qt::AlignBottom);
    label->setContentsMargins(0, 0, 0, 2);
    m_grid->addWidget(label, m_next++, 0, 1, 2);
    return label;
}

FormRow FormBuilder::row(const DesignField& field, const Design& design, QLabel* sectionLabel)
{
    FormRow row;
    row.field = field;
    row.usual = field.text(JobSpec());
    row.editor = FieldEditor::create(field.kind, m_parent);
    if (field.options)
        row.editor->setOptions(field.options(design));
    if (field.wide) {
        row.label = sectionLabel;
        m_grid->addWidget(row.editor, m_next++, 0, 1, 2);
    } else {
        row.label = makeLabel(labelOf(field, design.derived()), "quiet", m_parent);
        row.label->setMinimumHeight(controlHeight);
        m_grid->addWidget(row.label, m_next, 0, Qt::AlignTop);
        m_grid->addWidget(row.editor, m_next++, 1);
    }
    row.fault = makeLabel({}, "fault", m_parent);
    row.fault->setWordWrap(true);
    row.fault->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // no sentence pushes the captions aside
    row.fault->hide();
    m_grid->addWidget(row.fault, m_next++, field.wide ? 0 : 1, 1, field.wide ? 2 : 1);
    row.note = makeLabel({}, "caption", m_parent);
    row.note->setWordWrap(true);
    row.note->setTextFormat(Qt::RichText);
    row.note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row.note->hide();
    m_grid->addWidget(row.note, m_next++, field.wide ? 0 : 1, 1, field.wide ? 2 : 1);
    QWidget* control = row.editor->control();
    row.label->setBuddy(control);
    control->setAccessibleName(labelOf(field, design.derived()));
    control->setObjectName(field.path);
    return row;
}

void FormBuilder::add(QWidget* widget) { m_grid->addWidget(widget, m_next++, 0, 1, 2); }

} // namespace rankwright
