// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"
#include "models/script/bind/scriptfields.h"
#include "models/script/read/scriptreader.h"

namespace rankwright::inline script {

/// A batch script that its author wrote and that a design shows: the text stays as it stands, its fields are places in
/// it. Made by authorScriptOf().
struct AuthorScript {
    QString text;
    ScriptFields fields;
    std::shared_ptr<const BoundScript> read; ///< where they stand, for edits
    BatchText batch; ///< the text, taken apart
    ScriptReading reading; ///< the fields of a design as the text says them, and what has none
    QMap<FieldPath, int> lines; ///< field of the design -> line that says it, from 1; also of fields without a place
    bool operator==(const AuthorScript& other) const { return text == other.text; } // the rest follows from it
};

} // namespace rankwright::inline script
