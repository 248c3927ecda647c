// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/welcome/designtile.h"

#include "models/core/harmlesstext.h"
#include "widgets/base/icons.h"
#include "widgets/base/richtooltip.h"
#include "widgets/welcome/welcomepictures.h"

#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;

constexpr int pad = 12;
constexpr int gap = 3;
constexpr int pictureWidth = 88;

QFont titleFont() { return Theme::uiFont(13, QFont::DemiBold); }
QFont lineFont() { return Theme::uiFont(12); }
QFont verdictFont() { return Theme::uiFont(12, QFont::DemiBold); }

/// Told apart without colour, as on the Design page.
QString shapeOf(Tone tone, bool isGuess)
{
    switch (tone) {
    case Tone::Good: return u"✓"_s;
    case Tone::Warn: return isGuess ? u"≈"_s : u"!"_s;
    case Tone::Bad: return u"✕"_s;
    default: return {};
    }
}

T tokenOf(Tone tone)
{
    switch (tone) {
    case Tone::Good: return T::Good;
    case Tone::Warn: return T::Warn;
    case Tone::Bad: return T::Bad;
    default: return T::Foreground2;
    }
}

} // namespace

DesignTile::DesignTile(const RecentDesign& design, QWidget* parent)
    : QAbstractButton(parent), m_key(design.path), m_title(design.summary.title), m_summary(design.summary),
      m_isDesign(true)
{
    if (design.trouble.isEmpty()) {
        m_line = design.summary.place();
        m_verdict = design.summary.verdict;
        m_memory = design.summary.memory;
        m_tone = design.summary.tone;
        if (m_line.isEmpty())
            std::swap(m_line, m_verdict);
    } else {
        m_line = design.path;
        m_verdict = design.trouble;
        m_tone = Tone::Warn;
        m_remove = iconButton(u"close"_s, tr("Remove %1 from this list").arg(m_title), this);
        connect(m_remove, &QToolButton::clicked, this, &DesignTile::removeRequested);
    }
    describe();
}

DesignTile::DesignTile(const DesignTemplate& shown, QWidget* parent)
    : QAbstractButton(parent), m_key(shown.id), m_title(shown.title), m_line(shown.summary)
{
    describe();
}

void DesignTile::describe()
{
    // Names of files and of designs are anybody's.
    for (QString* text : {&m_title, &m_line, &m_verdict})
        *text = harmlessLine(*text);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    QStringList said{m_title};
    for (const QString& part : {m_line, QString(m_verdict + u' ' + m_memory).trimmed()}) {
        if (!part.isEmpty())
            said.append(part);
    }
    setAccessibleName(said.join(u", "_s));
    if (m_isDesign)
        setToolTip(unfoldedToolTip(harmlessLine(m_key) + u'\n' + said.join(u'\n')));
    else
        setToolTip(unfoldedToolTip(said.join(u'\n')));
}

QSize DesignTile::sizeHint() const
{
    int height = QFontMetrics(titleFont()).height() + gap + QFontMetrics(lineFont()).height();
    if (lines() == 3)
        height += gap + QFontMetrics(verdictFont()).height();
    return {240, height + 2 * pad - 4};
}

QSize DesignTile::minimumSizeHint() const { return {120, sizeHint().height()}; }

void DesignTile::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    const QColor edge = theme.colour(hasFocus() ? T::Accent : underMouse() ? T::Foreground3 : T::Line);
    const double pen = hasFocus() ? 2 : 1;
    painter.setPen(QPen(edge, pen));
    painter.setBrush(theme.colour(isDown() ? T::AccentBackground : T::Panel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2), 10, 10);
    QRect inner = rect().adjusted(pad, pad - 2, -pad, -pad + 2);
    if (m_summary.nodes > 0 && width() >= 2 * pictureWidth + 2 * pad) {
        paintDesignPicture(painter, QRectF(inner.left(), inner.top(), pictureWidth, inner.height()), m_summary, theme);
        inner.setLeft(inner.left() + pictureWidth + pad);
    }
    if (m_remove)
        inner.setRight(m_remove->x() - 4);
    const auto write = [&painter, &inner](const QFont& font, const QColor& colour, const QString& text) {
        const QFontMetrics metrics(font);
        painter.setFont(font);
        painter.setPen(colour);
        const QRect line(inner.left(), inner.top(), inner.width(), metrics.height());
        painter.drawText(
            line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, inner.width()));
        inner.setTop(inner.top() + metrics.height() + gap);
    };
    write(titleFont(), theme.colour(T::Foreground), m_title);
    write(lineFont(), theme.colour(T::Foreground2), m_line);
    if (!m_verdict.isEmpty())
        paintVerdict(painter, inner);
}

void DesignTile::paintVerdict(QPainter& painter, const QRect& line) const
{
    const Theme& theme = themeOf(this);
    const bool plain = m_tone == Tone::Quiet || m_tone == Tone::Plain;
    const QFont font = plain ? lineFont() : verdictFont();
    const QFontMetrics metrics(font);
    const QString word = QString(shapeOf(m_tone, !m_memory.isEmpty()) + u' ' + m_verdict).trimmed();
    const QRect box(line.left(), line.top(), line.width(), metrics.height());
    painter.setFont(font);
    painter.setPen(theme.colour(tokenOf(m_tone)));
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(word, Qt::ElideRight, box.width()));
    const int used = metrics.horizontalAdvance(word) + 6;
    if (m_memory.isEmpty() || used >= box.width())
        return;
    const QFontMetrics quiet(lineFont());
    painter.setFont(lineFont());
    painter.setPen(theme.colour(T::Foreground2));
    painter.drawText(box.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
        quiet.elidedText(m_memory, Qt::ElideRight, box.width() - used));
}

void DesignTile::keyPressEvent(QKeyEvent* event)
{
    if (m_isDesign && event->key() == Qt::Key_Delete)
        emit removeRequested();
    else
        QAbstractButton::keyPressEvent(event);
}

void DesignTile::contextMenuEvent(QContextMenuEvent* event)
{
    if (!m_isDesign)
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("&Open")), &QAction::triggered, this, [this] { click(); });
    connect(menu->addAction(tr("&Remove from this list")), &QAction::triggered, this, &DesignTile::removeRequested);
    menu->popup(event->globalPos());
}

void DesignTile::resizeEvent(QResizeEvent* event)
{
    QAbstractButton::resizeEvent(event);
    if (m_remove) {
        const QSize size = m_remove->sizeHint();
        m_remove->setGeometry(QRect(QPoint(width() - size.width() - 6, (height() - size.height()) / 2), size));
    }
}

} // namespace rankwright
