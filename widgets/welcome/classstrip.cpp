// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/welcome/classstrip.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/keycap.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QUrl>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
using T = Theme::Token;
} // namespace

ClassStrip::ClassStrip(QWidget* parent) : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 10, 14, 10);
    row->setSpacing(12);
    m_icon = new QLabel(this);
    row->addWidget(m_icon);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    QLabel* title = makeLabel(tr("I have a class file"), "title", this);
    title->setWordWrap(true);
    QLabel* text = makeLabel(
        tr("Drop the .rwclass of your teacher here. You see what it sets before anything happens."), "quiet", this);
    text->setWordWrap(true);
    words->addWidget(title);
    words->addWidget(text);
    row->addLayout(words, 1);
    m_button = new QPushButton(tr("Open a class file …"), this);
    m_button->setAccessibleDescription(text->text());
    connect(m_button, &QPushButton::clicked, this, &ClassStrip::openRequested);
    row->addWidget(m_button);
    row->addWidget(new KeyCap(u"4"_s, this));
    paintIcon();
}

QString ClassStrip::draggedClassFile(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    const QString path = urls.size() == 1 ? urls.first().toLocalFile() : QString();
    return path.endsWith(u".rwclass"_s, Qt::CaseInsensitive) ? path : QString();
}

void ClassStrip::setDropping(bool dropping)
{
    m_dropping = dropping;
    update();
}

void ClassStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    painter.setPen(m_dropping ? QPen(theme.colour(T::Accent), 2) : QPen(theme.colour(T::FieldLine), 1, Qt::DashLine));
    painter.setBrush(m_dropping ? QBrush(theme.colour(T::AccentBackground)) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);
}

void ClassStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_icon)
        paintIcon();
}

void ClassStrip::paintIcon()
{
    m_icon->setPixmap(iconPixmap(u"mortarboard"_s, themeOf(this).colour(T::Accent), 22, devicePixelRatioF()));
}

} // namespace rankwright
