// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"

#include <QElapsedTimer>

namespace rankwright {

/// How much a connection carries: 4 KiB are fetched once per connection, twice when they come slowly, and timed without
/// the round trip, the account's start-up files and, by the login node's own clock, what that node takes to write them.
/// Lives on the GUI thread.
class LineProbe final : public QObject {
    Q_OBJECT
public:
    /// `shell` must outlive it. Begins whenever the link comes online.
    explicit LineProbe(RemoteShell& shell, QObject* parent = nullptr);

signals:
    void measurementBegan();
    /// Bytes per second; of a fast line a lower bound. Empty: the probe failed, or its two measures disagree.
    void rateMeasured(std::optional<double> bytesPerSecond);

private:
    void begin();
    void read(const QByteArray& bytes);
    void assess(double rate);
    void finish(std::optional<double> rate);

    RemoteShell& m_shell;
    std::unique_ptr<RemoteProcess> m_process;
    QElapsedTimer m_clock;
    QByteArray m_text; ///< arrived and not yet read
    std::optional<double> m_wasSlow; ///< the first measure, when it was
};

} // namespace rankwright
