// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/linkbutton.h"

#include "models/core/harmlesstext.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int leastWidth = 60;
constexpr int padding = 10; // the style's, and its frame
constexpr int leastHeight = 22; // the style's

/// "&" is not a mnemonic here.
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
    fitText();
}

void LinkButton::setNote(const QString& note)
{
    m_note = note;
    setAccessibleDescription(note);
    fitText();
}

QSize LinkButton::sizeHint() const
{
    QSize size = QPushButton::sizeHint();
    size.rwidth() += fontMetrics().size(Qt::TextShowMnemonic, literal(m_whole)).width()
        - fontMetrics().size(Qt::TextShowMnemonic, text()).width();
    if (m_wraps)
        size.setHeight(heightOf({}));
    return size;
}

QSize LinkButton::minimumSizeHint() const
{
    return {leastWidth, m_wraps ? heightOf({}) : QPushButton::minimumSizeHint().height()};
}

void LinkButton::setWraps()
{
    m_wraps = true;
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    fitText();
}

int LinkButton::heightOf(const QString& shown) const
{
    return qMax(leastHeight, fontMetrics().size(Qt::TextShowMnemonic, shown).height() + 2);
}

int LinkButton::heightForWidth(int width) const { return m_wraps ? heightOf(shownIn(width)) : -1; }

void LinkButton::resizeEvent(QResizeEvent* event)
{
    QPushButton::resizeEvent(event);
    fitText();
}

/// The words that have room, with their line breaks.
QString LinkButton::shownIn(int width) const
{
    if (width >= sizeHint().width())
        return m_whole;
    const int room = qMax(0, width - padding - (icon().isNull() ? 0 : iconSize().width() + 4));
    if (!m_wraps)
        return fontMetrics().elidedText(m_whole, Qt::ElideRight, room);
    QStringList lines;
    for (const QString& word : m_whole.split(u' ')) {
        const QString longer = lines.isEmpty() ? word : lines.last() + u' ' + word;
        if (!lines.isEmpty() && fontMetrics().horizontalAdvance(longer) <= room)
            lines.last() = longer;
        else
            lines.append(fontMetrics().elidedText(word, Qt::ElideRight, room));
    }
    return lines.join(u'\n');
}

void LinkButton::fitText()
{
    const QString shown = shownIn(width());
    if (literal(shown) != text())
        setText(literal(shown));
    const QString said = QString(shown).replace(u'\n', u' ') == m_whole ? m_note
        : m_note.isEmpty()                                              ? m_whole
                                                                        : m_whole + u'\n' + m_note;
    setToolTip(plainToolTip(said));
}

} // namespace rankwright
