// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QString>

#include <array>
#include <optional>

namespace rankwright::inline cluster {

/// What one side of an SSH connection offers at its begin: the name lists of SSH_MSG_KEXINIT in their order (RFC 4253,
/// 7.1): key exchange, host key, then cipher, MAC and compression, each to the server and from it.
struct KexProposal {
    static constexpr int lists = 8;
    std::array<QByteArrayList, lists> names;
};

/// From the first bytes that a side sends: its greeting line "SSH-…", lines before that (RFC 4253, 4.2), and the packet
/// behind it. Empty: it is not all there, or something else.
std::optional<KexProposal> readKexProposal(const QByteArray& begin);

/// What the two sides do not have in common, first thing first: "cipher: the server takes 3des-cbc, this program offers
/// aes256-gcm@openssh.com, …". Empty: they can agree.
QString nothingInCommon(const KexProposal& server, const KexProposal& client);

} // namespace rankwright::inline cluster
