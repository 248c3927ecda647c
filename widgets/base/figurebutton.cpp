// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/figurebutton.h"

#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"

#include <QFontMetrics>
#include <QPainter>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
using T = Theme::Token;
constexpr int pad = 6;
constexpr int iconEdge = 18;

QFont valueFont() { return Theme::uiFont(15, QFont::DemiBold); }
QFont quietFont() { return Theme::uiFont(14); }
QFont captionFont() { return Theme::uiFont(11); }
} // namespace

FigureButton::FigureButton(QWidget* parent) : QAbstractButton(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void FigureButton::setFigure(
    const QString& value, const QString& quiet, const QString& caption, const QString& explanation)
{
    if (explanation != m_explanation) {
        m_explanation = explanation;
        setAccessibleDescription(explanation);
        setToolTip(richToolTip(explanation));
    }
    if (value == m_value && quiet == m_quiet && caption == m_caption)
        return;
    const int width = textWidth();
    m_value = value;
    m_quiet = quiet;
    m_caption = caption;
    m_textWidth.reset();
    setAccessibleName(u"%1%2, %3"_s.arg(value, quiet.isEmpty() ? QString() : u' ' + quiet, caption));
    if (textWidth() != width)
        updateGeometry();
    update();
}

QSize FigureButton::sizeHint() const { return {textWidth() + iconRoom() + 2 * pad + 2, 42}; }

bool FigureButton::isWhole() const { return width() >= textWidth() + iconRoom() + 2 * pad; }

/// Measured once for each text: the bar asks for it several times an edit.
int FigureButton::textWidth() const
{
    if (!m_textWidth) {
        int top = QFontMetrics(valueFont()).horizontalAdvance(m_value);
        if (!m_quiet.isEmpty())
            top += 4 + QFontMetrics(quietFont()).horizontalAdvance(m_quiet);
        m_textWidth = qMax(top, QFontMetrics(captionFont()).horizontalAdvance(m_caption));
    }
    return *m_textWidth;
}

int FigureButton::iconRoom() const { return icon().isNull() ? 0 : iconEdge + 8; }

void FigureButton::paintIcon(QPainter& painter) const
{
    if (!icon().isNull())
        icon().paint(&painter, QRect(pad, (height() - iconEdge) / 2, iconEdge, iconEdge));
}

void FigureButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    if (underMouse() || hasFocus()) {
        painter.setPen(hasFocus() ? QPen(theme.colour(T::Accent), 1.5) : QPen(Qt::NoPen));
        painter.setBrush(underMouse() ? QBrush(theme.colour(T::Background)) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    }
    paintIcon(painter);
    const QRect inner = rect().adjusted(pad + iconRoom(), 3, -pad, -3);
    painter.setFont(valueFont());
    painter.setPen(theme.colour(T::Foreground));
    const QFontMetrics metrics(valueFont());
    const QRect upper(inner.left(), inner.top(), inner.width(), 21);
    painter.drawText(
        upper, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(m_value, Qt::ElideRight, inner.width()));
    const int used = metrics.horizontalAdvance(m_value) + 4;
    painter.setPen(theme.colour(T::Foreground2));
    painter.setFont(quietFont());
    painter.drawText(upper.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_quiet);
    painter.setFont(captionFont());
    const QRect lower(inner.left(), inner.bottom() - 15, inner.width(), 16);
    painter.drawText(lower, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(captionFont()).elidedText(m_caption, Qt::ElideRight, lower.width()));
}

} // namespace rankwright
