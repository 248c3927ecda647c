// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/keeper/keeperlink.h"

namespace rankwright {

/// Whether there is a socket where the agent of this data folder would listen; it may be of one that was killed.
bool hasKeeperSocket(const QString& dataFolder);

/// Starts `rankwright-cli agent run` in the background: a session of its own, no terminal. `program`: what is started;
/// empty: this program itself. False: it could not be.
bool startKeeper(const QString& dataFolder, const QString& program = {});

/// A link over the agent of this data folder, where one runs, or where the user's settings want one, which is then
/// started. Null: neither.
std::unique_ptr<KeeperLink> keeperLinkFor(const SshEndpoint& endpoint, const QString& dataFolder);

} // namespace rankwright
