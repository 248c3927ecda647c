// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/sshsession.h"

#include "app/base/whendone.h"
#include "app/session/lineprobe.h"
#include "ssh/mux/controlmaster.h"
#include "ssh/mux/masterfirstlink.h"
#include "ssh/sshshell.h"

#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

void apply(SshRequest& request, const ConnectOptions& options)
{
    if (!options.host.isEmpty())
        request.host = options.host;
    if (options.port)
        request.port = options.port;
    if (!options.user.isEmpty())
        request.user = options.user;
    if (!options.identities.isEmpty())
        request.identities = options.identities;
    if (!options.jump.isEmpty())
        request.jump = options.jump;
    if (!options.knownHosts.isEmpty())
        request.knownHosts = options.knownHosts;
    if (!options.config.isEmpty())
        request.configFile = options.config;
}

} // namespace

SshRequest requestFor(
    const ClusterProfile& profile, const ConnectOptions& options, const std::optional<SavedLogin>& saved)
{
    SshRequest request;
    request.host = profile.login.host;
    request.port = profile.login.port;
    request.defaultJump = profile.login.jump;
    request.published = profile.login.fingerprints;
    request.publishedJump = profile.login.jump.section(u'@', -1);
    request.publishedForJump = profile.login.jumpFingerprints;
    if (saved) {
        request.host = saved->host;
        // 22 may simply be the dialog's default, and must not win over ~/.ssh/config.
        if (saved->port != 22)
            request.port = saved->port;
        request.user = saved->user;
        if (!saved->identity.isEmpty())
            request.identities = {saved->identity};
        request.jump = saved->jump;
        request.defaultJump.clear();
    }
    apply(request, options);
    if (request.host == profile.login.host)
        request.alias = profile.name;
    // Published fingerprints belong to the published host alone.
    if (request.host != profile.login.host) {
        request.published.clear();
        request.defaultJump.clear(); // the way to another host is not the published one
    }
    return request;
}

SshRequest requestFor(const PracticeStatus& status, const ConnectOptions& options)
{
    SshRequest request;
    request.host = status.host;
    request.port = status.port;
    request.user = status.user;
    request.identities = {status.identity};
    request.knownHosts = status.knownHosts;
    request.published = status.fingerprints;
    apply(request, options);
    return request;
}

void resolveAsync(const SshRequest& request, QObject* guard, const Then<SshEndpoint>& then)
{
    whenDone(QtConcurrent::run([request] { return resolveEndpoint(request); }), guard, then);
}

void measureLine(ClusterSession& session)
{
    auto* probe = new LineProbe(session.shell(), &session.shell()); // goes with the connection
    // Not by the session itself: what ends with the connection is reported when half of it is gone.
    QObject* guard = session.guard();
    QObject::connect(probe, &LineProbe::measurementBegan, guard, [&session] { session.setLineRate({true, {}}); });
    QObject::connect(probe, &LineProbe::rateMeasured, guard, [&session](std::optional<double> rate) {
        session.setLineRate({false, rate});
    });
}

std::unique_ptr<ClusterLink> overControlMaster(
    const SshRequest& request, const SshEndpoint& endpoint, std::unique_ptr<ClusterLink> own, QString* whyNot)
{
    const ControlMaster found = findControlMaster(request, endpoint);
    *whyNot = found.whyNot;
    if (found.socket.isEmpty())
        return own;
    if (!own)
        own = std::make_unique<SshShell>(endpoint);
    return std::make_unique<MasterFirstLink>(
        std::make_unique<MasterLink>(endpoint.label(), found.socket), std::move(own));
}

std::unique_ptr<ClusterSession> makeSshSession(
    const ClusterProfile& profile, const SshEndpoint& endpoint, JobLog& log, std::unique_ptr<ClusterLink> link)
{
    if (!link)
        link = std::make_unique<SshShell>(endpoint);
    auto session = std::make_unique<ClusterSession>(profile, std::move(link), log);
    session->setReconnectLedger(ReconnectLedger(log.dataFolder(), u"%1:%2"_s.arg(endpoint.host).arg(endpoint.port)));
    measureLine(*session);
    return session;
}

} // namespace rankwright
