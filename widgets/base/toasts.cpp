// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/toasts.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/theme.h"

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QApplication>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;

constexpr int tickMs = 250;
constexpr int edge = 16; // to the parent's right and bottom
constexpr int widest = 560;
constexpr int narrowest = 240;
constexpr int sideMargin = 14;
constexpr int toastMargin = 7;
constexpr int spacing = 10;
constexpr int stride = 8; // between places that are tried
constexpr int surfacePart = 3; // what takes more than this part of the window is a surface, not a control
constexpr qsizetype kept = 100;

/// What lies below messages, the more it matters the earlier: what has the focus, the accent or the property
/// "keepsClear"; whatever else is clicked or typed in; words.
enum class Below { Foremost, Control, Words };

/// Empty: it may be covered. Lists, editors and large pictures can be scrolled, and would leave no place at all.
std::optional<Below> belowOf(const QWidget& widget, qint64 surface)
{
    if (!widget.isVisible() || qobject_cast<const QAbstractScrollArea*>(&widget)
        || qint64(widget.width()) * widget.height() > surface)
        return {};
    if (widget.property("keepsClear").toBool())
        return Below::Foremost;
    if (widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) && !widget.focusProxy())
        return widget.hasFocus() || widget.property("accent").toBool() ? Below::Foremost : Below::Control;
    const auto* label = qobject_cast<const QLabel*>(&widget);
    return label && !label->text().isEmpty() ? std::optional(Below::Words) : std::nullopt;
}

QRect inView(const QWidget& widget, const QWidget& room)
{
    QRect seen(widget.mapTo(&room, QPoint()), widget.size());
    for (const QWidget* at = widget.parentWidget(); at && at != &room; at = at->parentWidget())
        seen &= QRect(at->mapTo(&room, QPoint()), at->size());
    return seen & room.rect();
}

using Covered = std::vector<std::pair<Below, QRect>>;

/// All within `room` that is not of the messages.
Covered below(const QWidget& room, const QWidget& messages)
{
    Covered all;
    const qint64 surface = qint64(room.width()) * room.height() / surfacePart;
    for (const QWidget* each : room.findChildren<QWidget*>()) {
        const auto what = each != &messages && !messages.isAncestorOf(each) ? belowOf(*each, surface) : std::nullopt;
        const QRect place = what ? inView(*each, room) : QRect();
        if (!place.isEmpty())
            all.emplace_back(*what, place);
    }
    return all;
}

/// Of what messages would cover there the area, the worst first; then how far it is from their usual place.
using PlaceCost = std::array<qint64, 4>;

PlaceCost costAt(const QRect& place, const Covered& covered, QPoint usual)
{
    PlaceCost cost{};
    for (const auto& [what, its] : covered) {
        const QSize common = place.intersected(its).size();
        if (!common.isEmpty())
            cost.at(size_t(what)) += qint64(common.width()) * common.height();
    }
    cost.at(3) = (place.topLeft() - usual).manhattanLength();
    return cost;
}

/// At the right, the left or in the middle, from below to the top of the room.
QRect freestPlace(const QRect& room, QSize size, const Covered& covered)
{
    const QPoint usual(room.right() - size.width() + 1, std::max(room.top(), room.bottom() - size.height() + 1));
    QRect best(usual, size);
    PlaceCost least = costAt(best, covered, usual);
    for (const int x : {usual.x(), room.left(), room.left() + (room.width() - size.width()) / 2}) {
        for (int y = usual.y(); y >= room.top(); y -= stride) {
            const QRect place(QPoint(x, y), size);
            const PlaceCost cost = costAt(place, covered, usual);
            if (cost < least) {
                least = cost;
                best = place;
            }
        }
    }
    return best;
}

/// A short message covers no more than it needs.
int wantedWidth(const QVBoxLayout& rows)
{
    int width = narrowest;
    for (int i = 0; i < rows.count(); ++i) {
        const QLayout* row = rows.itemAt(i)->widget()->layout();
        int its = sideMargin + toastMargin;
        for (int j = 0; j < row->count(); ++j) {
            const QWidget* part = row->itemAt(j)->widget();
            const auto* label = qobject_cast<const QLabel*>(part);
            its += (j > 0 ? spacing : 0)
                + (label ? label->fontMetrics().horizontalAdvance(label->text()) + 2 : part->sizeHint().width());
        }
        width = std::max(width, its);
    }
    return std::min(width, widest);
}

