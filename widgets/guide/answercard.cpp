// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/answercard.h"

#include "models/teaching/guide/guidestep.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/guide/guidewords.h"

#include <QBoxLayout>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
using T = Theme::Token;
constexpr double radius = 10;
constexpr int arrowSize = 12;
} // namespace

AnswerCard::AnswerCard(QWidget* parent) : QFrame(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(14, 11, 14, 11);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    m_button = new QRadioButton(this);
    m_button->installEventFilter(this);
    m_title = makeLabel({}, "title", this);
    m_title->setWordWrap(true);
    m_shape = new QLabel(this);
    m_verdict = makeLabel({}, "tone", this);
    m_detail = makeLabel({}, "quiet", this);
    m_detail->setWordWrap(true);
    m_why = new QPushButton(tr("Why?"), this);
    m_why->setProperty("link", true);
    m_why->setCheckable(true);
    m_why->setLayoutDirection(Qt::RightToLeft); // the arrow behind the word
    m_why->setIcon(lineIcon(u"arrow-down"_s));
    m_why->setIconSize({arrowSize, arrowSize});
    m_well = new QFrame(this);
    m_well->setProperty("well", true);
    m_well->hide();
    auto* column = new QVBoxLayout(m_well);
    column->setContentsMargins(12, 9, 12, 9);
    m_reason = new QLabel(m_well);
    m_reason->setWordWrap(true);
    m_reason->setTextFormat(Qt::RichText);
    m_reason->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    column->addWidget(m_reason);
    auto* head = new QHBoxLayout;
    head->setSpacing(5);
    head->addWidget(m_title, 1);
    head->addSpacing(5);
    head->addWidget(m_shape, 0, Qt::AlignTop);
    head->addWidget(m_verdict, 0, Qt::AlignTop);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(10);
    foot->addWidget(m_detail, 1);
    foot->addWidget(m_why, 0, Qt::AlignTop);
    grid->addWidget(m_button, 0, 0);
    grid->addLayout(head, 0, 1);
    grid->addLayout(foot, 1, 1);
    grid->addWidget(m_well, 2, 1);
    connect(m_button, &QRadioButton::toggled, this, qOverload<>(&QWidget::update));
    connect(m_button, &QRadioButton::clicked, this, &AnswerCard::chosen);
    connect(m_why, &QPushButton::toggled, this, [this](bool unfolded) {
        m_well->setVisible(unfolded);
        m_why->setIcon(lineIcon(unfolded ? u"arrow-up"_s : u"arrow-down"_s));
    });
    connect(m_reason, &QLabel::linkActivated, this, [this](const QString& link) {
        if (const QString term = termOfLink(link); !term.isEmpty())
            emit termRequested(term, m_reason);
    });
    connect(&themeOf(this), &Theme::changed, this, &AnswerCard::paintVerdict);
}

void AnswerCard::setAnswer(const GuideAnswer& answer)
{
    m_title->setText(answer.title);
    QStringList parts;
    for (const QString& part : {answer.term, answer.figures, answer.advised ? tr("chosen for you") : QString()}) {
        if (!part.isEmpty())
            parts.append(part);
    }
    m_detail->setText(unbroken(parts.join(u" · "_s)));
    m_detail->setProperty("term", answer.termId.isEmpty() ? QVariant() : QVariant(answer.termId));
    m_verdict->setText(answer.verdict);
    m_verdict->setVisible(!answer.verdict.isEmpty());
    m_shape->setVisible(!answer.verdict.isEmpty());
    m_tone = int(answer.tone);
    setStyleProperty(m_verdict, "tone", toneName(answer.tone));
    paintVerdict();
    const QString reason = answer.works() ? answer.why : QStringList{answer.obstacle, answer.why}.join(u' ');
    m_reason->setText(withTermLinks(reason));
    m_why->setAccessibleName(tr("Why “%1”?").arg(answer.title));
    m_why->setVisible(!reason.isEmpty());
    m_button->setAccessibleName(
        answer.verdict.isEmpty() ? answer.title : u"%1, %2"_s.arg(answer.title, answer.verdict));
    m_button->setAccessibleDescription(QStringList{m_detail->text(), reason}.join(u". "_s));
}

void AnswerCard::setChosen(bool chosen)
{
    const QSignalBlocker blocker(m_button);
    m_button->setChecked(chosen);
    update();
}

void AnswerCard::setLocked(bool locked)
{
    m_button->setEnabled(!locked);
    update();
}

bool AnswerCard::isUnfolded() const { return m_why->isChecked(); }

void AnswerCard::setUnfolded(bool unfolded) { m_why->setChecked(unfolded); }

void AnswerCard::paintVerdict()
{
    const auto tone = Tone(m_tone);
    m_shape->setPixmap(iconPixmap(
        toneIcon(tone), themeOf(this).colour(toneColour(tone)), qMax(14, fontMetrics().height()), devicePixelRatioF()));
    update();
}

void AnswerCard::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        paintVerdict();
}

bool AnswerCard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QFrame::eventFilter(watched, event);
}

void AnswerCard::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()) && m_button->isEnabled()) {
        m_button->setFocus(Qt::MouseFocusReason);
        m_button->click();
    }
}

void AnswerCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    const bool isChosen = m_button->isChecked();
    painter.setBrush(theme.colour(T::Panel));
    painter.setPen(QPen(theme.colour(isChosen ? T::Accent : T::Line), isChosen ? 1.6 : 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), radius, radius);
    if (!m_button->hasFocus())
        return;
    // Another line, and another colour than the choice's: both are seen at once.
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.colour(T::Foreground), 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(4.5, 4.5, -4.5, -4.5), radius - 3, radius - 3);
}

} // namespace rankwright
