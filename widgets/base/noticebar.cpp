// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/noticebar.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"

#include <QAccessible>
#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;

/// One message: accent background, a bar at the left, text, action, close.
class NoticeRow final : public QWidget {
public:
    NoticeRow(NoticeKey key, QWidget* parent) : QWidget(parent), m_key(std::move(key)) { }

    const NoticeKey& key() const { return m_key; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = themeOf(this);
        painter.fillRect(rect(), theme.colour(T::AccentBackground));
        painter.fillRect(QRect(0, 0, 3, height()), theme.colour(T::Accent));
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme.colour(T::Line));
    }

private:
    NoticeKey m_key;
};

} // namespace

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent), m_rows(new QVBoxLayout(this))
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(0);
    setAccessibleName(tr("Notices"));
    hide();
}

void NoticeBar::showNotice(
    const NoticeKey& key, const QString& text, const QString& actionText, const std::function<void()>& action)
{
    clearNotice(key);
    auto* row = new NoticeRow(key, this);
    auto* across = new QHBoxLayout(row);
    across->setContentsMargins(16, 5, 8, 5);
    across->setSpacing(12);
    auto* label = new QLabel(text, row);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    across->addWidget(label, 1);
    if (!actionText.isEmpty()) {
        auto* button = new QPushButton(actionText, row);
        if (action)
            connect(button, &QPushButton::clicked, this, action);
        across->addWidget(button);
    }
    auto* close = new QToolButton(row);
    close->setIcon(lineIcon(u"close"_s));
    close->setIconSize(QSize(14, 14));
    close->setAccessibleName(tr("Dismiss"));
    close->setToolTip(tr("Dismiss"));
    close->setFocusPolicy(Qt::StrongFocus);
    connect(close, &QToolButton::clicked, this, [this, key] { clearNotice(key); });
    across->addWidget(close);
    m_rows->addWidget(row);
    show();
    QAccessibleEvent reported(label, QAccessible::Alert);
    QAccessible::updateAccessibility(&reported);
}

void NoticeBar::clearNotice(const NoticeKey& key)
{
    if (QWidget* row = rowOf(key)) {
        m_rows->removeWidget(row);
        row->hide();
        row->deleteLater();
    }
    setVisible(m_rows->count() > 0);
}

int NoticeBar::count() const { return m_rows->count(); }

QString NoticeBar::textOf(const NoticeKey& key) const
{
    const QWidget* row = rowOf(key);
    const auto* label = row ? row->findChild<QLabel*>() : nullptr;
    return label ? label->text() : QString();
}

QWidget* NoticeBar::rowOf(const NoticeKey& key) const
{
    for (int i = 0; i < m_rows->count(); ++i) {
        auto* row = static_cast<NoticeRow*>(m_rows->itemAt(i)->widget()); // nothing else is put there
        if (row && row->key() == key)
            return row;
    }
    return nullptr;
}

} // namespace rankwright
