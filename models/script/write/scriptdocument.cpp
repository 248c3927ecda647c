// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/scriptdocument.h"

#include <algorithm>

namespace rankwright::inline script {

QString ScriptDocument::text() const
{
    QString all;
    for (const ScriptLine& line : lines) {
        all += line.text;
        all += u'\n';
    }
    if (!finalNewline && !all.isEmpty())
        all.chop(1);
    return all;
}

QStringList ScriptDocument::texts() const
{
    QStringList all;
    all.reserve(lines.size());
    for (const ScriptLine& line : lines)
        all.append(line.text);
    return all;
}

QList<int> ScriptDocument::linesOf(const FieldPath& field) const
{
    QList<int> found;
    if (field.isEmpty())
        return found;
    const FieldPath below = field + u'.';
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QList<FieldPath>& origins = lines.at(i).origins;
        const bool made = std::any_of(origins.cbegin(), origins.cend(),
            [&](const FieldPath& origin) { return origin == field || origin.startsWith(below); });
        if (made)
            found.append(static_cast<int>(i));
    }
    return found;
}

} // namespace rankwright::inline script
