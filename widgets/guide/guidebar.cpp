// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/guidebar.h"

#include "widgets/base/card.h"
#include "widgets/base/richtooltip.h"
#include "widgets/guide/guidecontent.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

GuideBar::GuideBar(QWidget* parent) : QFrame(parent), m_row(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    setProperty("strip", true);
    m_row->setContentsMargins(16, 8, 16, 9);
    m_row->setSpacing(12);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(makeLabel(tr("Your job so far"), "caption", this));
    m_soFar = new QLabel(this);
    m_soFar->setWordWrap(true);
    m_soFar->setTextFormat(Qt::RichText);
    m_soFar->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_soFar->setAccessibleDescription(tr("Your job so far; its parts lead to their steps"));
    connect(m_soFar, &QLabel::linkActivated, this,
        [this](const QString& link) { emit stepClicked(GuideStep(qBound(0, link.mid(5).toInt(), guideSteps - 1))); });
    words->addWidget(m_soFar);
    m_obstacle = makeLabel({}, "tone", this);
    setStyleProperty(m_obstacle, "tone", u"bad"_s);
    m_obstacle->setWordWrap(true);
    words->addWidget(m_obstacle);
    m_activity = makeLabel({}, "quiet", this);
    m_activity->setWordWrap(true);
    m_progress = new QProgressBar(this);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    words->addWidget(m_activity);
    words->addWidget(m_progress);
    m_row->addLayout(words, 1);
    m_buttons = new QWidget(this);
    auto* row = new QHBoxLayout(m_buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addStretch(1);
    m_stop = new QPushButton(tr("Cancel"), m_buttons);
    m_back = new QPushButton(tr("Back"), m_buttons);
    m_back->setToolTip(tr("One step back (Alt+Left)"));
    m_next = new QPushButton(m_buttons);
    m_next->setObjectName(u"guide.next"_s);
    m_next->setProperty("accent", true);
    m_key = makeLabel(tr("Enter"), "caption", m_buttons);
    for (QWidget* one : {static_cast<QWidget*>(m_stop), static_cast<QWidget*>(m_back), static_cast<QWidget*>(m_next),
             static_cast<QWidget*>(m_key)})
        row->addWidget(one, 0, Qt::AlignVCenter);
    m_row->addWidget(m_buttons, 0, Qt::AlignVCenter);
    connect(m_next, &QPushButton::clicked, this, &GuideBar::nextClicked);
    connect(m_back, &QPushButton::clicked, this, &GuideBar::backClicked);
    connect(m_stop, &QPushButton::clicked, this, &GuideBar::stopClicked);
}

void GuideBar::setContent(const GuideContent& content)
{
    QStringList parts;
    QStringList words;
    for (const GuideJobPart& part : content.soFar) {
        words.append(part.text);
        parts.append(u"<a href=\"step:%1\" style=\"text-decoration: none\">%2</a>"_s.arg(guideStepIndex(part.step))
                         .arg(part.text.toHtmlEscaped()));
    }
    const QString soFar = parts.join(u" · "_s);
    if (soFar != m_soFar->text())
        m_soFar->setText(soFar);
    m_soFar->setAccessibleName(words.join(u", "_s));
    const auto& waiting = content.waiting;
    const QString said = content.obstacle.isEmpty() ? content.note : content.obstacle;
    m_obstacle->setText(said);
    m_obstacle->setVisible(!said.isEmpty() && !waiting.isActive);
    m_activity->setText(waiting.text);
    m_activity->setVisible(waiting.isActive);
    m_progress->setVisible(waiting.isActive && waiting.fraction.has_value());
    m_progress->setRange(0, 1000);
    m_progress->setValue(qRound(1000 * waiting.fraction.value_or(0)));
    m_stop->setVisible(waiting.isActive);
    m_back->setVisible(guideStepIndex(content.question.step) > 0);
    m_next->setText(content.nextText);
    m_next->setVisible(!content.nextText.isEmpty());
    m_next->setEnabled(content.obstacle.isEmpty());
    m_next->setToolTip(richToolTip(content.obstacle));
    m_key->setVisible(m_next->isVisibleTo(this) && m_next->isEnabled());
    updateDirection();
}

int GuideBar::leastWidth() const
{
    const QMargins around = m_row->contentsMargins();
    return m_buttons->sizeHint().width() + around.left() + around.right();
}

void GuideBar::updateDirection()
{
    const int words = 16 * fontMetrics().height();
    const bool narrow = words + m_buttons->sizeHint().width() + 44 > width();
    m_row->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void GuideBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    updateDirection();
}

void GuideBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_row)
        updateDirection();
}

} // namespace rankwright
