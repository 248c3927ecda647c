// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/settings.h"
#include "app/session/clustersession.h"
#include "app/session/practicecluster.h"
#include "ssh/sshconfighosts.h"
#include "ssh/sshendpoint.h"

namespace rankwright {

/// What a person wrote about how to reach a cluster; it wins over everything else.
struct ConnectOptions {
    QString host;
    std::optional<int> port;
    QString user;
    QStringList identities;
    QString jump;
    QString knownHosts;
    QString config;
    bool operator==(const ConnectOptions&) const = default;
};

/// Options first, then what worked last time, then the catalogue (and OpenSSH's own configuration below all, when the
/// request is resolved).
SshRequest requestFor(
    const ClusterProfile& profile, const ConnectOptions& options, const std::optional<SavedLogin>& saved = {});
/// The practice cluster reports by itself how it is reached; options still win.
SshRequest requestFor(const PracticeStatus& status, const ConnectOptions& options);

/// resolveEndpoint() off the GUI thread.
void resolveAsync(const SshRequest& request, QObject* guard, const Then<SshEndpoint>& then);

/// Has the session know what its line carries, each time that it comes online.
void measureLine(ClusterSession& session);

/// Over the user's own ssh connection to that endpoint where one lives and may be used (findControlMaster()), else
/// `own` (null: a connection of this program's own); checked again at each open(). `whyNot` receives why one that was
/// found is not used. Blocks as that does.
std::unique_ptr<ClusterLink> overControlMaster(
    const SshRequest& request, const SshEndpoint& endpoint, std::unique_ptr<ClusterLink> own, QString* whyNot);

/// A session over a real SSH connection, not opened yet. `link`: over whose connection; null: one of its own.
std::unique_ptr<ClusterSession> makeSshSession(const ClusterProfile& profile, const SshEndpoint& endpoint, JobLog& log,
    std::unique_ptr<ClusterLink> link = nullptr);

} // namespace rankwright
