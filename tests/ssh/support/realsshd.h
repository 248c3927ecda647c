// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshendpoint.h"

#include <QProcess>
#include <QTemporaryDir>

namespace rankwright::test {

/// OpenSSH's server, started as the current user on a free loopback port with its own keys and configuration; ended
/// with all its children.
class RealSshd {
    Q_DISABLE_COPY_MOVE(RealSshd)
public:
    /// `extra` lines go to the end of sshd_config.
    explicit RealSshd(const QByteArray& extra = {});
    ~RealSshd();

    /// Empty when it runs; else why not (to skip with).
    const QString& problem() const { return m_problem; }
    /// With the host key on record and the key file that may log in.
    SshEndpoint endpoint() const;
    QString path(const QString& name) const { return m_folder.filePath(name); }
    /// A key pair by ssh-keygen; returns the private key's path.
    QString newKey(const QString& name, const QStringList& options = {}) const;
    /// Kills the server and every process below it.
    void killAll();

private:
    QTemporaryDir m_folder;
    QProcess m_process;
    QString m_problem;
    int m_port = 0;
};

} // namespace rankwright::test
