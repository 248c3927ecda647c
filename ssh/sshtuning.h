// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace rankwright {

/// The figures by which a connection waits and holds back. Defaults are for real clusters; tests shorten them.
struct SshTuning {
    int connectMs = 20000; ///< name lookup, TCP and key exchange of one hop together
    int serverMs = 120000; ///< silence of the server while logging in (a push to a phone takes its time)
    int unattendedMs = 45000; ///< the same for logins without a person
    int thoughtMs = 3000; ///< a server that is silent for longer in a login may have asked a person by other ways
    int promptMs = 300000; ///< until an unanswered prompt ends the login
    int keepAliveMs = 10000; ///< between two keep-alives
    int silentTicks = 4; ///< ticks without any packet back after which the link counts as lost
    int hurryMs = 15000; ///< the same after another network or a sleep, in all
    int openChannels = 6; ///< at once; OpenSSH's servers refuse the 11th (sshd_config, MaxSessions)
    int turnMs = 20000; ///< of a stream while others wait and the server allows fewer: below the deadline of commands
    qint64 bufferLimit = 1 << 20; ///< bytes of one process that wait for the GUI thread before the remote must wait
    bool operator==(const SshTuning&) const = default;
};

} // namespace rankwright
