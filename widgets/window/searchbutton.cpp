// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/searchbutton.h"

#include "widgets/base/icons.h"
#include "widgets/base/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;

constexpr int buttonPad = 10;
constexpr int glyphSize = 16;

QFont buttonKeyFont() { return Theme::uiFont(11, QFont::DemiBold); }
int fieldHeight() { return std::max(28, QFontMetrics(Theme::uiFont(12)).height() + 10); }
QString keys() { return u"Ctrl K"_s; }

} // namespace

SearchButton::SearchButton(QWidget* parent) : QAbstractButton(parent)
{
    setText(tr("Search or run a command"));
    setAccessibleName(text());
    setAccessibleDescription(keys());
    setToolTip(tr("Search or run a command (Ctrl+K)"));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void SearchButton::setFolded(bool folded)
{
    if (folded == m_folded)
        return;
    m_folded = folded;
    updateGeometry();
    update();
}

int SearchButton::fullWidth() const
{
    return glyphSize + QFontMetrics(Theme::uiFont(12)).horizontalAdvance(text())
        + QFontMetrics(buttonKeyFont()).horizontalAdvance(keys()) + 5 * buttonPad;
}

int SearchButton::foldedWidth() const { return fieldHeight() + 4; }

QSize SearchButton::sizeHint() const { return {m_folded ? foldedWidth() : fullWidth(), fieldHeight()}; }

void SearchButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    const double pen = hasFocus() ? 2 : 1;
    painter.setPen(QPen(theme.colour(hasFocus() ? T::Accent : underMouse() ? T::Foreground3 : T::FieldLine), pen));
    painter.setBrush(theme.colour(T::Panel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2), 6, 6);
    const QPixmap icon = iconPixmap(u"search"_s, theme.colour(T::Foreground2), glyphSize, devicePixelRatioF());
    const int left = m_folded ? (width() - glyphSize) / 2 : buttonPad;
    painter.drawPixmap(left, (height() - glyphSize) / 2, icon);
    if (m_folded)
        return;
    painter.setFont(Theme::uiFont(12));
    painter.setPen(theme.colour(T::Foreground2));
    painter.drawText(
        rect().adjusted(2 * buttonPad + glyphSize - 2, 0, -buttonPad, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
    const int keyWidth = QFontMetrics(buttonKeyFont()).horizontalAdvance(keys());
    const int keyHeight = QFontMetrics(buttonKeyFont()).height() + 3;
    const QRectF cap(width() - buttonPad - keyWidth - buttonPad + 3.5, (height() - keyHeight) / 2.0,
        keyWidth + buttonPad, keyHeight);
    painter.setFont(buttonKeyFont());
    painter.drawText(cap, Qt::AlignCenter, keys());
    painter.setPen(theme.colour(T::FieldLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(cap, 4, 4);
}

} // namespace rankwright
