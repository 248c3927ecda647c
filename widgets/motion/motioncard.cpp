// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/motion/motioncard.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/base/theme.h"
#include "widgets/motion/motionbar.h"
#include "widgets/motion/motionview.h"

#include <QApplication>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QTimerEvent>
#include <QToolButton>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int tickMs = 34; // under 30 frames a second
constexpr double movingMs = 900; // of a frame's time: from the one before to it

/// Slow at both ends.
double eased(double share) { return share * share * (3 - 2 * share); }

} // namespace

MotionCard::MotionCard(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Moving picture"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(3, 3, 3, 3);
    column->setSpacing(6);
    m_choiceRow = new QWidget(this);
    auto* choice = new QHBoxLayout(m_choiceRow);
    choice->setContentsMargins(0, 0, 0, 0);
    m_choiceRow->hide();
    column->addWidget(m_choiceRow);
    m_view = new MotionView(this);
    column->addWidget(m_view, 1);
    buildControls();
    m_sentence = makeLabel({}, "quiet", this);
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_sentence);
    offerKinds(motionsFor(m_figures));
    refreshPicture();
    connect(&themeOf(this), &Theme::changed, this, [this] {
        if (isStill())
            setPlaying(false);
        refreshControls();
    });
}

void MotionCard::buildControls()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    m_back = iconButton(u"step-back"_s, tr("Back to the frame before (Left)"), this);
    m_play = iconButton(u"play"_s, tr("Play (Space)"), this);
    m_next = iconButton(u"step-forward"_s, tr("Step to the next frame (Right)"), this);
    for (QToolButton* button : {m_back, m_play, m_next})
        row->addWidget(button);
    m_bar = new MotionBar(this);
    row->addWidget(m_bar, 1);
    m_count = makeLabel({}, "caption", this);
    row->addWidget(m_count);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_back, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_play, &QToolButton::clicked, this, [this] { setPlaying(!isPlaying()); });
    connect(m_bar, &MotionBar::chosen, this, &MotionCard::showFrame);
}

void MotionCard::offerKinds(const QList<MotionKind>& kinds)
{
    if (kinds == m_kinds)
        return;
    m_kinds = kinds;
    const bool focused = m_choice && m_choice->isAncestorOf(QApplication::focusWidget());
    delete m_choice;
    m_choice = nullptr;
    m_choiceRow->setVisible(kinds.size() > 1);
    m_kind = m_wanted && kinds.contains(*m_wanted) ? *m_wanted : kinds.first();
    if (kinds.size() < 2)
        return;
    QStringList names;
    for (const MotionKind kind : kinds)
        names.append(motionName(kind));
    m_choice = new SegmentedControl(names, m_choiceRow);
    static_cast<QBoxLayout*>(m_choiceRow->layout())->insertWidget(0, m_choice);
    m_choice->setCurrent(int(kinds.indexOf(m_kind)));
    connect(m_choice, &SegmentedControl::chosen, this, [this](int index) { choose(m_kinds.at(index)); });
    if (focused)
        m_choice->setFocus(Qt::OtherFocusReason);
}

void MotionCard::setFigures(const MotionFigures& figures)
{
    if (figures == m_figures)
        return;
    m_figures = figures;
    offerKinds(m_only ? QList<MotionKind>{*m_only} : motionsFor(figures));
    refreshPicture();
}

void MotionCard::setOnly(MotionKind kind)
{
    m_only = kind;
    m_kind = kind;
    offerKinds({kind});
    refreshPicture();
}

void MotionCard::choose(MotionKind kind)
{
    if (!m_kinds.contains(kind) || kind == m_kind)
        return;
    m_kind = kind;
    m_wanted = kind;
    if (m_choice)
        m_choice->setCurrent(int(m_kinds.indexOf(kind)));
    setPlaying(false);
    m_view->showFrame(0);
    refreshPicture();
}

void MotionCard::refreshPicture()
{
    const QString before = title();
    const MotionPicture picture = motionPicture(m_kind, m_figures);
    const bool same = picture.kind == m_view->picture().kind;
    const int frame = m_view->frame();
    m_view->setPicture(picture);
    if (same && !isPlaying())
        m_view->showFrame(frame);
    makeRoomForSentences();
    refreshControls();
    if (title() != before)
        emit titleChanged(title());
}

