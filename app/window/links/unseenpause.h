// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace rankwright {

class ClusterSession;
class Connections;

/// While the main window is hidden or minimised, the queues of all clusters are asked for seldom
/// (ClusterSession::setUnseen); what is watched and recorded goes on. A window that is only covered by others counts as
/// seen. `window` and `connections` must outlive it. GUI thread.
class UnseenPause final : public QObject {
    Q_OBJECT
public:
    UnseenPause(QWidget& window, Connections& connections, QObject* parent = nullptr);

    bool isUnseen() const { return m_unseen; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void update();

    QWidget& m_window;
    Connections& m_connections;
    bool m_unseen = false;
};

} // namespace rankwright
