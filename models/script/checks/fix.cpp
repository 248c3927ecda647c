// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/checks/fix.h"

#include <algorithm>

namespace rankwright::inline script {

QString textAfter(const QString& text, const Fix& fix)
{
    const QStringList lines = text.split(u'\n');
    QStringList result;
    qsizetype at = 0; // lines that are done
    for (const LineEdit& edit : fix.edits) {
        const qsizetype first = std::clamp<qsizetype>(edit.first - 1, at, lines.size());
        result += lines.mid(at, first - at);
        result += edit.lines;
        at = std::clamp<qsizetype>(edit.last, first, lines.size());
    }
    result += lines.mid(at);
    return result.join(u'\n');
}

} // namespace rankwright::inline script
