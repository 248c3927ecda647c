// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/variablenotes.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

bool meets(const QList<TextRange>& ranges, const QList<TextChange>& changes)
{
    return std::any_of(ranges.cbegin(), ranges.cend(), [&](const TextRange& range) {
        return std::any_of(changes.cbegin(), changes.cend(), [&](const TextChange& change) {
            return change.range.begin <= range.end && range.begin <= change.range.end;
        });
    });
}

QStringList variableNotes(const BoundScript& bound, const QString& text, const QList<TextChange>& changes)
{
    const qsizetype base = bound.batch.hasBom ? 1 : 0;
    QStringList notes;
    for (const BatchVariable& one : bound.batch.variables) {
        if (!meets({{one.value.begin + base, one.value.end + base}}, changes))
            continue;
        if (bound.batch.shell.commands.at(one.command).name() == u":")
            notes.append(u"Line %1 sets $%2 only if nothing set it before."_s.arg(one.line).arg(one.name));
        const QRegularExpression computes(u"\\$\\(\\((?:(?!\\)\\)).)*\\b%1\\b"_s.arg(one.name));
        for (const BatchVariable& other : bound.batch.variables) {
            if (text.mid(other.value.begin + base, other.value.end - other.value.begin).contains(computes))
                notes.append(u"Line %1 computes $%2 from it."_s.arg(other.line).arg(other.name));
        }
    }
    return notes;
}

} // namespace rankwright::inline script
