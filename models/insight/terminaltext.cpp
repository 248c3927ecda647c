// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/terminaltext.h"

namespace rankwright {

QByteArray withoutControls(const QByteArray& raw)
{
    QByteArray clean;
    clean.reserve(raw.size());
    for (qsizetype i = 0; i < raw.size(); ++i) {
        const auto byte = static_cast<unsigned char>(raw.at(i));
        if (byte == 0x1b) {
            const char kind = i + 1 < raw.size() ? raw.at(i + 1) : '\0';
            ++i;
            if (kind == '[') {
                while (i + 1 < raw.size() && static_cast<unsigned char>(raw.at(i + 1)) >= 0x20
                    && static_cast<unsigned char>(raw.at(i + 1)) < 0x40)
                    ++i;
                ++i;
            } else if (kind == ']') {
                while (i + 1 < raw.size() && raw.at(i + 1) != '\x07' && raw.at(i + 1) != '\x1b')
                    ++i;
                ++i;
            }
        } else if (byte == '\t') {
            clean += "    ";
        } else if (byte >= 0x20 && byte != 0x7f) {
            clean += raw.at(i);
        }
    }
    return clean;
}

} // namespace rankwright
