// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ssh/support/realsshd.h"

namespace rankwright::test {

/// OpenSSH's client with a connection to a RealSshd that it shares at a control socket. Ended with this object.
class OpenSshMaster {
    Q_DISABLE_COPY_MOVE(OpenSshMaster)
public:
    /// `controlPath` as ~/.ssh/config would have it; the host is called "cluster" there.
    OpenSshMaster(const RealSshd& sshd, const QString& folder, const QString& controlPath);
    ~OpenSshMaster();

    /// Starts the client and waits until it listens; empty: it does, else why not.
    QString start();
    /// Its configuration, which also an SshRequest may name.
    const QString& config() const { return m_config; }
    qint64 processId() const { return m_process.processId(); }
    /// At once, without a farewell.
    void kill();
    /// As `ssh -O stop` or `exit`.
    int control(const QString& word) const;

private:
    QString m_config;
    QProcess m_process;
};

} // namespace rankwright::test
