// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classfile.h"

namespace rankwright::inline teaching {

/// The design that an exercise begins with: its own, with cluster, account, partition, reservation, container and
/// locked fields of the class put over it. The same for the solution (`from`).
JobSpec startingSpec(const ClassFile& file, const ClassExercise& exercise);
std::optional<JobSpec> solutionSpec(const ClassFile& file, const ClassExercise& exercise);

/// What the class leaves to each attendee stays as in `own`, a design for the same cluster: the account, the folder on
/// the cluster.
JobSpec withOwn(JobSpec spec, const JobSpec& own);

/// May the attendee edit it? Name and reservation follow the class as all others.
bool isOpenField(const ClassFile& file, const ClassExercise& exercise, const FieldPath& field);
/// Every field of the form that the class has set, with its value as the design file writes it, in the form's order.
struct LockedField {
    FieldPath field;
    QString value; ///< for people; "open" where the program chooses
    bool operator==(const LockedField&) const = default;
};
QList<LockedField> lockedFields(const ClassFile& file, const ClassExercise& exercise);

/// A design under a class.
struct EnforcedDesign {
    JobSpec spec; ///< with locked fields as the class has them
    QList<FieldPath> putBack; ///< fields that differed
    bool operator==(const EnforcedDesign&) const = default;
};
EnforcedDesign enforce(const ClassFile& file, const ClassExercise& exercise, const JobSpec& spec);
/// Limits that a design breaks, as errors with fixes: rules C01 (nodes), C02 (GPUs), C03 (time), C04 (a locked field
/// differs), C05 (reservation not begun or over at `now`; a warning). To be added to the design's own findings.
QList<Finding> classFindings(
    const ClassFile& file, const ClassExercise& exercise, const ResolvedSpec& resolved, const QDateTime& now);

} // namespace rankwright::inline teaching
