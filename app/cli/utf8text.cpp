// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/utf8text.h"

#include <utility>

namespace rankwright {

QByteArray Utf8Text::next(const QByteArray& bytes)
{
    const QByteArray piece = m_held + bytes;
    m_held.clear();
    if (!m_begun && (piece == "\xff" || piece == "\xfe")) { // half of the mark; no text in UTF-8 begins with it
        m_held = piece;
        return {};
    }
    const bool isMarked = piece.startsWith("\xff\xfe") || piece.startsWith("\xfe\xff");
    if (!std::exchange(m_begun, true) && isMarked)
        m_decoder.emplace(QStringDecoder::Utf16);
    if (!m_decoder)
        return piece;
    const QString text = m_decoder->decode(piece);
    return text.toUtf8();
}

} // namespace rankwright
