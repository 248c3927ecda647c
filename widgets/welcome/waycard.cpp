// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/welcome/waycard.h"

#include "widgets/base/card.h"
#include "widgets/base/keycap.h"
#include "widgets/welcome/tilelayout.h"

#include <QBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>

namespace rankwright {

namespace {

using T = Theme::Token;

/// The picture at the top: says nothing that the words do not, so it has no name of its own.
class PictureStrip final : public QWidget {
public:
    PictureStrip(WelcomePicture picture, QWidget* parent) : QWidget(parent), m_picture(picture)
    {
        setFixedHeight(64);
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        paintWelcomePicture(painter, rect(), m_picture, themeOf(this));
    }

private:
    WelcomePicture m_picture;
};

} // namespace

WayCard::WayCard(WelcomePicture picture, const Words& words, Place place, QWidget* parent)
    : QFrame(parent), m_first(place == Place::First)
{
    setCursor(Qt::PointingHandCursor);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(22, 20, 22, 18);
    column->setSpacing(6);
    column->addWidget(new PictureStrip(picture, this));
    column->addSpacing(8);
    QLabel* title = makeLabel(words.title, "figure", this);
    title->setWordWrap(true);
    column->addWidget(title);
    m_text = makeLabel({}, "quiet", this);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    column->addWidget(m_text, 1);
    column->addSpacing(6);
    m_button = new QPushButton(words.button, this);
    m_button->setProperty("accent", m_first);
    m_button->setCursor(Qt::ArrowCursor);
    connect(m_button, &QPushButton::clicked, this, &WayCard::chosen);
    m_note = makeLabel({}, "quiet", this);
    auto* row = new TileLayout({}, 10);
    row->addWidget(m_button);
    row->addWidget(new KeyCap(words.key, this));
    row->addWidget(m_note);
    column->addLayout(row);
    setNote({});
}

void WayCard::setText(const QString& text)
{
    m_text->setText(text);
    m_button->setAccessibleDescription(text);
}

QString WayCard::text() const { return m_text->text(); }

void WayCard::setNote(const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void WayCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    painter.setPen(theme.colour(m_first ? T::Accent : T::Line));
    painter.setBrush(theme.colour(m_first ? T::AccentBackground : T::Panel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10);
}

void WayCard::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        m_button->click();
}

} // namespace rankwright
