// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <memory>

namespace rankwright::inline core {

/// A password, passphrase or one-time code: shared on copy, wiped when the last copy goes, without any way to print,
/// compare or store it. Built from UTF-8 bytes, which the caller should drop at once.
class Secret {
public:
    Secret() = default;
    explicit Secret(const QByteArray& utf8);
    bool isEmpty() const { return !m_bytes || m_bytes->bytes.isEmpty(); }
    /// NUL-ended, for the C library that needs it; valid while this Secret lives.
    const char* c_str() const { return m_bytes ? m_bytes->bytes.constData() : ""; }

private:
    struct Wiped {
        QByteArray bytes;
        ~Wiped();
    };
    std::shared_ptr<Wiped> m_bytes;
};

} // namespace rankwright::inline core
