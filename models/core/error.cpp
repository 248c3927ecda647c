// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/error.h"

#include "models/core/harmlesstext.h"

namespace rankwright {

QString Error::oneLine() const
{
    QString line = what;
    if (!detail.isEmpty())
        line += QStringLiteral(" (") + detail.simplified() + QStringLiteral(")");
    if (!remedy.isEmpty())
        line += QStringLiteral(" ") + remedy;
    for (QChar& c : line) { // texts quote what stood in a file, line breaks and all
        if (isHarmful(c))
            c = QLatin1Char(' ');
    }
    return line;
}

} // namespace rankwright
