// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/teaching/classroom/classfile.h"

#include <QSet>

namespace rankwright::inline teaching {

/// Where one attendee is in a class, as it is kept on this machine: the exercise, hints and solutions that were shown,
/// what was reached, and the jobs that belong to each exercise.
struct ClassPlace {
    static constexpr int mostRuns = 20; ///< of an exercise, the newest
    QString exercise; ///< id; empty: the first
    QHash<QString, int> hints; ///< shown of each exercise
    QSet<QString> solutions; ///< exercises whose solution was shown
    QSet<QString> done; ///< exercises of which every check was seen
    QHash<QString, QList<RunFacts>> runs; ///< by exercise, newest first
    bool shares = false; ///< agreed to note progress for the teacher
    QString alias; ///< under which it is noted, the same as long as this place is kept; empty: none was drawn yet
    QString name; ///< that the attendee gives the teacher; empty: none
    QSet<QString> owed; ///< exercises that were finished since then, and whose end is not noted yet

    /// The exercise as an index of this file; 0 where it is not in it.
    int index(const ClassFile& file) const;
    /// The job's facts; made at the front of the exercise's list where there are none yet.
    RunFacts& run(const QString& of, const QString& job);
    bool operator==(const ClassPlace&) const = default;
};

QByteArray writePlace(const ClassPlace& place);
/// Whatever cannot be read is left out: then it begins again.
ClassPlace readPlace(const QByteArray& bytes);
/// Of all that a class file says, its signature apart.
QString classDigest(const ClassFile& file);
/// Under which it is kept: the same for every version of a class of this title and author.
QString placeKey(const ClassFile& file);
/// What a record says of its job: state, nodes, GPUs, run time. What it leaves open stays as it was.
void applyRecord(RunFacts& facts, const JobRecord& record, const QDateTime& now);
/// What was seen of the same job elsewhere, as in its report; what that leaves open stays as it was.
void mergeFacts(RunFacts& facts, const RunFacts& seen);

} // namespace rankwright::inline teaching
