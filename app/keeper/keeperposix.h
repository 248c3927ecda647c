// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "ssh/sshposix.h"

#include <optional>

namespace rankwright {

// The one place for what the connection agent asks of the operating system: sockets in the file system, who is at the
// other end, locks. POSIX but for SO_PEERCRED, prctl() and accept4(), which only Linux has. A port elsewhere replaces
// keeperposix.cpp: getpeereid() (macOS, BSD), a named pipe with the user's own access list (Windows).

/// The user that this process acts for.
quint32 ownUser();
/// Who is at the other end of a local socket; empty: the system does not say.
std::optional<quint32> peerUser(int socket);

/// What lstat() says of a path.
struct PathFacts {
    bool isFolder = false; ///< and no link to one
    quint32 owner = 0;
    int mode = 0; ///< rights alone
};
std::optional<PathFacts> factsOf(const QString& path);
/// Makes a folder of mode 0700 in one that is there.
bool makePrivateFolder(const QString& path);
/// Whether a socket can have this path at all (108 bytes on Linux).
bool fitsSocket(const QString& path);

/// A listening socket of mode 0600 in place of whatever was there: for the holder of the lock beside it.
Result<Descriptor> listenAt(const QString& path);
/// The next waiting client; invalid: none waits.
Descriptor acceptOne(int listener);
/// Invalid: no program listens there, or its queue is full.
Descriptor connectTo(const QString& path);
/// Held until the descriptor is closed, at the latest with this process; invalid: somebody else has it.
Descriptor acquireLock(const QString& path);

/// Closes what was handed down beside stdin, stdout and stderr: descriptors that would be handed on, which those that
/// this program opens never are.
void closeInherited();
/// No other process of the user may read this one's memory (a debugger of root may), and no core is written.
void forbidInspection();

} // namespace rankwright
