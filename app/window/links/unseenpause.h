// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/queuepoller.h"

class QWidget;

namespace rankwright {

class Connections;
class Settings;

/// While the main window is hidden or minimised, the queues of all clusters are asked for seldom, and those without a
/// job of ours not at all, unless the tray shows them (ClusterSession::setSight); what is watched and recorded goes on.
/// A window that is only covered by others counts as seen. All must outlive it. GUI thread.
class UnseenPause final : public QObject {
    Q_OBJECT
public:
    /// `settings`: whether notifications, and with them the tray's menu, are wanted.
    UnseenPause(QWidget& window, Connections& connections, const Settings& settings, QObject* parent = nullptr);

    bool isUnseen() const { return m_sight != QueuePoller::Sight::Window; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void update();

    QWidget& m_window;
    Connections& m_connections;
    const Settings& m_settings;
    QueuePoller::Sight m_sight = QueuePoller::Sight::Window;
};

} // namespace rankwright
