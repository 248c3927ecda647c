// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/keeper/keepermessage.h"

#include <QObject>

#include <memory>

namespace rankwright {

/// Who uses a SharedLink: one program.
class LinkUser {
public:
    LinkUser() = default;
    virtual ~LinkUser() = default;
    LinkUser(const LinkUser&) = delete;
    LinkUser& operator=(const LinkUser&) = delete;
    virtual void handleState(const KeeperState& state) = 0;
    /// Of the login that was begun for this user.
    virtual void handlePrompt(const LoginPrompt& prompt) = 0;
    virtual void handleBanner(const QString& host, const QString& text) = 0;
    virtual void handleHint(const QString& text) = 0;
};

/// One connection of the agent and who uses it. Opens only for a user who asks, and asks that one alone; others who
/// come meanwhile wait for the outcome. A login whose user has gone ends, and the next who waits begins one of their
/// own. Never opens anything by itself.
class SharedLink final : public QObject {
    Q_OBJECT
public:
    SharedLink(std::unique_ptr<ClusterLink> link, const QString& label, QObject* parent = nullptr);
    ~SharedLink() override;

    /// From now on the user hears of the connection; if need be it is opened for this one.
    void join(LinkUser& user, ClusterLink::Attendance attendance);
    void leave(LinkUser& user);
    /// Of the user whom the login asks; from others nothing is taken.
    void answer(const LinkUser& user, quint64 prompt, const PromptAnswer& answer);
    ClusterLink& link() { return *m_link; }
    /// A command is about to run over it.
    void noteCommand() { ++m_commands; }

    bool isOpen() const { return m_link->state() == LinkState::Online; }
    /// No program uses it, and it is not open.
    bool isIdleAndClosed() const { return m_users.isEmpty() && !isOpen(); }
    qsizetype userCount() const { return m_users.size(); }
    KeeperStatus::Connection status() const;

private:
    struct User {
        LinkUser* user = nullptr;
        ClusterLink::Attendance attendance = ClusterLink::Attendance::Nobody;
        bool isWaiting = true; ///< for the outcome of a login
    };
    void handleState(LinkState state);
    void openFor(LinkUser& user);
    void beginNextLater();
    KeeperState present() const;
    void reportToAll(const KeeperState& state);
    bool has(const LinkUser* user) const;

    std::unique_ptr<ClusterLink> m_link;
    QString m_label;
    QList<User> m_users;
    LinkUser* m_owner = nullptr; ///< whom the login that is under way asks
    ClusterLink::Attendance m_attendance = ClusterLink::Attendance::Nobody; ///< of that login
    bool m_isOurs = false; ///< we are closing it: no news for anybody
    qint64 m_openedAt = 0;
    qint64 m_commands = 0;
};

} // namespace rankwright
