// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/hintlist.h"

#include "models/teaching/learn/termlinks.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/learn/termtext.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

HintList::HintList(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_shown = new QVBoxLayout;
    m_shown->setSpacing(6);
    column->addLayout(m_shown);
    m_next = new QPushButton(lineIcon(u"chevron-right"_s), {}, this);
    m_next->setProperty("link", true);
    m_next->setObjectName(u"nextHint"_s);
    m_solution = new QPushButton(lineIcon(u"chevron-right"_s), tr("Solution"), this);
    m_solution->setProperty("link", true);
    m_solution->setObjectName(u"solution"_s);
    column->addWidget(m_next, 0, Qt::AlignLeft);
    column->addWidget(m_solution, 0, Qt::AlignLeft);
    m_question = new QWidget(this);
    auto* asks = new QVBoxLayout(m_question);
    asks->setContentsMargins(0, 0, 0, 0);
    auto* words
        = makeLabel(tr("See how the teacher does it? You are not asked again for this exercise."), "quiet", this);
    words->setWordWrap(true);
    asks->addWidget(words);
    auto* row = new QHBoxLayout;
    m_show = new QPushButton(tr("Show the solution"), m_question);
    m_show->setObjectName(u"showSolution"_s);
    auto* later = new QPushButton(tr("Not yet"), m_question);
    later->setObjectName(u"notYet"_s);
    row->addWidget(m_show);
    row->addWidget(later);
    row->addStretch(1);
    asks->addLayout(row);
    column->addWidget(m_question);
    m_apply = new QPushButton(tr("Apply it to the design"), this);
    m_apply->setObjectName(u"applySolution"_s);
    column->addWidget(m_apply, 0, Qt::AlignLeft);
    connect(m_next, &QPushButton::clicked, this, &HintList::hintWanted);
    connect(m_solution, &QPushButton::clicked, this, [this] { askSolution(true); });
    connect(later, &QPushButton::clicked, this, [this] { askSolution(false); });
    connect(m_show, &QPushButton::clicked, this, &HintList::solutionWanted);
    connect(m_apply, &QPushButton::clicked, this, &HintList::applyWanted);
    refresh();
}

void HintList::setContents(const Contents& contents)
{
    if (contents == m_contents)
        return;
    m_contents = contents;
    m_asks = false;
    refresh();
}

void HintList::askSolution(bool asked)
{
    m_asks = asked;
    refresh();
    (asked ? m_show : m_solution)->setFocus(Qt::OtherFocusReason);
}

QLabel* HintList::addText(const QString& text)
{
    auto* label = new QLabel(this);
    label->setWordWrap(true);
    setTermText(label, text);
    connect(label, &QLabel::linkActivated, this, [this, label](const QString& link) {
        if (const QString term = linkedTerm(link); !term.isEmpty())
            emit termRequested(term, label);
    });
    m_shown->addWidget(label);
    label->show();
    m_texts.append(label);
    return label;
}

void HintList::refresh()
{
    const bool nextHadFocus = m_next->hasFocus();
    const bool askedHadFocus = m_question->isAncestorOf(focusWidget());
    for (QLabel* label : std::as_const(m_texts)) {
        label->hide();
        label->deleteLater();
    }
    m_texts.clear();
    const int all = int(m_contents.hints.size());
    const int shown = qBound(0, m_contents.shown, all);
    for (int i = 0; i < shown; ++i)
        addText(tr("Hint %1: %2").arg(QString::number(i + 1), m_contents.hints.at(i)));
    const bool offers = m_contents.hasSolution || !m_contents.solution.isEmpty();
    const bool solved = m_contents.solved && offers;
    if (solved)
        addText(m_contents.solution.isEmpty() ? tr("The teacher's solution is a design.")
                                              : tr("Solution: %1").arg(m_contents.solution));
    m_next->setText(tr("Hint %1 of %2").arg(shown + 1).arg(all));
    m_next->setVisible(shown < all);
    m_solution->setVisible(offers && !solved && shown == all && !m_asks);
    m_question->setVisible(offers && !solved && m_asks);
    m_apply->setVisible(solved && m_contents.hasSolution);
    setVisible(all > 0 || offers);
    // The button that was pressed has gone: the next one takes the focus.
    QPushButton* next = m_next->isHidden() ? m_solution : m_next;
    if (nextHadFocus && !next->isHidden())
        next->setFocus(Qt::OtherFocusReason);
    else if (askedHadFocus && solved && !m_apply->isHidden())
        m_apply->setFocus(Qt::OtherFocusReason);
}

} // namespace rankwright
