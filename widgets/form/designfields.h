// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/fieldtable.h"
#include "models/script/document/design.h"

namespace rankwright {

/// One field of the Design page's form, as data: how its text is read from and written into a design, and what is
/// around it. Pure: no widget. Text that cannot be read gives one sentence for the user and leaves the design alone.
struct DesignField {
    enum class Kind { Line, Code, Lines, Choice, Segments };
    struct Option {
        QString value;
        QString label;
        QString note; ///< tool tip
        bool enabled = true;
        bool operator==(const Option&) const = default;
    };

    FieldPath path;
    FieldGroup group = FieldGroup::Job;
    Kind kind = Kind::Line;
    QString label;
    QString help; ///< what it is for; two sentences at most
    std::function<QString(const JobSpec&)> text = {}; ///< as the design has it; empty: open
    std::function<Result<void>(const QString&, JobSpec&)> apply = {};
    std::function<QString(const Derived&)> hint = {}; ///< unit or limit, at the right in the field
    std::function<QString(const Derived&)> placeholder
        = {}; ///< greyed while open; default: the value that resolve() took
    std::function<QList<Option>(const Design&)> options = {};
    bool wide = false; ///< over both columns, without a label of its own
};

/// All fields in the order of the form, which is that of the field table.
QList<DesignField> designFields();
/// The label of a group.
QString groupTitle(FieldGroup group);
/// What resolve() took for an open field; null when it is not open or has no choice.
const Choice* choiceOf(const Derived& derived, const FieldPath& path);
/// A field's label in the site's words ("GCDs per node").
QString labelOf(const DesignField& field, const Derived& derived);

} // namespace rankwright
