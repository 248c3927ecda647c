// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/keeper/framesocket.h"
#include "app/keeper/keepermessage.h"
#include "app/keeper/keeperplace.h"

#include <QTimer>

namespace rankwright {

/// One question to the agent that runs: how it is, or that it ends. Errors: Fault::Offline where none runs,
/// Fault::Invalid where its place is not safe or it is of another version, Fault::TimedOut where it is silent.
class KeeperQuery final : public QObject {
    Q_OBJECT
public:
    explicit KeeperQuery(KeeperPlace place, QObject* parent = nullptr);
    /// For tests and for programs that start one: how long an agent may be silent.
    void setPatience(int ms) { m_patience.setInterval(ms); }
    void ask(Then<KeeperStatus> then);
    /// The earlier status; done once the agent has let its connections go.
    void stop(Then<KeeperStatus> then);

private:
    void begin(Then<KeeperStatus> then);
    void handleFrame(const KeeperFrame& frame);
    void end(const Result<KeeperStatus>& status);

    const KeeperPlace m_place;
    std::unique_ptr<FrameSocket> m_socket;
    QTimer m_patience;
    Then<KeeperStatus> m_then;
    bool m_stops = false;
    bool m_greeted = false;
    std::optional<KeeperStatus> m_status;
};

} // namespace rankwright
