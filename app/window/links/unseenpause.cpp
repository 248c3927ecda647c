// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/unseenpause.h"

#include "app/window/links/connections.h"

#include <QEvent>
#include <QWidget>

namespace rankwright {

UnseenPause::UnseenPause(QWidget& window, Connections& connections, QObject* parent)
    : QObject(parent), m_window(window), m_connections(connections)
{
    m_window.installEventFilter(this);
    connect(&m_connections, &Connections::sessionMade, this,
        [this](ClusterSession* session) { session->setUnseen(m_unseen); });
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
    const bool unseen = !m_window.isVisible() || m_window.isMinimized();
    if (unseen == m_unseen)
        return;
    m_unseen = unseen;
    for (ClusterSession* session : m_connections.sessions())
        session->setUnseen(unseen);
}

} // namespace rankwright
