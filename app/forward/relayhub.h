// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/forward/nodestep.h"
#include "models/cluster/forward/relayframe.h"
#include "models/cluster/remote/remoteshell.h"

#include <QHash>
#include <QTimer>

namespace rankwright {

class RelayStream;

/// The relay on one node of a job: one Slurm step, many connections over its standard input and output. Starts with the
/// first connection; ends with itself, with the job, or after a while without connections. Lives on the GUI thread.
class RelayHub final : public QObject {
    Q_OBJECT
public:
    RelayHub(RemoteShell& shell, NodeStep step, QObject* parent = nullptr);
    ~RelayHub() override;

    /// A connection to a port of the node; finishes with an error when it cannot be.
    std::unique_ptr<RemoteProcess> open(int port);
    /// The node has none: each connection needs a step of its own (bashRelayCommand()).
    bool hasNoPython() const { return m_hasNoPython; }
    bool isRunning() const { return m_process != nullptr; }

    // For its streams:
    void send(const RelayFrame& frame);
    enum class FarEnd { Open, Closed };
    void drop(quint32 number, FarEnd end); ///< one that is open is closed

private:
    void start();
    void handleOutput(const QByteArray& bytes);
    void end(const Error& why);

    RemoteShell& m_shell;
    const NodeStep m_step;
    std::unique_ptr<RemoteProcess> m_process;
    RelayReader m_reader;
    QHash<quint32, RelayStream*> m_streams;
    QByteArray m_waiting; ///< frames for a relay that has not said yet that it is there
    QByteArray m_errors; ///< the end of what srun said
    quint32 m_lastNumber = 0;
    QTimer m_alive;
    QTimer m_patience; ///< until the greeting
    QTimer m_idle;
    bool m_hasNoPython = false;
};

} // namespace rankwright
