// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classplan.h"

#include "models/teaching/classroom/classrules.h"

#include <algorithm>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

bool goesOnFromCheckpoint(const ClassExercise& exercise)
{
    return std::any_of(exercise.checks.cbegin(), exercise.checks.cend(),
        [](const ClassCheck& check) { return check.kind == ClassCheckKind::Resumed; });
}

/// The exercise and those that it is compared with.
void addNeeded(const ClassFile& file, int index, QSet<int>& needed)
{
    if (index < 0 || needed.contains(index))
        return;
    needed.insert(index);
    for (const ClassCheck& check : file.exercises.at(index).checks)
        if (comparesExercises(check.kind))
            addNeeded(file, file.exerciseIndex(check.against), needed);
}

/// What a site alone has, taken out of a design.
void leaveSite(JobSpec& spec, const ClusterProfile& profile)
{
    spec.cluster = profile.name;
    spec.account.reset();
    spec.reservation.reset();
    spec.workdir.reset();
    spec.environment.container.reset();
    if (spec.partition && !profile.partition(*spec.partition))
        spec.partition.reset();
}

} // namespace

QList<ClassTrial> classTrials(const ClassFile& file, const QString& only)
{
    QSet<int> needed;
    for (int i = 0; i < file.exercises.size(); ++i)
        if (only.isEmpty() || file.exercises.at(i).id == only)
            addNeeded(file, i, needed);
    QList<ClassTrial> trials;
    for (int i = 0; i < file.exercises.size(); ++i) {
        const ClassExercise& exercise = file.exercises.at(i);
        if (!needed.contains(i))
            continue;
        if (goesOnFromCheckpoint(exercise))
            trials.append({i, ClassTrial::Part::Start, false});
        trials.append({i, exercise.solution ? ClassTrial::Part::Solution : ClassTrial::Part::Start, true});
    }
    return trials;
}

JobSpec trialSpec(const ClassFile& file, const ClassTrial& trial)
{
    const ClassExercise& exercise = file.exercises.at(trial.exercise);
    if (trial.part == ClassTrial::Part::Solution)
        if (const auto solution = solutionSpec(file, exercise))
            return *solution;
    return startingSpec(file, exercise);
}

MovedClass classOn(const ClassFile& file, const ClusterProfile& profile)
{
    MovedClass moved{file, {}};
    if (file.cluster == profile.name)
        return moved;
    const auto leave = [&moved](const QString& what, const QString& name) {
        if (!name.isEmpty())
            moved.left.append(what + u' ' + name);
    };
    leave(u"the account"_s, file.account);
    leave(u"the reservation"_s, file.reservation ? file.reservation->name : QString());
    leave(u"the container"_s, file.container);
    if (!profile.partition(file.partition))
        leave(u"the partition"_s, file.partition);
    moved.file.cluster = profile.name;
    moved.file.account.clear();
    moved.file.reservation.reset();
    moved.file.container.clear();
    if (!profile.partition(file.partition))
        moved.file.partition.clear();
    for (const auto* path :
        {&field::account, &field::reservation, &field::container, &field::workdir, &field::partition})
        moved.file.locked.remove(FieldPath(*path));
    for (ClassExercise& exercise : moved.file.exercises) {
        leaveSite(exercise.start, profile);
        if (exercise.solution)
            leaveSite(*exercise.solution, profile);
    }
    return moved;
}

} // namespace rankwright::inline teaching
