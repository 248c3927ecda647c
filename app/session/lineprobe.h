// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/remote/remoteshell.h"

#include <QElapsedTimer>

namespace rankwright {

/// How much a connection carries: 4 KiB are fetched once per connection and timed from their first byte to their last,
/// so that neither the round trip nor the account's start-up files count. Lives on the GUI thread.
class LineProbe final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LineProbe)
public:
    /// `shell` must outlive it. Begins whenever the link comes online.
    explicit LineProbe(RemoteShell& shell, QObject* parent = nullptr);

signals:
    void began();
    /// Bytes per second; of a fast line at least so many. Empty: the probe failed.
    void measured(std::optional<double> bytesPerSecond);

private:
    void begin();
    void finish(std::optional<double> rate);

    RemoteShell& m_shell;
    std::unique_ptr<RemoteProcess> m_process;
    QElapsedTimer m_clock;
    qint64 m_bytes = 0;
};

} // namespace rankwright
