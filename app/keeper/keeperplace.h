// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

namespace rankwright {

/// Where the agent of one user and one data folder is found on this machine.
struct KeeperPlace {
    QString folder; ///< mode 0700, the user's own
    QString socket;
    QString lock; ///< held by the agent that runs
    bool operator==(const KeeperPlace&) const = default;
};

/// In $XDG_RUNTIME_DIR where that is a folder of this user alone, else in the data folder. Makes nothing.
KeeperPlace keeperPlace(const QString& dataFolder);

/// Makes the folder where it is missing, then as checkKeeperFolder().
Result<void> prepareKeeperFolder(const KeeperPlace& place);
/// Error: the folder is another user's, open to others, a link, missing (Fault::Offline), or its path is too long for a
/// socket. Nothing in such a folder is used.
Result<void> checkKeeperFolder(const KeeperPlace& place);

} // namespace rankwright