/// Whether a message waits for a person: it offers a way on that nothing else in the window does. To take back what was
/// just done, or to look at what has ended, does not count.
bool isDecision(const Message& message)
{
    if (message.actionText.isEmpty())
        return false;
    switch (message.key.about) {
    case Notice::Class:
    case Notice::Connection:
    case Notice::Controller:
    case Notice::Document:
    case Notice::Launch:
    case Notice::Recovery:
    case Notice::RunningJob:
    case Notice::Upload: return true;
    default: return false;
    }
}

/// One message: a card with a bar at the left, text, action, close.
class ToastRow final : public QWidget {
public:
    ToastRow(NoticeKey key, bool isStaying, QWidget* parent) : QWidget(parent), stays(isStaying), m_key(std::move(key))
    { }

    const NoticeKey& key() const { return m_key; }
    /// Whether a person is at it.
    bool isHeld() const { return underMouse() || isAncestorOf(QApplication::focusWidget()); }
    int age = 0; ///< in ms, not counting while it was held
    const bool stays; ///< until it is answered or sent away

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& theme = themeOf(this);
        painter.setPen(theme.colour(T::Accent));
        painter.setBrush(theme.colour(T::AccentBackground));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        painter.fillRect(QRect(0, 8, 3, height() - 16), theme.colour(T::Accent));
    }

private:
    NoticeKey m_key;
};

} // namespace

Toasts::Toasts(QWidget* parent) : QWidget(parent), m_rows(new QVBoxLayout(this))
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(8);
    setAccessibleName(tr("Messages"));
    m_clock.setInterval(tickMs);
    connect(&m_clock, &QTimer::timeout, this, &Toasts::countDown);
    parent->installEventFilter(this);
    hide();
}

void Toasts::showNotice(
    const NoticeKey& key, const QString& text, const QString& actionText, const std::function<void()>& action)
{
    clearNotice(key);
    const Message message{key, text, actionText, action, QDateTime::currentDateTime()};
    ++m_unread;
    addRow(message);
    addMessage(message);
}

void Toasts::updateNotice(
    const NoticeKey& key, const QString& text, const QString& actionText, const std::function<void()>& action)
{
    const auto found = std::find_if(
        m_messages.begin(), m_messages.end(), [&key](const Message& one) { return one.key == key && !one.over; });
    if (found == m_messages.end() || found->actionText != actionText) {
        showNotice(key, text, actionText, action);
        return;
    }
    found->text = text;
    found->action = action;
    if (QWidget* row = rowOf(key)) {
        row->findChild<QLabel*>()->setText(text);
        row->updateGeometry(); // now: its height is asked for below
        placeToasts();
    }
    emit changed();
}

void Toasts::addNotice(const NoticeKey& key, const QString& text)
{
    clearNotice(key);
    addMessage({key, text, {}, {}, QDateTime::currentDateTime()});
}

void Toasts::addMessage(const Message& message)
{
    m_messages.prepend(message);
    if (m_messages.size() > kept)
        m_messages.removeLast();
    emit changed();
}

void Toasts::addRow(const Message& message)
{
    const bool stays = isDecision(message) && makeRoomForDecision();
    auto* row = new ToastRow(message.key, stays, this);
    auto* across = new QHBoxLayout(row);
    across->setContentsMargins(sideMargin, toastMargin, toastMargin, toastMargin);
    across->setSpacing(spacing);
    auto* label = new QLabel(message.text, row);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    across->addWidget(label, 1);
    if (!message.actionText.isEmpty()) {
        auto* button = new QPushButton(message.actionText, row);
        connect(button, &QPushButton::clicked, this, [this, key = message.key] { act(key); });
        across->addWidget(button);
    }
    auto* close = new QToolButton(row);
    close->setIcon(lineIcon(u"close"_s));
    close->setIconSize(QSize(14, 14));
    close->setAccessibleName(tr("Dismiss"));
    close->setToolTip(tr("Dismiss (Esc); the list of messages keeps it"));
    close->setFocusPolicy(Qt::StrongFocus);
    connect(close, &QToolButton::clicked, this, [this, row] { removeRow(row); });
    across->addWidget(close);
    m_rows->addWidget(row);
    row->show(); // now: its height is asked for below
    show();
    raise();
    placeToasts();
    m_clock.start();
    QAccessibleEvent reported(label, QAccessible::Alert);
    QAccessible::updateAccessibility(&reported);
}

