// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/emptystate.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

namespace {
constexpr int iconSize = 44;
constexpr int textWidth = 460;
} // namespace

EmptyState::EmptyState(const QString& icon, const QString& title, const QString& text, QWidget* parent)
    : QWidget(parent), m_icon(icon), m_picture(new QLabel(this)), m_text(makeLabel(text, "quiet", this)),
      m_actions(new QHBoxLayout)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(10);
    QLabel* heading = makeLabel(title, "figure", this);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_text->setFixedWidth(textWidth);
    m_actions->setSpacing(14);
    column->addStretch(4);
    column->addWidget(m_picture, 0, Qt::AlignHCenter);
    column->addWidget(heading, 0, Qt::AlignHCenter);
    auto* words = new QHBoxLayout; // an aligned item would lose its height for the width
    words->addStretch();
    words->addWidget(m_text);
    words->addStretch();
    column->addLayout(words);
    column->addSpacing(8);
    auto* row = new QHBoxLayout;
    row->addStretch();
    row->addLayout(m_actions);
    row->addStretch();
    column->addLayout(row);
    column->addStretch(5);
    connect(&themeOf(this), &Theme::changed, this, [this] { paintIcon(); });
    paintIcon();
}

QAbstractButton* EmptyState::addButton(const QString& label) { return addWay(label, "accent"); }

QAbstractButton* EmptyState::addLink(const QString& label) { return addWay(label, "link"); }

QAbstractButton* EmptyState::addWay(const QString& label, const char* style)
{
    auto* button = new QPushButton(label, this);
    button->setProperty(style, true);
    m_actions->addWidget(button);
    return button;
}

void EmptyState::setText(const QString& text) { m_text->setText(text); }

void EmptyState::paintIcon()
{
    m_picture->setPixmap(
        iconPixmap(m_icon, themeOf(this).colour(Theme::Token::Foreground3), iconSize, devicePixelRatioF()));
}

} // namespace rankwright
