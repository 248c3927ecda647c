// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshendpoint.h"

#include <QProcess>
#include <QTemporaryDir>

namespace rankwright::test {

/// What a server of a test sees of its machine. "@FOLDER@" in any of them stands for the server's own folder.
struct SshdWorld {
    QByteArray config = {}; ///< lines at the begin of sshd_config: the first value of a keyword counts
    /// A private /etc/pam.d/sshd. This and `accounts` want root: the files are laid over the system's in a mount
    /// namespace of the server alone.
    QByteArray pam = {};
    bool accounts = false; ///< the users of below exist
    QList<std::pair<QString, QByteArray>> scripts = {}; ///< programs in the folder, by name
    QByteArray address = "127.0.0.1";
    bool operator==(const SshdWorld&) const = default;
};

/// Of `SshdWorld::accounts`: ada (/bin/sh), nologin, noshell, falseshell, restricted, expired, locked; their password.
constexpr const char* sshdPassword = "right horse";

/// OpenSSH's server, started as the current user on a free loopback port with its own keys and configuration; ended
/// with all its children.
class RealSshd {
    Q_DISABLE_COPY_MOVE(RealSshd)
public:
    explicit RealSshd(const QByteArray& extra = {}) : RealSshd(SshdWorld{.config = extra}) { }
    explicit RealSshd(const SshdWorld& world);
    ~RealSshd();

    /// Empty when it runs; else why not (to skip with): always with a reason.
    const QString& problem() const { return m_problem; }
    /// What it has logged so far.
    const QByteArray& log() const { return m_log; }
    /// Its own words when it lets nobody in because the account that runs the tests is locked; else empty.
    QString lockedOut() const;
    /// With the host key on record and the key file that may log in.
    SshEndpoint endpoint() const;
    int port() const { return m_port; }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    /// A key pair by ssh-keygen; returns the private key's path.
    QString newKey(const QString& name, const QStringList& options = {}) const;
    /// Kills the server and every process below it.
    void killAll();

private:
    void writeConfiguration(const SshdWorld& world);
    void writeWorld(const SshdWorld& world);
    void start(const QString& sshd, const SshdWorld& world);
    bool listens() const;
    QString whyNotListening() const;

    QTemporaryDir m_folder;
    QString m_host = QStringLiteral("127.0.0.1");
    QByteArray m_log;
    QProcess m_process;
    QString m_problem;
    int m_port = 0;
};

} // namespace rankwright::test
