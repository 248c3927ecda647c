// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/faultfield.h"

#include "widgets/base/card.h"

#include <QBoxLayout>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>

namespace rankwright {

FaultField::FaultField(
    QFormLayout* form, const QString& label, const QString& placeholder, Check check, QWidget* parent)
    : QWidget(parent), m_line(new QLineEdit(this)), m_fault(makeLabel({}, "fault", this)), m_check(std::move(check))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    m_line->setPlaceholderText(placeholder);
    m_line->setAccessibleName(label);
    m_fault->setWordWrap(true);
    m_fault->hide();
    m_row = new QHBoxLayout;
    m_row->addWidget(m_line, 1);
    column->addLayout(m_row);
    column->addWidget(m_fault);
    setFocusProxy(m_line);
    auto* name = makeLabel(label, "quiet", parent);
    name->setBuddy(m_line);
    form->addRow(name, this);
    connect(m_line, &QLineEdit::textChanged, this, &FaultField::check);
    connect(m_line, &QLineEdit::textEdited, this, &FaultField::edited);
}

void FaultField::addBeside(QWidget* other) { m_row->addWidget(other); }

QString FaultField::text() const { return m_line->text().trimmed(); }

void FaultField::setText(const QString& text)
{
    if (text != m_line->text()) {
        m_line->setText(text);
        m_line->setCursorPosition(0); // its beginning is seen
    }
    check();
}

QString FaultField::fault() const { return m_check ? m_check(text()) : QString(); }

void FaultField::check()
{
    const QString wrong = fault();
    m_fault->setText(wrong);
    m_fault->setVisible(!wrong.isEmpty());
    m_line->setAccessibleDescription(wrong);
    setStyleProperty(m_line, "invalid", !wrong.isEmpty());
}

} // namespace rankwright
