// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/cipherorder.h"

#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace rankwright {

bool hasAesInstructions()
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
#elif defined(__aarch64__) && defined(__linux__)
    const unsigned long has = ::getauxval(AT_HWCAP);
    return (has & HWCAP_AES) && (has & HWCAP_PMULL);
#else
    return false;
#endif
}

QByteArray preferredCiphers(bool hasAes)
{
    return hasAes ? "aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,"
                    "aes256-ctr,aes192-ctr,aes128-ctr"
                  : QByteArray();
}

} // namespace rankwright
