// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/queuepoller.h"

#include <functional>

class QWidget;

namespace rankwright {

class Connections;

/// While the main window is hidden or minimised, the queues of all clusters are asked for seldom, and those without a
/// job of ours not at all, unless the tray shows them (ClusterSession::setSight); what is watched and recorded goes on.
/// A window that is only covered by others counts as seen. All must outlive it. GUI thread.
class UnseenPause final : public QObject {
    Q_OBJECT
public:
    /// `hasTray`: whether the tray shows queues while the window is hidden.
    UnseenPause(QWidget& window, Connections& connections, std::function<bool()> hasTray, QObject* parent = nullptr);

    bool isUnseen() const { return m_sight != QueuePoller::Sight::Window; }
    QueuePoller::Sight sight() const { return m_sight; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void update();

    QWidget& m_window;
    Connections& m_connections;
    std::function<bool()> m_hasTray;
    QueuePoller::Sight m_sight = QueuePoller::Sight::Window;
};

} // namespace rankwright
