// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/scriptfields.h"
#include "models/script/write/scriptdocument.h"

namespace rankwright {

/// Where the fields of an author's script stand in its text, by field and by position.
class FieldPlaces {
public:
    FieldPlaces() = default;
    /// Of the fields that have places.
    explicit FieldPlaces(const ScriptFields& fields);

    bool isEmpty() const { return m_places.isEmpty(); }
    /// Of a field and those below it.
    QList<ScriptPlace> of(const FieldPath& field) const;
    /// The field at a position (both from 0): of several the one whose place is the shortest; empty: none.
    FieldPath at(int line, int column) const;

private:
    QMap<FieldPath, QList<ScriptPlace>> m_places;
};

} // namespace rankwright
