// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/processpipe.h"

#include <libssh/libssh.h>

#include <QByteArray>

#include <memory>

namespace rankwright {

/// Deleter that calls a C function of libssh.
template <auto Free>
struct SshFree {
    template <typename T>
    void operator()(T* object) const
    {
        Free(object);
    }
};

using SshSessionHandle = std::unique_ptr<ssh_session_struct, SshFree<ssh_free>>;
using SshEventHandle = std::unique_ptr<ssh_event_struct, SshFree<ssh_event_free>>;
using SshKeyHandle = std::unique_ptr<ssh_key_struct, SshFree<ssh_key_free>>;
using SshTextHandle = std::unique_ptr<char, SshFree<ssh_string_free_char>>;
/// Freed before its session. libssh keeps the memory until the peer has closed as well, so callbacks must be off.
using SshChannelHandle = std::unique_ptr<ssh_channel_struct, SshFree<ssh_channel_free>>;

/// For ssh_event_add_fd() where the descriptor only has to end the poll.
inline int noCallback(socket_t, int, void*) { return 0; }

/// Milliseconds of a clock that never jumps.
qint64 steadyNow();
/// The same clock in full precision, for measuring.
double steadyMs();

/// What libssh says of its last failure; the peer's farewell where it sent one.
QString libraryText(ssh_session session);
/// "Connection refused" for an errno value.
QString systemText(int number);

/// Text of a server, safe to show: control characters and direction overrides removed, UTF-8 or Latin-1 read, at most
/// `limit` characters. In one line, or with its newlines and tabs.
QString printableLine(const char* text, qsizetype limit = 2000);
QString printableText(const char* text, qsizetype limit = 2000);

/// "SHA256:..." of a public key, empty when libssh cannot determine it.
QString fingerprint(ssh_key key);
/// The bytes of a public key as the protocol sends them; empty: there is none.
QByteArray publicBlob(ssh_key key);
/// "ssh-ed25519"; certificates by their full name.
QString keyTypeName(ssh_key key);

/// Everything that libssh holds of one stream of a channel, in one piece; see SshChannel for when this may be called.
/// The channel's data callback may run inside: append the result behind what that stored, and before anything else.
QByteArray readLeftovers(ssh_channel channel, ProcessStream stream);

} // namespace rankwright
