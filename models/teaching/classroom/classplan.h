// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classfile.h"

namespace rankwright::inline teaching {

/// One job of a class that is tried out.
struct ClassTrial {
    enum class Part { Start, Solution };
    int exercise = 0; ///< its index in the file
    Part part = Part::Solution; ///< which of its designs; an exercise without a solution has its start alone
    bool isChecked = true; ///< false: it only prepares the next one, as by the checkpoint that it leaves
    bool operator==(const ClassTrial&) const = default;
};

/// The jobs that show whether each exercise's solution passes its checks, in the order in which they are needed: before
/// one that goes on from a checkpoint its start, which leaves it; before one that is compared with another exercise
/// that exercise. `only`: an exercise's id, and what it needs; empty: all.
QList<ClassTrial> classTrials(const ClassFile& file, const QString& only = {});

/// The design of a trial, under the class.
JobSpec trialSpec(const ClassFile& file, const ClassTrial& trial);

/// The class as it can be tried on another cluster than its own: without what is of its own site alone.
struct MovedClass {
    ClassFile file;
    QStringList left; ///< what was left out, in words: "the account project_1"
};
MovedClass classOn(const ClassFile& file, const ClusterProfile& profile);

} // namespace rankwright::inline teaching
