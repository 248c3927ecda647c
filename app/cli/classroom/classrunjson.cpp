// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/classroom/classrunjson.h"

#include "app/cli/clioutput.h"
#include "app/cli/commands/findingjson.h"
#include "models/core/quantitytext.h"
#include "models/insight/diagnosis/diagnosisjson.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

QString designWord(const TrialOutcome& trial)
{
    if (trial.isGiven)
        return u"given"_s;
    return trial.trial.part == ClassTrial::Part::Solution ? u"solution"_s : u"start"_s;
}

QJsonObject trialJson(const TrialOutcome& trial)
{
    const RunFacts& facts = trial.facts;
    QJsonArray failures;
    for (const Diagnosis& failure : trial.failures)
        failures.append(diagnosisJson(failure));
    return {
        {u"design"_s, designWord(trial)},
        {u"checked"_s, trial.trial.isChecked},
        {u"jobId"_s, orNull(facts.job)},
        {u"found"_s, trial.wasFound},
        {u"state"_s, facts.job.isEmpty() ? QJsonValue() : QJsonValue(toText(facts.state))},
        {u"ending"_s, orNull(trial.ending)},
        {u"refusal"_s, orNull(trial.refusal)},
        {u"findings"_s, findingsJson(trial.findings)},
        {u"diagnoses"_s, failures},
        {u"notes"_s, QJsonArray::fromStringList(trial.notes)},
        {u"nodes"_s, orNull(facts.nodes)},
        {u"gpus"_s, orNull(facts.gpus)},
        {u"elapsedSeconds"_s, orNull(facts.elapsedSeconds)},
        {u"leastBusyPercent"_s, orNull(facts.leastBusyPercent)},
        {u"leastBusyGpu"_s, orNull(facts.leastBusyGpu)},
        {u"ranks"_s, orNull(facts.ranks)},
        {u"ranksBound"_s, orNull(facts.ranksBound)},
        {u"resumed"_s, facts.resumed ? QJsonValue(*facts.resumed) : QJsonValue()},
        {u"stepSeconds"_s, orNull(facts.stepSeconds)},
        {u"samplesPerSecond"_s, orNull(facts.samplesPerSecond)},
    };
}

QJsonObject exerciseJson(const ExerciseOutcome& outcome, const ClassExercise& exercise)
{
    QJsonArray jobs;
    for (const TrialOutcome& trial : outcome.trials)
        jobs.append(trialJson(trial));
    QJsonArray checks;
    for (qsizetype i = 0; i < outcome.checks.size(); ++i) {
        const CheckVerdict& verdict = outcome.checks.at(i);
        checks.append(QJsonObject{{u"check"_s, toText(exercise.checks.at(i).kind)}, {u"text"_s, verdict.text},
            {u"state"_s, toText(verdict.state)}, {u"where"_s, orNull(verdict.where)}});
    }
    return {{u"id"_s, exercise.id}, {u"title"_s, exercise.title}, {u"passed"_s, outcome.isPassed()}, {u"jobs"_s, jobs},
        {u"checks"_s, checks}, {u"progress"_s, progressObject(outcome.progress)}};
}

QString jobLine(const TrialOutcome& trial)
{
    if (trial.facts.job.isEmpty())
        return u"not submitted"_s;
    QString line = u"job %1 %2"_s.arg(trial.facts.job, toText(trial.facts.state));
    if (trial.facts.elapsedSeconds)
        line += u" after "_s + humanDuration(Seconds{qint64(*trial.facts.elapsedSeconds)});
    return line;
}

void printTrial(const TrialOutcome& trial, const QString& exercise, QTextStream& out)
{
    out << exercise << u" ("_s << designWord(trial) << u"): "_s << jobLine(trial) << u'\n';
    for (const Finding& finding : trial.findings)
        out << u"  "_s << toText(finding.severity).leftJustified(9) << finding.rule << u' ' << finding.text << u'\n';
    if (!trial.refusal.isEmpty())
        out << u"  refused  "_s << trial.refusal << u'\n';
    if (trial.facts.state != JobState::Completed && !trial.ending.isEmpty())
        out << u"  ended    "_s << trial.ending << u'\n';
    for (const Diagnosis& failure : trial.failures)
        out << u"  failure  "_s << failure.kind << u": "_s << failure.advice << u'\n';
    for (const QString& note : trial.notes)
        out << u"  note     "_s << note << u'\n';
}

} // namespace

QJsonObject classRunJson(const ClassRun& run, const ClassFile& file, const ClusterProfile& profile)
{
    QJsonArray exercises;
    for (const ExerciseOutcome& outcome : run.outcomes())
        exercises.append(exerciseJson(outcome, file.exercises.at(outcome.exercise)));
    const bool isPassed = run.isWhole()
        && std::all_of(run.outcomes().cbegin(), run.outcomes().cend(),
            [](const ExerciseOutcome& outcome) { return outcome.isPassed(); });
    return {{u"title"_s, file.title}, {u"cluster"_s, profile.name}, {u"passed"_s, isPassed},
        {u"interrupted"_s, run.isInterrupted()}, {u"exercises"_s, exercises}};
}

void printClassRun(const ClassRun& run, const ClassFile& file, QTextStream& out)
{
    TextTable table({u"exercise"_s, u"check"_s, u"state"_s, u"evidence"_s});
    for (const ExerciseOutcome& outcome : run.outcomes()) {
        const QString id = file.exercises.at(outcome.exercise).id;
        for (const TrialOutcome& trial : outcome.trials)
            printTrial(trial, id, out);
        for (const CheckVerdict& verdict : outcome.checks)
            table.add({id, verdict.text, toText(verdict.state), verdict.where});
    }
    out << u'\n';
    table.print(out);
}

} // namespace rankwright
