// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/stepbutton.h"

#include "widgets/base/theme.h"

#include <QPainter>

namespace rankwright {

namespace {
using T = Theme::Token;
constexpr int markGap = 5;
constexpr int margin = 3;
} // namespace

StepButton::StepButton(GuideStep step, QWidget* parent) : QAbstractButton(parent), m_step(step)
{
    setText(guideStepName(step));
    setToolTip(text());
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setState(State::ToCome);
}

void StepButton::setState(State state)
{
    m_state = state;
    const bool leads = state != State::ToCome;
    setEnabled(leads);
    setFocusPolicy(leads ? Qt::StrongFocus : Qt::NoFocus);
    setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const QString number = tr("Step %1 of %2: %3").arg(guideStepIndex(m_step) + 1).arg(guideSteps).arg(text());
    setAccessibleName(state == State::Done ? tr("%1, done").arg(number)
            : state == State::Present      ? tr("%1, now").arg(number)
                                           : number);
    updateGeometry();
    update();
}

void StepButton::setNarrow(bool narrow)
{
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    updateGeometry();
    update();
}

int StepButton::markSize() const { return fontMetrics().height() + 3; }

int StepButton::widthFor(bool narrow) const
{
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const int name = isNamed(narrow) ? markGap + QFontMetrics(strong).horizontalAdvance(text()) + 1 : 0;
    return markSize() + name + 2 * margin;
}

QSize StepButton::sizeHint() const { return {widthFor(m_narrow), markSize() + 2 * margin}; }

void StepButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    const double size = markSize();
    const QRectF mark(margin + 0.5, (height() - size) / 2.0, size, size);
    const bool isPresent = m_state == State::Present, isDone = m_state == State::Done;
    painter.setPen(QPen(theme.colour(isPresent || isDone ? T::Accent : T::FieldLine), 1.5));
    painter.setBrush(theme.colour(isPresent ? T::Accent : isDone ? T::AccentBackground : T::Panel));
    painter.drawEllipse(mark.adjusted(0.75, 0.75, -0.75, -0.75));
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    if (isDone) {
        painter.setPen(QPen(theme.colour(T::Accent), size / 11, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        const QPointF middle = mark.center();
        painter.drawPolyline(QPolygonF{middle + QPointF(-0.22, 0.02) * size, middle + QPointF(-0.06, 0.18) * size,
            middle + QPointF(0.23, -0.16) * size});
    } else {
        painter.setFont(isPresent ? strong : font());
        painter.setPen(theme.colour(isPresent ? T::OnAccent : T::Foreground2));
        painter.drawText(mark, Qt::AlignCenter, QString::number(guideStepIndex(m_step) + 1));
    }
    if (isNamed(m_narrow)) {
        painter.setFont(isPresent ? strong : font());
        painter.setPen(theme.colour(isPresent ? T::Foreground : T::Foreground2));
        painter.drawText(QRectF(mark.right() + markGap, 0, width() - mark.right() - markGap, height()),
            Qt::AlignLeft | Qt::AlignVCenter, text());
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.colour(T::Foreground), 1.8));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    }
}

} // namespace rankwright
