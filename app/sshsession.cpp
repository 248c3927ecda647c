// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sshsession.h"

#include <QtConcurrentRun>

namespace rankwright {

namespace {

void apply(SshWish& wish, const ConnectOptions& options)
{
    if (!options.host.isEmpty())
        wish.host = options.host;
    if (options.port)
        wish.port = options.port;
    if (!options.user.isEmpty())
        wish.user = options.user;
    if (!options.identities.isEmpty())
        wish.identities = options.identities;
    if (!options.jump.isEmpty())
        wish.jump = options.jump;
    if (!options.knownHosts.isEmpty())
        wish.knownHosts = options.knownHosts;
    if (!options.config.isEmpty())
        wish.configFile = options.config;
}

} // namespace

SshWish wishFor(const ClusterProfile& profile, const ConnectOptions& options, const std::optional<SavedLogin>& saved)
{
    SshWish wish;
    wish.host = profile.login.host;
    wish.port = profile.login.port;
    wish.jump = profile.login.jump;
    wish.published = profile.login.fingerprints;
    wish.publishedJump = profile.login.jump.section(u'@', -1);
    wish.publishedForJump = profile.login.jumpFingerprints;
    if (saved) {
        wish.host = saved->host;
        // 22 may simply be the dialog's default, and must not win over ~/.ssh/config.
        if (saved->port != 22)
            wish.port = saved->port;
        wish.user = saved->user;
        if (!saved->identity.isEmpty())
            wish.identities = {saved->identity};
        wish.jump = saved->jump;
    }
    apply(wish, options);
    // Published fingerprints belong to the published host alone.
    if (wish.host != profile.login.host)
        wish.published.clear();
    return wish;
}

SshWish wishFor(const PracticeStatus& status, const ConnectOptions& options)
{
    SshWish wish;
    wish.host = status.host;
    wish.port = status.port;
    wish.user = status.user;
    wish.identities = {status.identity};
    wish.knownHosts = status.knownHosts;
    wish.published = status.fingerprints;
    apply(wish, options);
    return wish;
}

void resolveAsync(const SshWish& wish, QObject* guard, Then<SshEndpoint> then)
{
    QtConcurrent::run([wish] {
        return resolveEndpoint(wish);
    }).then(guard, [then](const Result<SshEndpoint>& endpoint) { then(endpoint); });
}

std::unique_ptr<ClusterSession> makeSshSession(const ClusterProfile& profile, const SshEndpoint& endpoint, JobLog& log)
{
    auto shell = std::make_unique<SshShell>(endpoint);
    SshShell* ssh = shell.get();
    LinkControl control;
    control.open = [ssh] { ssh->open(); };
    control.close = [ssh] { ssh->close(); };
    control.answer = [ssh](quint64 id, const PromptAnswer& answer) { ssh->answer(id, answer); };
    control.traffic = [ssh] { return ssh->traffic(); };
    auto session = std::make_unique<ClusterSession>(profile, std::move(shell), std::move(control), log);
    QObject::connect(ssh, &SshShell::promptRaised, session.get(), &ClusterSession::raisePrompt);
    return session;
}

} // namespace rankwright
