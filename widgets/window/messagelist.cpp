// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/messagelist.h"

#include "widgets/base/card.h"
#include "widgets/base/toasts.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int listWidth = 420;
constexpr int tallestList = 420;

} // namespace

MessageList::MessageList(Toasts& toasts, QWidget* parent) : QFrame(parent, Qt::Popup)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("card", true);
    setAccessibleName(tr("Messages"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 6, 10);
    column->addWidget(makeLabel(tr("Messages"), "title", this));
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    auto* page = new QWidget(scroll);
    page->setFixedWidth(listWidth - 34);
    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(0, 4, 0, 0);
    rows->setSpacing(10);
    if (toasts.messages().isEmpty())
        rows->addWidget(makeLabel(tr("Nothing has been reported yet."), "quiet", page));
    for (const Message& message : toasts.messages()) {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        row->addWidget(makeLabel(QLocale().toString(message.at.time(), u"HH:mm"_s), "caption", page), 0, Qt::AlignTop);
        QLabel* text = makeLabel(message.text, message.over ? "quiet" : "plain", page);
        text->setWordWrap(true);
        row->addWidget(text, 1);
        if (!message.over && !message.actionText.isEmpty()) {
            auto* button = new QPushButton(message.actionText, page);
            connect(button, &QPushButton::clicked, this, [this, list = &toasts, key = message.key] {
                close();
                list->act(key);
            });
            row->addWidget(button, 0, Qt::AlignTop);
        }
        rows->addLayout(row);
    }
    rows->addStretch();
    scroll->setWidget(page);
    page->setAutoFillBackground(false);
    column->addWidget(scroll, 1);
    const int wanted = page->layout()->heightForWidth(page->width());
    resize(listWidth, std::min(tallestList, std::max(wanted, page->sizeHint().height()) + 56));
}

void MessageList::openBelow(const QWidget& anchor)
{
    const QPoint corner = anchor.mapToGlobal(QPoint(anchor.width(), anchor.height() + 4));
    move(corner.x() - width(), corner.y());
    show();
    setFocus();
}

} // namespace rankwright
