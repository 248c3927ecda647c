// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/checklist.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/guide/guidewords.h"

#include <QBoxLayout>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// What a shape means, for those who do not see it.
QString toneWords(Tone tone)
{
    switch (tone) {
    case Tone::Good: return CheckList::tr("in order");
    case Tone::Warn: return CheckList::tr("to be looked at");
    case Tone::Bad: return CheckList::tr("in the way");
    case Tone::Busy: return CheckList::tr("under way");
    default: return CheckList::tr("not known");
    }
}

} // namespace

CheckList::CheckList(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    connect(&themeOf(this), &Theme::changed, this, &CheckList::rebuild);
}

void CheckList::setContent(const GuideContent& content)
{
    if (content.checks == m_checks && content.mayConnect == m_mayConnect && m_body)
        return;
    m_checks = content.checks;
    m_mayConnect = content.mayConnect;
    rebuild();
}

void CheckList::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_body)
        QMetaObject::invokeMethod(this, &CheckList::rebuild, Qt::QueuedConnection); // not within a restyling
}

void CheckList::rebuild()
{
    const bool hadFocus = m_body && focusWidget() && m_body->isAncestorOf(focusWidget()) && focusWidget()->hasFocus();
    if (m_body) {
        m_body->hide();
        m_body->deleteLater();
    }
    m_body = new QWidget(this);
    auto* grid = new QGridLayout(m_body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    QWidget* first = nullptr;
    for (int i = 0; i < m_checks.size(); ++i) {
        const GuideCheck& check = m_checks.at(i);
        auto* shape = new QLabel(m_body);
        shape->setPixmap(iconPixmap(toneIcon(check.tone), themeOf(this).colour(toneColour(check.tone)),
            qMax(16, fontMetrics().height()), devicePixelRatioF()));
        shape->setAccessibleName(toneWords(check.tone));
        auto* title = makeLabel(check.title, "title", m_body);
        title->setWordWrap(true);
        title->setAccessibleName(u"%1: %2"_s.arg(check.title, toneWords(check.tone)));
        auto* text = makeLabel(WrappedLabel::withWholeOptions(check.text), "quiet", m_body);
        text->setAccessibleName(check.text);
        text->setWordWrap(true);
        text->setContentsMargins(0, 0, 0, 7);
        grid->addWidget(shape, 2 * i, 0, Qt::AlignTop);
        grid->addWidget(title, 2 * i, 1, Qt::AlignTop);
        grid->addWidget(text, 2 * i + 1, 1);
        QPushButton* way = nullptr;
        if (check.id == u"connection"_s && m_mayConnect) {
            way = new QPushButton(tr("Connect"), m_body);
            connect(way, &QPushButton::clicked, this, &CheckList::connectClicked);
        } else if (check.tone != Tone::Good && check.leadsTo && *check.leadsTo != GuideStep::Launch) {
            way = new QPushButton(guideStepName(*check.leadsTo), m_body);
            way->setProperty("link", true);
            way->setAccessibleName(tr("Back to the step “%1”").arg(guideStepName(*check.leadsTo)));
            connect(way, &QPushButton::clicked, this, [this, step = *check.leadsTo] { emit stepClicked(step); });
        }
        if (way) {
            grid->addWidget(way, 2 * i, 2, Qt::AlignTop);
            first = first ? first : way;
        }
    }
    layout()->addWidget(m_body);
    m_body->show();
    if (hadFocus && first)
        first->setFocus(Qt::OtherFocusReason);
}

} // namespace rankwright
