// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/card.h"

#include "widgets/base/elidinglabel.h"
#include "widgets/base/theme.h"
#include "widgets/base/wrappedlabel.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QVariant>

namespace rankwright {

namespace {

/// Painted, not styled: a one-pixel line asks the theme for its colour when it is drawn.
class HairLine final : public QWidget {
public:
    HairLine(Qt::Orientation orientation, QWidget* parent) : QWidget(parent)
    {
        if (orientation == Qt::Horizontal)
            setFixedHeight(1);
        else
            setFixedWidth(1);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), themeOf(this).colour(Theme::Token::Line));
    }
};

} // namespace

Card::Card(const QString& title, QWidget* parent) : QFrame(parent)
{
    setProperty("card", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(15, 11, 15, 13);
    column->setSpacing(8);
    m_head = new QHBoxLayout;
    m_head->setSpacing(12);
    m_title = makeLabel(title, "title", this);
    m_caption = makeElidedLabel("quiet", this);
    m_caption->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_head->addWidget(m_title);
    m_head->addWidget(m_caption, 1);
    column->addLayout(m_head);
    m_body = new QVBoxLayout;
    m_body->setSpacing(8);
    column->addLayout(m_body, 1);
    setTitle(title);
}

void Card::setTitle(const QString& title)
{
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
}

void Card::setCaption(const QString& caption) { m_caption->setText(caption); }

QString Card::title() const { return m_title->text(); }

QString Card::caption() const { return m_caption->text(); }

QLabel* makeLabel(const QString& text, const char* role, QWidget* parent)
{
    auto* label = new WrappedLabel(text, parent);
    label->setWordWrap(false);
    label->setTextFormat(Qt::PlainText);
    label->setProperty(role, true);
    return label;
}

QLabel* makeElidedLabel(const char* role, QWidget* parent)
{
    auto* label = new ElidingLabel(parent, Qt::ElideRight);
    label->setProperty(role, true);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

void setStyleProperty(QWidget* widget, const char* name, const QVariant& value)
{
    if (widget->property(name) == value)
        return;
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

QWidget* makeLine(Qt::Orientation orientation, QWidget* parent) { return new HairLine(orientation, parent); }

} // namespace rankwright
