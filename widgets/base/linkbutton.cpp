// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/linkbutton.h"

#include "models/core/harmlesstext.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int leastWidth = 60;
constexpr int padding = 10; // the style's, and its frame

/// "&" is no mnemonic here.
QString literal(QString text) { return text.replace(u'&', u"&&"_s); }

} // namespace

LinkButton::LinkButton(const QString& text, QWidget* parent) : QPushButton(literal(text), parent), m_whole(text)
{
    setProperty("link", true);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(text);
}

void LinkButton::setWhole(const QString& text)
{
    if (text == m_whole)
        return;
    m_whole = text;
    setAccessibleName(text);
    setText(literal(text)); // what it asks for is of the whole
    updateGeometry();
    fit();
}

void LinkButton::setNote(const QString& note)
{
    m_note = note;
    setAccessibleDescription(note);
    fit();
}

QSize LinkButton::sizeHint() const
{
    QSize size = QPushButton::sizeHint();
    size.rwidth() += fontMetrics().size(Qt::TextShowMnemonic, literal(m_whole)).width()
        - fontMetrics().size(Qt::TextShowMnemonic, text()).width();
    return size;
}

QSize LinkButton::minimumSizeHint() const { return {leastWidth, QPushButton::minimumSizeHint().height()}; }

void LinkButton::resizeEvent(QResizeEvent* event)
{
    QPushButton::resizeEvent(event);
    fit();
}

void LinkButton::fit()
{
    const int beside = icon().isNull() ? 0 : iconSize().width() + 4;
    const QString shown = width() >= sizeHint().width()
        ? m_whole
        : fontMetrics().elidedText(m_whole, Qt::ElideRight, qMax(0, width() - padding - beside));
    if (literal(shown) != text())
        setText(literal(shown));
    const QString said = shown == m_whole ? m_note : m_note.isEmpty() ? m_whole : m_whole + u'\n' + m_note;
    setToolTip(plainToolTip(said));
}

} // namespace rankwright