QString MotionCard::title() const { return m_view->picture().title; }

int MotionCard::frame() const { return m_view->frame(); }

bool MotionCard::isStill() const { return m_reducedMotion || themeOf(this).reducedMotion(); }

void MotionCard::setReducedMotion(bool reduced)
{
    m_reducedMotion = reduced;
    if (isStill())
        setPlaying(false);
    refreshControls();
}

void MotionCard::showFrame(int frame)
{
    setPlaying(false);
    m_view->showFrame(frame);
    m_waited = 0;
    refreshControls();
}

void MotionCard::step(int by) { showFrame(m_view->frame() + by); }

void MotionCard::setPlaying(bool playing)
{
    if (playing == isPlaying())
        return;
    if (playing) {
        if (isStill() || !isVisible())
            return;
        const bool atEnd = m_view->frame() + 1 >= m_view->picture().frames.size();
        if (atEnd && m_view->share() >= 1)
            m_view->showFrame(0);
        m_waited = 0;
        m_sinceFrame.start();
        m_clock.start(tickMs, Qt::CoarseTimer, this);
    } else {
        m_clock.stop();
        m_view->showFrame(m_view->frame()); // a picture that stands is whole
    }
    refreshControls();
}

void MotionCard::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_clock.timerId()) {
        QWidget::timerEvent(event);
        return;
    }
    const auto& frames = m_view->picture().frames;
    const qint64 over = m_waited + m_sinceFrame.elapsed();
    const int at = m_view->frame();
    const int length = qMax(1, frames.value(at).milliseconds);
    if (over >= length) {
        if (at + 1 >= frames.size()) {
            setPlaying(false);
            return;
        }
        m_waited = 0;
        m_sinceFrame.start();
        m_view->showFrame(at + 1, 0);
        refreshControls();
        return;
    }
    if (m_view->share() < 1)
        m_view->showFrame(at, eased(qMin(1.0, double(over) / movingMs)));
    m_bar->setState(int(frames.size()), at, double(over) / length);
}

void MotionCard::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    setPlaying(false);
}

void MotionCard::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Space: setPlaying(!isPlaying()); return;
    case Qt::Key_Left: step(-1); return;
    case Qt::Key_Right: step(1); return;
    case Qt::Key_Home: showFrame(0); return;
    case Qt::Key_End: showFrame(int(m_view->picture().frames.size()) - 1); return;
    default: QWidget::keyPressEvent(event);
    }
}

void MotionCard::refreshControls()
{
    const int frames = int(m_view->picture().frames.size());
    const int at = m_view->frame();
    m_sentence->setText(m_view->sentence());
    setAccessibleDescription(tr("Frame %1 of %2. %3").arg(at + 1).arg(frames).arg(m_view->sentence()));
    m_count->setText(tr("%1 of %2").arg(at + 1).arg(frames));
    m_bar->setState(frames, at, 1);
    // A button that goes out of reach hands the focus to the card, whose keys do the same.
    if ((at == 0 && m_back->hasFocus()) || (at + 1 >= frames && m_next->hasFocus()))
        setFocus(Qt::OtherFocusReason);
    m_back->setEnabled(at > 0);
    m_next->setEnabled(at + 1 < frames);
    const bool still = isStill();
    m_play->setVisible(!still);
    const QString name = isPlaying() ? tr("Pause (Space)") : tr("Play (Space)");
    m_play->setIcon(lineIcon(isPlaying() ? u"pause"_s : u"play"_s));
    m_play->setToolTip(name);
    m_play->setAccessibleName(name);
}

/// As high as the longest sentence needs: nothing jumps while it is played.
void MotionCard::makeRoomForSentences()
{
    const QRect room(0, 0, qMax(120, width() - 8), 4000);
    int height = 0;
    for (const MotionFrame& frame : m_view->picture().frames)
        height
            = std::max(height, m_sentence->fontMetrics().boundingRect(room, Qt::TextWordWrap, frame.sentence).height());
    m_sentence->setMinimumHeight(height + 2);
}

void MotionCard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    makeRoomForSentences();
}

void MotionCard::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        makeRoomForSentences();
}

bool MotionCard::event(QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QWidget::event(event);
}

void MotionCard::paintEvent(QPaintEvent*)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeOf(this).colour(Theme::Token::Accent), 1.5));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
}

} // namespace rankwright
