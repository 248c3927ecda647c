// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace rankwright {

/// True when this processor computes AES and the product of GCM itself (x86: AES-NI and PCLMULQDQ; ARMv8: its
/// cryptographic extension). False where that is not known.
bool hasAesInstructions();

/// The ciphers to offer, best first, as SSH_MSG_KEXINIT lists them (RFC 4253, 7.1): AES-GCM before ChaCha20 where the
/// processor does it. Both are as safe, and OpenSSH needs about two thirds of the processor time with AES-GCM. Empty:
/// the library's own order.
QByteArray preferredCiphers(bool hasAes = hasAesInstructions());

} // namespace rankwright
