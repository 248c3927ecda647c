// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/sshsession.h"
#include "app/window/links/promptbroker.h"
#include "models/cluster/catalogue/catalogue.h"

#include <map>

namespace rankwright {

/// The connections of the window: one session per cluster, the practice cluster, the dialogs on the way in. Owns the
/// sessions; a session that is replaced or disconnected ends all its commands, jobs go on. Remembers host and user
/// (Settings), never a secret. Lives on the GUI thread.
class Connections final : public QObject {
    Q_OBJECT
public:
    Connections(
        const Catalogue& catalogue, JobLog& log, Settings& settings, QWidget* window, QObject* parent = nullptr);
    ~Connections() override;

    /// Connects, asking for host and user where nothing is known; starts the practice cluster when that is meant and it
    /// is not running.
    void connectTo(const QString& cluster);
    void disconnectFrom(const QString& cluster);
    /// Another entry of the same machine: it is logged in to as the first one was.
    void copyLogin(const QString& from, const QString& to);
    void startPractice();
    void stopPractice(); ///< asks first where jobs would end with it

    /// Takes over a session that is made, in place of the cluster's present one. Its link need not be ssh.
    void begin(std::unique_ptr<ClusterSession> made);

    /// Ends every session, emitting sessionEnding for each.
    void closeAll();

    const Catalogue& catalogue() const { return m_catalogue; }
    /// The present step of connecting, perhaps an empty text; empty optional: not connecting.
    std::optional<QString> activity(const QString& cluster) const;
    /// Why the last attempt to connect failed, or the connection was lost; empty: it did not, or was asked for.
    std::optional<Error> failure(const QString& cluster) const;
    /// Null: no session.
    ClusterSession* session(const QString& cluster) const;
    bool isOnline(const QString& cluster) const;
    /// How the cluster's session is made; empty: there is none.
    std::optional<SshEndpoint> endpoint(const QString& cluster) const;
    QList<ClusterSession*> sessions() const;
    /// All commands that the window sent to clusters.
    SentLog& sentLog() { return m_sent; }

signals:
    void sessionMade(rankwright::ClusterSession* session);
    /// Directly before it is destroyed.
    void sessionEnding(rankwright::ClusterSession* session);
    void linkChanged(const rankwright::LinkInfo& link);
    void practiceReady(const rankwright::PracticeStatus& status);
    /// The form of a login was closed: nothing is connected.
    void loginDeclined(const QString& cluster);
    void failed(const QString& cluster, const rankwright::Error& why);

private:
    void askForm(const ClusterProfile& profile);
    void resolve(const ClusterProfile& profile, const SshRequest& request);
    void openSession(const ClusterProfile& profile, const SshEndpoint& endpoint);
    void dropSession(const QString& cluster);
    void stopPracticeNow();
    void connectPractice(const PracticeStatus& status);
    void reportPractice(const Error& why);
    void reportActivity(const QString& cluster, const QString& activity, std::optional<double> fraction = {});
    /// `why` empty: it was asked for.
    void reportOffline(const QString& cluster, const std::optional<Error>& why);

    const Catalogue& m_catalogue;
    JobLog& m_log;
    Settings& m_settings;
    QPointer<QWidget> m_window;
    PromptBroker m_prompts;
    PracticeCluster m_practice;
    SentLog m_sent; ///< before the sessions, whose ends it notes
    std::map<QString, std::unique_ptr<ClusterSession>> m_sessions;
    std::map<QString, SshEndpoint> m_endpoints;
    QHash<QString, Error> m_failures;
    QHash<QString, QString> m_activities; ///< of clusters that are being connected
    QStringList m_askAgain; ///< clusters whose last attempt failed: the form is shown again
};

} // namespace rankwright
