// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/scriptfields.h"

namespace rankwright::inline script {

const ScriptField* ScriptFields::find(const QString& path) const
{
    const auto found = fields.constFind(path);
    return found != fields.cend() ? &*found : nullptr;
}

FieldPlaces::FieldPlaces(const ScriptFields& fields)
{
    for (auto it = fields.fields.cbegin(); it != fields.fields.cend(); ++it) {
        if (!it->places.isEmpty())
            m_places.insert(it.key(), it->places);
    }
}

QList<ScriptPlace> FieldPlaces::of(const FieldPath& field) const
{
    QList<ScriptPlace> found;
    for (auto it = m_places.cbegin(); !field.isEmpty() && it != m_places.cend(); ++it) {
        if (isPartOf(it.key(), field))
            found += *it;
    }
    return found;
}

FieldPath FieldPlaces::at(int line, int column) const
{
    FieldPath best;
    int shortest = 0;
    for (auto it = m_places.cbegin(); it != m_places.cend(); ++it) {
        for (const ScriptPlace& place : *it) {
            const int begin = place.column - 1;
            const bool here = place.line == line + 1 && column >= begin && column <= begin + place.length;
            if (here && (best.isEmpty() || place.length < shortest)) {
                best = it.key();
                shortest = place.length;
            }
        }
    }
    return best;
}

} // namespace rankwright::inline script
