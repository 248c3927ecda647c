// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/sharedlink.h"

#include <QDateTime>

#include <algorithm>

namespace rankwright {

using Attendance = ClusterLink::Attendance;

SharedLink::SharedLink(std::unique_ptr<ClusterLink> link, const QString& label, QObject* parent)
    : QObject(parent), m_link(std::move(link)), m_label(label)
{
    connect(m_link.get(), &RemoteShell::stateChanged, this, &SharedLink::handleState);
    connect(m_link.get(), &ClusterLink::promptRaised, this, [this](const LoginPrompt& prompt) {
        if (m_owner)
            m_owner->handlePrompt(prompt);
        else
            m_link->answer(prompt.id, {});
    });
    connect(m_link.get(), &ClusterLink::bannerArrived, this, [this](const QString& host, const QString& text) {
        if (m_owner)
            m_owner->handleBanner(host, text);
    });
    connect(m_link.get(), &ClusterLink::hintArrived, this, [this](const QString& text) {
        if (m_owner)
            m_owner->handleHint(text);
    });
}

SharedLink::~SharedLink() { m_link->disconnect(this); }

bool SharedLink::has(const LinkUser* user) const
{
    return std::any_of(m_users.cbegin(), m_users.cend(), [user](const User& each) { return each.user == user; });
}

KeeperState SharedLink::present() const { return {m_link->state(), m_link->lastError(), m_link->loginTookPerson()}; }

void SharedLink::join(LinkUser& user, Attendance attendance)
{
    leave(user);
    m_users.append({&user, attendance, !isOpen()});
    if (isOpen()) {
        m_link->probe(); // it may have stood unused for hours
        user.handleState(present());
    } else if (m_owner) {
        user.handleState({LinkState::Connecting, {}, true});
    } else {
        openFor(user);
    }
}

void SharedLink::openFor(LinkUser& user)
{
    const auto found
        = std::find_if(m_users.cbegin(), m_users.cend(), [&user](const User& each) { return each.user == &user; });
    m_owner = &user;
    m_attendance = found->attendance;
    m_link->open(m_attendance);
}

/// The login under way has come to nothing, not through its own fault: the first who waits begins another one, from
/// the event loop, since the link may be in the middle of saying so.
void SharedLink::beginNextLater()
{
    const auto next = [this] {
        const auto waiting
            = std::find_if(m_users.cbegin(), m_users.cend(), [](const User& each) { return each.isWaiting; });
        if (!m_owner && !isOpen() && waiting != m_users.cend())
            openFor(*waiting->user);
    };
    QMetaObject::invokeMethod(this, next, Qt::QueuedConnection);
}

void SharedLink::leave(LinkUser& user)
{
    const auto found
        = std::find_if(m_users.cbegin(), m_users.cend(), [&user](const User& each) { return each.user == &user; });
    if (found == m_users.cend())
        return;
    m_users.erase(found);
    if (m_owner != &user)
        return;
    m_owner = nullptr;
    m_isOurs = true;
    m_link->close();
    m_isOurs = false;
    beginNextLater();
}

void SharedLink::answer(const LinkUser& user, quint64 prompt, const PromptAnswer& answer)
{
    if (m_owner == &user)
        m_link->answer(prompt, answer);
}

void SharedLink::reportToAll(const KeeperState& state)
{
    const QList<User> users = m_users; // whoever hears of it may leave
    for (const User& each : users) {
        if (has(each.user))
            each.user->handleState(state);
    }
}

void SharedLink::handleState(LinkState state)
{
    if (m_isOurs)
        return;
    const KeeperState now = present();
    if (state == LinkState::Connecting || state == LinkState::NeedsAnswer) {
        if (m_owner)
            m_owner->handleState(now);
        return;
    }
    const bool wasLogin = m_owner != nullptr;
    m_owner = nullptr;
    if (state == LinkState::Online) {
        m_openedAt = QDateTime::currentSecsSinceEpoch();
        m_commands = 0;
        for (User& each : m_users)
            each.isWaiting = false;
        reportToAll(now);
        return;
    }
    m_openedAt = 0;
    // An unattended login that failed may work with a person: programs with a person try again. What a
    // person was asked and got wrong is the answer to all, or the account would soon be locked.
    QList<User> users = std::exchange(m_users, {});
    if (wasLogin && m_attendance == Attendance::Nobody) {
        for (const User& each : std::as_const(users)) {
            if (each.isWaiting && each.attendance == Attendance::Person)
                m_users.append(each);
        }
    }
    const QList<User> staying = m_users;
    for (const User& each : std::as_const(users)) {
        const bool stays
            = std::any_of(staying.cbegin(), staying.cend(), [&each](const User& one) { return one.user == each.user; });
        if (!stays)
            each.user->handleState(now);
    }
    beginNextLater();
}

KeeperStatus::Connection SharedLink::status() const
{
    return {m_label, m_link->state(), m_openedAt, m_commands, 0, int(m_users.size())};
}

} // namespace rankwright
