// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringDecoder>

#include <optional>

namespace rankwright {

/// Bytes of a text as UTF-8, piece by piece. What begins with the mark of UTF-16 is recoded (files that PowerShell
/// wrote), all else passes as it is.
class Utf8Text {
public:
    QByteArray next(const QByteArray& bytes);

private:
    std::optional<QStringDecoder> m_decoder;
    QByteArray m_held;
    bool m_begun = false;
};

} // namespace rankwright
