// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/classchecklist.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int smallestIcon = 16;

struct Look {
    QString icon;
    Theme::Token colour;
};

Look lookOf(CheckState state)
{
    switch (state) {
    case CheckState::Seen: return {u"check"_s, Theme::Token::Good};
    case CheckState::NotYet: return {u"ring"_s, Theme::Token::Foreground3};
    case CheckState::Unknown: break;
    }
    return {u"ring-dashed"_s, Theme::Token::Foreground3};
}

} // namespace

QString stateWords(CheckState state)
{
    switch (state) {
    case CheckState::Seen: return ClassCheckList::tr("seen");
    case CheckState::NotYet: return ClassCheckList::tr("not yet");
    case CheckState::Unknown: break;
    }
    return ClassCheckList::tr("cannot be known");
}

ClassCheckList::ClassCheckList(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    connect(&themeOf(this), &Theme::changed, this, &ClassCheckList::showAll);
}

void ClassCheckList::addRow()
{
    Row row;
    row.whole = new QWidget(this);
    auto* grid = new QGridLayout(row.whole);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(9);
    grid->setVerticalSpacing(1);
    grid->setColumnStretch(1, 1);
    row.shape = new QLabel(row.whole);
    row.text = makeLabel({}, "plain", row.whole);
    row.text->setWordWrap(true);
    row.where = makeLabel({}, "caption", row.whole);
    row.remedy = makeLabel({}, "plain", row.whole);
    row.remedy->setObjectName(u"checkRemedy"_s);
    row.hint = makeLabel({}, "plain", row.whole);
    row.hint->setObjectName(u"checkHint"_s);
    for (QLabel* label : {row.where, row.remedy, row.hint})
        label->setWordWrap(true);
    grid->addWidget(row.shape, 0, 0, Qt::AlignTop);
    grid->addWidget(row.text, 0, 1);
    grid->addWidget(row.where, 1, 1);
    grid->addWidget(row.remedy, 2, 1);
    grid->addWidget(row.hint, 3, 1);
    layout()->addWidget(row.whole);
    row.whole->show();
    m_rows.append(row);
}

void ClassCheckList::setVerdicts(const QList<CheckVerdict>& verdicts)
{
    if (verdicts == m_verdicts)
        return;
    m_verdicts = verdicts;
    while (m_rows.size() < verdicts.size())
        addRow();
    while (m_rows.size() > verdicts.size()) {
        QWidget* last = m_rows.takeLast().whole;
        last->hide();
        last->deleteLater();
    }
    showAll();
}

void ClassCheckList::showAll()
{
    for (qsizetype i = 0; i < m_rows.size(); ++i)
        show(m_rows.at(i), m_verdicts.at(i));
}

void ClassCheckList::show(const Row& row, const CheckVerdict& verdict)
{
    const Look look = lookOf(verdict.state);
    row.shape->setPixmap(iconPixmap(look.icon, themeOf(this).colour(look.colour),
        qMax(smallestIcon, row.text->fontMetrics().height()), devicePixelRatioF()));
    row.shape->setAccessibleName(stateWords(verdict.state));
    row.text->setText(verdict.text);
    row.text->setAccessibleName(u"%1: %2"_s.arg(verdict.text, stateWords(verdict.state)));
    const QString unknown
        = verdict.where.isEmpty() ? tr("cannot be known") : tr("cannot be known: %1").arg(verdict.where);
    row.where->setText(verdict.state == CheckState::Unknown ? unknown : verdict.where);
    row.remedy->setText(verdict.remedy);
    row.hint->setText(verdict.hint.isEmpty() ? QString() : tr("Hint: %1").arg(verdict.hint));
    for (QLabel* label : {row.where, row.remedy, row.hint})
        label->setVisible(!label->text().isEmpty());
}

void ClassCheckList::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        QMetaObject::invokeMethod(this, &ClassCheckList::showAll, Qt::QueuedConnection); // not within a restyling
}

} // namespace rankwright
