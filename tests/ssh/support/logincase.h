// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshposix.h"
#include "tests/ssh/support/listener.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"

namespace rankwright::test {

/// Servers, keys and agents that the rows of a login matrix share. Servers live as long as the scene; what a row alone
/// needs ends with the row.
class LoginScene {
    Q_DISABLE_COPY_MOVE(LoginScene)
public:
    LoginScene();
    ~LoginScene();

    /// The server of such a world, begun once. Its problem becomes the row's reason to skip.
    RealSshd& server(const SshdWorld& world = {});
    /// Its endpoint with these identities alone.
    SshEndpoint to(RealSshd& sshd, const QStringList& identities = {});
    /// Empty: nothing to skip for.
    const QString& problem() const { return m_problem; }

    /// Key pairs that every server knows: "ed25519", "rsa", "ecdsa", and the same behind "-locked" (with `passphrase`);
    /// behind "-stranger" a pair that no server knows.
    QString key(const QString& name) const { return m_folder.filePath(name); }
    static constexpr const char* passphrase = "open sesame";
    QString file(const QString& name, const QByteArray& content);
    /// A copy of a key without its public half; with other permissions.
    QString copyOf(const QString& name, bool withPublic, QFile::Permissions permissions);
    /// An agent with these keys; locked by a password of its own (ssh-add -x) when asked for. For this row.
    QString agent(const QStringList& keys, bool locked = false);
    /// Kept open until the row ends.
    void hold(Descriptor connection) { m_held.push_back(std::move(connection)); }
    /// A port that answers with these words once and hangs up; without words it never says anything. For this row.
    int listen(const QByteArray& words);
    void endRow();

private:
    void makeKey(const QString& name, const QString& kind, const char* secret);
    QTemporaryDir m_folder;
    QString m_problem;
    int m_serial = 0;
    QByteArray m_registered;
    std::vector<std::pair<SshdWorld, std::unique_ptr<RealSshd>>> m_servers;
    std::vector<std::unique_ptr<QProcess>> m_agents;
    std::vector<Descriptor> m_held;
    std::vector<std::unique_ptr<Listener>> m_listeners;
};

/// One row: where, what is answered, and what must come of it.
struct LoginCase {
    QByteArray name;
    std::function<Result<SshEndpoint>(LoginScene&)> endpoint;
    LinkState state = LinkState::Online;
    std::optional<Fault> fault = {}; ///< of the error, where it is not Online
    QString word = {}; ///< stands in what is said: error, or the output or error of `command`
    qsizetype prompts = 0;
    QList<std::optional<QByteArray>> answers = {}; ///< to the prompts in order; empty: declined. None left: no answer
    QString command = {}; ///< run once Online; empty: none
    bool attended = true;
    SshTuning tuning = patientTuning(); ///< shorter where a limit of the program's is what must end it
};

/// Adds the rows to the data table of the running test function; checkLogin() takes the one of the current row.
void addRows(const QList<LoginCase>& cases);
void checkLogin(LoginScene& scene, const QList<LoginCase>& cases);

} // namespace rankwright::test
