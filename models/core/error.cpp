// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/error.h"

#include "models/core/harmlesstext.h"

namespace rankwright::inline core {

QString Error::oneLine() const
{
    QString line = what;
    if (!detail.isEmpty())
        line += QStringLiteral(" (") + detail.simplified() + QStringLiteral(")");
    if (!remedy.isEmpty()) {
        // What is wrong may be a sentence, or a few words about an argument or a place in a file.
        const bool isSentence = what.endsWith(QLatin1Char('.')) || what.endsWith(QLatin1Char('?'));
        line += isSentence ? QLatin1String(" ") : remedy.at(0).isUpper() ? QLatin1String(". ") : QLatin1String("; ");
        line += remedy;
    }
    for (QChar& c : line) { // texts quote files, with their line breaks
        if (isHarmful(c))
            c = QLatin1Char(' ');
    }
    return line;
}

} // namespace rankwright::inline core
