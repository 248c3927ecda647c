// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/answerlist.h"

#include "widgets/base/card.h"
#include "widgets/guide/answercard.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>

namespace rankwright {

AnswerList::AnswerList(QWidget* parent) : QWidget(parent), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(8);
    m_locked = makeLabel({}, "quiet", this);
    m_locked->setWordWrap(true);
    m_locked->hide();
    m_column->addWidget(m_locked);
    m_group = new QButtonGroup(this);
}

void AnswerList::rebuild(const GuideQuestion& question)
{
    const bool hadFocus = focusWidget() && isAncestorOf(focusWidget()) && focusWidget()->hasFocus();
    for (AnswerCard* card : m_cards) {
        m_group->removeButton(card->button());
        card->hide();
        card->deleteLater(); // maybe within its own click
    }
    m_cards.clear();
    m_ids.clear();
    for (const GuideAnswer& answer : question.answers) {
        auto* card = new AnswerCard(this);
        m_group->addButton(card->button());
        m_column->addWidget(card);
        connect(card, &AnswerCard::chosen, this, [this, id = answer.id] { emit answerChosen(id); });
        connect(card, &AnswerCard::termRequested, this, &AnswerList::termRequested);
        m_cards.append(card);
        m_ids.append(answer.id);
        card->show();
    }
    if (hadFocus && question.chosen)
        m_cards.at(*question.chosen)->button()->setFocus(Qt::OtherFocusReason);
}

void AnswerList::setQuestion(const GuideQuestion& question)
{
    QStringList ids;
    for (const GuideAnswer& answer : question.answers)
        ids.append(answer.id);
    if (ids != m_ids)
        rebuild(question);
    m_group->setExclusive(false); // so that none may be chosen
    for (int i = 0; i < m_cards.size(); ++i) {
        m_cards.at(i)->setAnswer(question.answers.at(i));
        m_cards.at(i)->setChosen(i == question.chosen);
        m_cards.at(i)->setLocked(!question.lockedWhy.isEmpty());
    }
    m_group->setExclusive(true);
    m_locked->setText(question.lockedWhy.isEmpty() ? QString() : tr("Settled: %1").arg(question.lockedWhy));
    m_locked->setVisible(!question.lockedWhy.isEmpty());
}

QWidget* AnswerList::focusTarget() const
{
    for (AnswerCard* card : m_cards) {
        if (card->button()->isChecked() && card->button()->isEnabled())
            return card->button();
    }
    return m_cards.isEmpty() ? nullptr : m_cards.first()->whyButton();
}

} // namespace rankwright
