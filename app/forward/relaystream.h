// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/forward/relayframe.h"
#include "models/cluster/remote/remoteshell.h"

#include <QPointer>

namespace rankwright {

class RelayHub;

/// One connection through a relay on a node; looks like a dialled one. Holds at most the relay's window each way.
class RelayStream final : public RemoteProcess {
    Q_OBJECT
public:
    RelayStream(RelayHub& hub, quint32 number);
    ~RelayStream() override;

    void write(const QByteArray& input) override;
    void closeInput() override;
    void hold(bool held) override;

    // For the hub:
    void handleFrame(const RelayFrame& frame);
    void end(const Result<CommandOutcome>& outcome);

private:
    void sendInput();
    void deliverOutput();

    QPointer<RelayHub> m_hub;
    const quint32 m_number;
    QByteArray m_input; ///< beyond the window
    QByteArray m_output; ///< while held
    quint32 m_window = relayWindow;
    quint32 m_owed = 0; ///< delivered, and not yet said so
    qint64 m_sent = 0;
    bool m_opened = false;
    bool m_held = false;
    bool m_inputEnds = false;
    bool m_inputEnded = false;
    bool m_outputEnds = false;
    bool m_outputEnded = false;
    std::optional<Result<CommandOutcome>> m_end;
    bool m_finished = false;
};

} // namespace rankwright
