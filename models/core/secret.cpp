// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/secret.h"

namespace rankwright::inline core {

Secret::Secret(const QByteArray& utf8) : m_bytes(std::make_shared<Wiped>())
{
    m_bytes->bytes = QByteArray(utf8.constData(), utf8.size()); // deep copy: ours alone to wipe
}

Secret::Wiped::~Wiped()
{
    // volatile: a store to memory that is freed next must not be optimised away
    volatile char* byte = bytes.data();
    for (qsizetype i = 0; i < bytes.size(); ++i)
        byte[i] = 0;
}

} // namespace rankwright::inline core
