// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/history/timeslider.h"

#include "models/core/units.h"
#include "models/insight/telemetry/history/replayclock.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 stepMs = 1000;
constexpr int wordWidth = 132; // the longest word with its time: nothing moves when the time does

} // namespace

QString speedText(double speed)
{
    if (speed < 1)
        return u"1/%1×"_s.arg(int(std::lround(1 / speed)));
    return u"%1×"_s.arg(humanNumber(speed, speed < 10 && speed != std::floor(speed) ? 1 : 0));
}

TimeSlider::TimeSlider(QWidget* parent)
    : QFrame(parent), m_back(iconButton(u"step-back"_s, tr("One second back"), this)),
      m_play(iconButton(u"pause"_s, tr("Hold"), this)),
      m_forward(iconButton(u"step-forward"_s, tr("One second forward"), this)), m_speed(new QComboBox(this)),
      m_strip(new TimeStrip(this)), m_word(makeLabel({}, "figure", this)), m_age(makeLabel({}, "caption", this)),
      m_end(new QPushButton(this))
{
    setProperty("card", true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    for (const double speed : ReplayClock::speeds())
        m_speed->addItem(speedText(speed), speed);
    m_speed->setAccessibleName(tr("Speed of the replay"));
    m_speed->setToolTip(tr("How fast a replay runs; + and - on the strip"));
    m_word->setAccessibleName(tr("Moment that is shown"));
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addStretch();
    words->addWidget(m_word);
    words->addWidget(m_age);
    words->addStretch();
    m_word->setFixedWidth(wordWidth);
    m_age->setFixedWidth(wordWidth);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 7, 12, 5);
    row->setSpacing(6);
    for (QToolButton* button : {m_back, m_play, m_forward})
        row->addWidget(button);
    row->addWidget(m_speed);
    row->addSpacing(4);
    row->addWidget(m_strip, 1);
    row->addSpacing(6);
    row->addLayout(words);
    row->addWidget(m_end);
    connect(m_back, &QToolButton::clicked, this, [this] { emit stepped(-stepMs); });
    connect(m_forward, &QToolButton::clicked, this, [this] { emit stepped(stepMs); });
    connect(m_play, &QToolButton::clicked, this, &TimeSlider::playToggled);
    connect(m_end, &QPushButton::clicked, this, &TimeSlider::endWanted);
    connect(m_speed, &QComboBox::activated, this,
        [this](int index) { emit speedChosen(m_speed->itemData(index).toDouble()); });
    connect(m_strip, &TimeStrip::momentPicked, this, &TimeSlider::momentPicked);
    connect(m_strip, &TimeStrip::stepped, this, &TimeSlider::stepped);
    connect(m_strip, &TimeStrip::endWanted, this, &TimeSlider::endWanted);
    connect(m_strip, &TimeStrip::playToggled, this, &TimeSlider::playToggled);
    connect(m_strip, &TimeStrip::speedStepped, this, &TimeSlider::speedStepped);
    refresh();
}

void TimeSlider::setState(const State& state)
{
    m_strip->setMoment(state.momentMs, state.live ? TimeStrip::Shown::Live : TimeStrip::Shown::Past);
    if (m_state == state)
        return;
    m_state = state;
    refresh();
}

void TimeSlider::setOverview(const TimeOverview& overview)
{
    m_strip->setOverview(overview);
    refresh();
}

QList<QWidget*> TimeSlider::tabStops() const { return {m_strip, m_back, m_play, m_forward, m_speed, m_end}; }

void TimeSlider::refresh()
{
    const TimeSpan& span = m_strip->overview().span;
    const bool any = span.length() > 0;
    const bool moving = m_state.playing || m_state.live;
    m_play->setIcon(lineIcon(moving ? u"pause"_s : u"play"_s));
    const QString name = moving ? tr("Hold this moment (Space)") : tr("Play from here (Space)");
    m_play->setToolTip(name);
    m_play->setAccessibleName(name);
    for (QWidget* control : {static_cast<QWidget*>(m_back), static_cast<QWidget*>(m_play),
             static_cast<QWidget*>(m_forward), static_cast<QWidget*>(m_speed)})
        control->setEnabled(any);
    m_forward->setEnabled(any && !m_state.live);
    m_speed->setCurrentIndex(m_speed->findData(m_state.speed));
    m_speed->setPlaceholderText(speedText(m_state.speed));
    const bool atEnd = m_state.momentMs >= span.toMs;
    m_end->setText(m_state.growing ? tr("Live") : tr("To the end"));
    m_end->setToolTip(
        m_state.growing ? tr("Back to what the GPUs do now (End)") : tr("The last moment recorded (End)"));
    m_end->setEnabled(any && (m_state.growing ? !m_state.live : !atEnd));
    setStyleProperty(m_end, "accent", m_end->isEnabled() && m_state.growing);
    if (!any) {
        m_word->setText(u"–"_s);
        m_age->setText(tr("nothing recorded"));
        return;
    }
    m_word->setText(m_state.live ? tr("Live") : stampText(m_state.momentMs, span.toMs));
    if (m_state.live)
        m_age->setText(tr("%1 recorded").arg(spanText(span.length())));
    else if (m_state.growing)
        m_age->setText(tr("the past, %1 ago").arg(spanText(span.toMs - m_state.momentMs)));
    else
        m_age->setText(tr("%1 of %2").arg(spanText(m_state.momentMs - span.fromMs), spanText(span.length())));
}

} // namespace rankwright
