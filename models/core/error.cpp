// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/error.h"

namespace rankwright {

QString Error::oneLine() const
{
    QString line = what;
    if (!detail.isEmpty())
        line += QStringLiteral(" (") + detail.simplified() + QStringLiteral(")");
    if (!remedy.isEmpty())
        line += QStringLiteral(" ") + remedy;
    for (QChar& c : line) { // texts quote what stood in a file, line breaks and all
        if (c.category() == QChar::Other_Control || c == QChar::LineSeparator || c == QChar::ParagraphSeparator)
            c = QLatin1Char(' ');
    }
    return line;
}

} // namespace rankwright
