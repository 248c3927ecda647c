// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicommand.h"
#include "app/cli/interruption.h"
#include "app/cli/sentprinter.h"
#include "app/cli/terminalprompt.h"
#include "app/keeper/keeperlink.h"
#include "app/session/sshsession.h"
#include "app/store/database.h"
#include "models/planner/estimate/calibration.h"

#include <QEventLoop>
#include <QSocketNotifier>

namespace rankwright {

/// The options of a command that talks to a cluster: its own, then those of the login.
QList<CliOption> loginOptions(const QList<CliOption>& own = {});

/// One networked command of rankwright-cli: data folder, job log, connection. Runs an event loop of its own until
/// finish(); lives for one command.
class CliLogin final : public QObject {
    Q_OBJECT
public:
    explicit CliLogin(const CliContext& context, QObject* parent = nullptr);
    ~CliLogin() override;

    /// Reads options, opens the job log, finds the cluster and connects. On failure the reason has been reported and
    /// the exit code comes back.
    std::optional<int> connectTo(const QString& cluster);
    /// The same for an entry that need not be in the catalogue; it must outlive this object.
    std::optional<int> connectTo(const ClusterProfile& profile);
    /// Before connectTo(): a connection of this program's own in any case, and what must hold of the endpoint before
    /// anybody is asked for anything.
    void insistOnOwn(std::function<Result<void>(const SshEndpoint&)> check) { m_check = std::move(check); }
    ClusterSession& session() { return *m_session; }
    JobLog& jobLog() { return *m_log; }
    /// Asks the login node for the user name; empty: it gave none.
    void askUser(const std::function<void(const QString& user)>& then);
    /// What earlier runs taught; empty when it cannot be read.
    CalibrationTable measuredRuns() const;
    /// Of the practice cluster, when that is the one connected to.
    const std::optional<PracticeStatus>& practice() const { return m_practice; }
    const CliContext& context() const { return m_context; }
    /// Why an ssh connection of the user's that was found is not used; empty: none was found, or it is used.
    const QString& whyNoMaster() const { return m_whyNoMaster; }

    /// What to do on Ctrl-C and its like in place of ending at once; has to end in finish().
    void onInterruption(std::function<void()> handler) { m_interrupted = std::move(handler); }

    /// Runs until finish(). Keeps being connected again when the link is lost.
    int wait();
    void finish(int code);
    /// Reports the error and finishes: 3 when the cluster is away or refused the login, else 1.
    void finish(const Error& why);

private:
    Result<ConnectOptions> readOptions();
    Result<SshRequest> requestFor(const ClusterProfile& profile, const ConnectOptions& options);
    /// Of a name that only OpenSSH's configuration knows; null: it does not.
    const ClusterProfile* profileOfHost(const QString& name);
    /// Null: a connection of its own.
    std::unique_ptr<ClusterLink> linkTo(
        const SshRequest& request, const SshEndpoint& endpoint, const QString& dataFolder);
    /// Over the connection agent, where one runs or is wanted; null: a connection of its own.
    std::unique_ptr<ClusterLink> sharedLink(const SshEndpoint& endpoint, const QString& dataFolder);
    void handleLink(const LinkInfo& link);
    void handleInterruption();
    void printBanners(const LinkInfo& link);
    /// The connection was lost and logging in again needs a person: a word on the terminal opens it, or it is the end.
    void awaitWord(const Error& why);
    void readWord();

    const CliContext& m_context;
    Interruption m_interruption;
    std::function<void()> m_interrupted;
    std::function<Result<void>(const SshEndpoint&)> m_check;
    std::unique_ptr<Database> m_database;
    std::unique_ptr<JobLog> m_log;
    std::unique_ptr<SentPrinter> m_sent; ///< null: not asked for; before the session, whose end it prints
    std::unique_ptr<ClusterSession> m_session;
    QPointer<KeeperLink> m_sharedLink; ///< the session's
    std::unique_ptr<TerminalPrompt> m_answers;
    std::optional<PracticeStatus> m_practice;
    std::unique_ptr<ClusterProfile> m_ownProfile;
    std::unique_ptr<QSocketNotifier> m_word;
    qsizetype m_bannersPrinted = 0;
    QString m_lossSaid; ///< since the last try to connect
    QEventLoop m_loop;
    QString m_hintSaid;
    QString m_whyNoMaster;
    bool m_ownSaid = false;
    bool m_slowLineSaid = false;
    bool m_wasOnline = false;
    bool m_connecting = false;
    int m_code = ExitDone;
    bool m_finished = false;
};

} // namespace rankwright