/// One decision at a time: the one before goes to the list, where its button still is. False: a person is at it.
bool Toasts::makeRoomForDecision()
{
    for (int i = m_rows->count() - 1; i >= 0; --i) {
        auto* row = static_cast<ToastRow*>(m_rows->itemAt(i)->widget()); // nothing else is put there
        if (!row->stays)
            continue;
        if (row->isHeld())
            return false;
        removeRow(row);
    }
    return true;
}

void Toasts::act(const NoticeKey& key)
{
    const auto found
        = std::find_if(m_messages.begin(), m_messages.end(), [&key](const Message& one) { return one.key == key; });
    if (found == m_messages.end() || found->over || !found->action)
        return;
    const std::function<void()> action = found->action; // it may clear or replace the message
    if (QWidget* row = rowOf(key))
        removeRow(row);
    action();
}

void Toasts::removeRow(QWidget* row)
{
    m_rows->removeWidget(row);
    row->hide();
    row->deleteLater();
    setVisible(m_rows->count() > 0);
    placeToasts();
    if (m_rows->count() == 0)
        m_clock.stop();
}

void Toasts::clearNotice(const NoticeKey& key)
{
    if (QWidget* row = rowOf(key))
        removeRow(row);
    bool any = false;
    for (Message& message : m_messages) {
        if (message.key != key || message.over)
            continue;
        message.over = true;
        any = true;
    }
    if (any)
        emit changed();
}

void Toasts::markRead()
{
    m_unread = 0;
    emit changed();
}

void Toasts::setSeconds(int seconds) { m_seconds = std::max(0, seconds); }

void Toasts::setClearance(int height)
{
    if (height == m_clearance)
        return;
    m_clearance = height;
    placeToasts();
}

void Toasts::countDown()
{
    const bool isHeld = underMouse() || isAncestorOf(QApplication::focusWidget());
    if (!isHeld)
        placeToasts(); // a page that was filled since may have something to click there
    if (m_seconds == 0)
        return;
    for (int i = m_rows->count() - 1; i >= 0; --i) {
        auto* row = static_cast<ToastRow*>(m_rows->itemAt(i)->widget()); // nothing else is put there
        if (row->stays || row->isHeld()) {
            row->age = 0;
            continue;
        }
        row->age += tickMs;
        if (row->age > m_seconds * 1000)
            removeRow(row);
    }
}

/// Follows a layout, and must not ask for one: with `invalidate()` in it each message kept the event loop busy.
void Toasts::placeToasts()
{
    if (m_rows->count() == 0)
        return;
    const QRect room = parentWidget()->rect().adjusted(edge, edge, -edge, -edge - m_clearance);
    const int width = std::min(wantedWidth(*m_rows), room.width());
    const int height = m_rows->hasHeightForWidth() ? m_rows->heightForWidth(width) : m_rows->sizeHint().height();
    setGeometry(freestPlace(room, {width, height}, below(*parentWidget(), *this)));
}

bool Toasts::event(QEvent* event)
{
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        placeToasts();
    return done;
}

bool Toasts::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != parent())
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::Resize) {
        placeToasts();
    } else if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape
        && m_rows->count() > 0) {
        removeRow(m_rows->itemAt(m_rows->count() - 1)->widget()); // nothing in the page wanted the key
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

int Toasts::count() const { return m_rows->count(); }

QString Toasts::textOf(const NoticeKey& key) const
{
    const auto found = std::find_if(
        m_messages.cbegin(), m_messages.cend(), [&key](const Message& one) { return one.key == key && !one.over; });
    return found == m_messages.cend() ? QString() : found->text;
}

QWidget* Toasts::rowOf(const NoticeKey& key) const
{
    for (int i = 0; i < m_rows->count(); ++i) {
        auto* row = static_cast<ToastRow*>(m_rows->itemAt(i)->widget()); // nothing else is put there
        if (row && row->key() == key)
            return row;
    }
    return nullptr;
}

} // namespace rankwright
