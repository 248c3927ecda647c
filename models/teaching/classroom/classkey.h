// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace rankwright::inline teaching {

/// The 32 bytes of "ssh-ed25519 AAAA..." (RFC 8709, section 4); empty: another kind of key.
std::optional<QByteArray> ed25519Key(const QString& publicKey);
/// A point of order 1, 2, 4 or 8, or one that is not written in its shortest form: a signature that such a key verifies
/// proves nothing, since anybody can make it. What libsodium refuses (ge25519_has_small_order and
/// ge25519_is_canonical, libsodium 1.0.18, crypto_core/ed25519/ref10/ed25519_ref10.c) and ssh-keygen does not.
bool isWeakEd25519(const QByteArray& key);
/// Why this key cannot sign a class; empty: it can.
QString classKeyFault(const QString& publicKey);

} // namespace rankwright::inline teaching
