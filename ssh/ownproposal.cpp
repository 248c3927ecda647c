// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/ownproposal.h"

#include "ssh/sshposix.h"

#include <sys/socket.h>

namespace rankwright {

namespace {

constexpr char greeting[] = "SSH-2.0-mirror\r\n";
constexpr int mostTurns = 8; // greeting out, greeting in, proposal out

} // namespace

std::optional<KexProposal> ownProposal(const std::function<void(ssh_session session)>& prepare)
{
    auto [near, far] = socketPair();
    const SshSessionHandle session(ssh_new());
    if (!session || !far.isValid())
        return std::nullopt;
    ssh_set_blocking(session.get(), 0);
    prepare(session.get());
    socket_t fd = near.get();
    ssh_options_set(session.get(), SSH_OPTIONS_FD, &fd);
    near.release(); // the session closes it
    if (::send(far.get(), greeting, sizeof greeting - 1, MSG_NOSIGNAL) < 0)
        return std::nullopt;
    QByteArray said;
    for (int turn = 0; turn < mostTurns; ++turn) {
        if (ssh_connect(session.get()) == SSH_ERROR)
            break;
        char bytes[8192];
        for (auto got = ::recv(far.get(), bytes, sizeof bytes, MSG_DONTWAIT); got > 0;
             got = ::recv(far.get(), bytes, sizeof bytes, MSG_DONTWAIT))
            said.append(bytes, got);
        if (const auto proposal = readKexProposal(said))
            return proposal;
    }
    return std::nullopt;
}

} // namespace rankwright
