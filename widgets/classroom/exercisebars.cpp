// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/exercisebars.h"

#include "widgets/base/theme.h"

#include <QPainter>

namespace rankwright {

namespace {
constexpr int barWidth = 18;
constexpr int barHeight = 5;
constexpr int barGap = 5;
} // namespace

ExerciseBars::ExerciseBars(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ExerciseBars::setExercises(const QList<bool>& done, int current)
{
    if (done == m_done && current == m_current)
        return;
    m_done = done;
    m_current = current;
    const QString text = tr("Exercise %1 of %2, %3 done").arg(current + 1).arg(done.size()).arg(done.count(true));
    setAccessibleName(text);
    setToolTip(text);
    updateGeometry();
    update();
}

QSize ExerciseBars::sizeHint() const { return {int(m_done.size()) * (barWidth + barGap), barHeight + 8}; }

QSize ExerciseBars::minimumSizeHint() const { return {qMin(60, sizeHint().width()), barHeight + 8}; }

void ExerciseBars::paintEvent(QPaintEvent*)
{
    if (m_done.isEmpty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    const double step = qMin(double(barWidth + barGap), double(width()) / double(m_done.size()));
    const double space = qMin(double(barGap), step * 0.25);
    const double left = width() - step * double(m_done.size()) + space;
    const double top = (height() - barHeight) / 2.0;
    for (int i = 0; i < m_done.size(); ++i) {
        // The present one is higher, too: never colour alone.
        const bool present = i == m_current;
        const Theme::Token token = present ? Theme::Token::Accent
            : m_done.at(i)                 ? Theme::Token::Good
                                           : Theme::Token::Line;
        const QRectF bar(left + i * step, top - (present ? 2 : 0), step - space, barHeight + (present ? 4 : 0));
        painter.setPen(m_done.at(i) || present ? QPen(Qt::NoPen) : QPen(theme.colour(Theme::Token::FieldLine)));
        painter.setBrush(theme.colour(token));
        painter.drawRoundedRect(bar, 2.5, 2.5);
    }
}

} // namespace rankwright
