// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshendpoint.h"

#include "models/cluster/login/loginreading.h"

namespace rankwright {

/// Looks at a host as far as one can without logging in: name, port, what speaks there, host key and what is on record
/// of it, methods of the first round. Of a way through jump hosts the first of them. Asks no question and writes
/// nothing down. Blocks for at most half a minute: call it off the GUI thread.
HostScouting scoutHost(const SshEndpoint& endpoint);

/// The user's key files as a login of this endpoint would offer them, and the security keys beside them.
QList<KeyFile> keyFilesFor(const SshEndpoint& endpoint);
/// One of them; empty: no such file.
std::optional<KeyFile> readKeyFile(const QString& path, const QStringList& certificates = {});

/// How many keys the agent of this endpoint shows (0 also if it is locked); empty: no agent. Blocks for
/// the agent.
std::optional<int> agentKeyCount(const SshEndpoint& endpoint);

} // namespace rankwright
