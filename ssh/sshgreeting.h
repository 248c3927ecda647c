// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

namespace rankwright {

/// The first line of a web server or a page.
bool speaksHttp(const QString& line);

/// What was seen of a server that accepted a connection and never became an SSH server.
struct FailedGreeting {
    QString host;
    QString firstLine; ///< what it said in place of "SSH-2.0-…"; empty: nothing
    QString libraryText; ///< the library's own words
    qint64 bytesIn = 0; ///< as the library counts, which takes an error for -1
    bool hungUp = false; ///< it ended the connection
    qint64 waitedMs = 0; ///< until that was enough; 0: it did not come to that
    QString nothingInCommon = {}; ///< of both sides' offers; empty: they can agree, or one is not known
};

/// Why, as far as it can be told from outside: turned away by a server that has too many callers or blocks this address
/// (Fault::TurnedAway: wait), a sign-in page of the network in place of the cluster, another service on that port, a
/// firewall that lets connections through and nothing else. sshd(8): MaxStartups, PerSourcePenalties.
Error greetingError(const FailedGreeting& seen);

} // namespace rankwright
