// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/lockedlist.h"

#include "models/core/harmlesstext.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr qsizetype firstLines = 8;
constexpr int smallestLock = 14;
} // namespace

LockedList::LockedList(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_more = new QPushButton(this);
    m_more->setObjectName(u"moreLocked"_s);
    m_more->setProperty("link", true);
    column->addWidget(m_more, 0, Qt::AlignLeft);
    connect(m_more, &QPushButton::clicked, this, [this] {
        m_all = !m_all;
        rebuild();
    });
    connect(&themeOf(this), &Theme::changed, this, &LockedList::rebuild);
    m_more->hide();
}

void LockedList::setLines(const QList<Line>& lines)
{
    if (lines == m_lines && m_body)
        return;
    m_lines = lines;
    m_marked.clear();
    rebuild();
}

QWidget* LockedList::mark(const FieldPath& field)
{
    qsizetype at = -1;
    for (qsizetype i = 0; i < m_lines.size() && at < 0; ++i)
        if (!field.isEmpty() && fieldsOverlap(m_lines.at(i).field, field))
            at = i;
    m_marked = at < 0 ? FieldPath() : m_lines.at(at).field;
    if (at >= firstLines)
        m_all = true;
    rebuild();
    return m_labels.value(m_marked);
}

void LockedList::rebuild()
{
    if (m_body) {
        m_body->hide();
        m_body->deleteLater();
    }
    m_labels.clear();
    m_body = new QWidget(this);
    auto* grid = new QGridLayout(m_body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    const qsizetype shown = m_all ? m_lines.size() : qMin(firstLines, m_lines.size());
    for (qsizetype i = 0; i < shown; ++i) {
        const Line& line = m_lines.at(i);
        auto* label = makeLabel(line.label, "quiet", m_body);
        auto* value = makeLabel(line.value, "plain", m_body);
        auto* lock = new QLabel(m_body);
        label->setWordWrap(true);
        label->setMaximumWidth(130 * qMax(1, fontMetrics().height() / 16));
        value->setWordWrap(true);
        lock->setPixmap(iconPixmap(u"lock"_s, themeOf(this).colour(Theme::Token::Foreground3),
            qMax(smallestLock, fontMetrics().height() - 2), devicePixelRatioF()));
        lock->setAccessibleName(tr("set by the class"));
        value->setAccessibleName(tr("%1: %2, set by the class").arg(line.label, line.value));
        for (QLabel* one : {label, value, lock}) {
            one->setToolTip(plainToolTip(line.reason));
            one->setAccessibleDescription(line.reason);
        }
        if (!line.field.isEmpty() && line.field == m_marked)
            setStyleProperty(label, "lit", true);
        grid->addWidget(label, int(i), 0, Qt::AlignTop);
        grid->addWidget(value, int(i), 1, Qt::AlignTop);
        grid->addWidget(lock, int(i), 2, Qt::AlignTop);
        if (!line.field.isEmpty())
            m_labels.insert(line.field, label);
    }
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_body);
    m_body->show();
    m_more->setVisible(m_lines.size() > firstLines);
    m_more->setText(m_all ? tr("Show fewer") : tr("Show all %1").arg(m_lines.size()));
}

void LockedList::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_body)
        QMetaObject::invokeMethod(this, &LockedList::rebuild, Qt::QueuedConnection); // not within a restyling
}

} // namespace rankwright
