// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/unseenpause.h"

#include "app/window/links/connections.h"

#include <QEvent>
#include <QWidget>

namespace rankwright {

UnseenPause::UnseenPause(QWidget& window, Connections& connections, std::function<bool()> hasTray, QObject* parent)
    : QObject(parent), m_window(window), m_connections(connections), m_hasTray(std::move(hasTray))
{
    m_window.installEventFilter(this);
    connect(&m_connections, &Connections::sessionMade, this,
        [this](ClusterSession* session) { session->setSight(m_sight); });
}

bool UnseenPause::eventFilter(QObject* watched, QEvent* event)
{
    const QEvent::Type type = event->type();
    if (watched == &m_window && (type == QEvent::Show || type == QEvent::Hide || type == QEvent::WindowStateChange)) {
        // In the next turn: the window's state is the old one while its event is on the way.
        QMetaObject::invokeMethod(this, &UnseenPause::update, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

void UnseenPause::update()
{
    using Sight = QueuePoller::Sight;
    const bool isSeen = m_window.isVisible() && !m_window.isMinimized();
    m_sight = isSeen ? Sight::Window : m_hasTray() ? Sight::Tray : Sight::Unseen;
    for (ClusterSession* session : m_connections.sessions())
        session->setSight(m_sight);
}

} // namespace rankwright
