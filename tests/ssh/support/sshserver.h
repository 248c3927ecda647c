// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshhandles.h"
#include "ssh/sshposix.h"

#include <QList>

#include <atomic>
#include <list>
#include <memory>
#include <thread>

namespace rankwright::test {

/// A real SSH server in the test's process, on a free port of 127.0.0.1, in its own thread. Runs real /bin/sh
/// commands. What is set in Options before the start holds for its life.
class SshServer {
    Q_DISABLE_COPY_MOVE(SshServer)
public:
    struct Question {
        QByteArray text;
        bool echo = false;
        QByteArray answer;
    };
    struct Round {
        QByteArray name;
        QByteArray instruction;
        QList<Question> questions;
    };
    struct Options {
        QByteArray user = "ada";
        QByteArray password = {}; ///< empty: no password login
        QList<QByteArray> authorizedKeys = {}; ///< base64
        QList<Round> interactive = {}; ///< empty: no keyboard-interactive login
        bool keyIsNotEnough = false; ///< a key leads to keyboard-interactive
        QByteArray banner = {};
        int maxSessions = 10;
        QByteArray noise = {}; ///< what start-up files print
        bool reportsExit = true;
        bool refusesExec = false;
        int slownessMs = 0; ///< before each answer to a key
        int thoughtMs = 0; ///< before the answer to a right signature as well: somebody is asked elsewhere
        std::shared_ptr<ssh_key_struct> hostKey = {}; ///< empty: a fresh Ed25519 key
    };

    explicit SshServer(Options options);
    ~SshServer();

    int port() const { return m_port; }
    QString fingerprint() const;
    QByteArray knownHostsLine() const;

    /// Cuts every connection off.
    void dropAll();
    /// Stops (or goes on) reading and writing, with all connections open.
    void setSilent(bool silent);

    int refusedOpens() const { return m_refusedOpens; }
    int mostOpen() const { return m_mostOpen; }
    int openNow() const { return m_openNow; }
    int passwordTries() const { return m_passwordTries; }
    int interactiveTries() const { return m_interactiveTries; }
    int keyOffers() const { return m_keyOffers; }
    qint64 bytesOut() const { return m_bytesOut; }
    int connections() const { return m_connections; }

    static std::shared_ptr<ssh_key_struct> newKey(ssh_keytypes_e type = SSH_KEYTYPE_ED25519, int bits = 0);
    static QByteArray publicBase64(ssh_key key);

private:
    friend class ServerSession;
    void serve();
    void acceptOne(ssh_event event);

    const Options m_options;
    Descriptor m_listener;
    int m_port = 0;
    Wakeup m_wakeup;
    std::atomic<bool> m_quit = false;
    std::atomic<bool> m_drop = false;
    std::atomic<bool> m_silent = false;
    std::atomic<int> m_refusedOpens = 0;
    std::atomic<int> m_mostOpen = 0;
    std::atomic<int> m_openNow = 0;
    std::atomic<int> m_passwordTries = 0;
    std::atomic<int> m_interactiveTries = 0;
    std::atomic<int> m_keyOffers = 0;
    std::atomic<int> m_connections = 0;
    std::atomic<qint64> m_bytesOut = 0;
    std::list<std::unique_ptr<class ServerSession>> m_sessions;
    std::thread m_thread;
};

} // namespace rankwright::test
