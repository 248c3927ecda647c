// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/rehearsal.h"

#include "models/cluster/slurm/refusals.h"
#include "models/cluster/slurm/slurmparsers.h"

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;
using Answer = StartForecast::Answer;

namespace {

StartForecast withoutEstimate(Answer answer, const QString& note)
{
    StartForecast forecast;
    forecast.answer = answer;
    forecast.note = note;
    return forecast;
}

QString whyNotAsked(const QString& reason)
{
    if (reason == u"preemption")
        return u"No dry run was made: with preemption it can end the controller of this release of Slurm (24.11.0 and 24.11.1)."_s;
    return u"No dry run was made: no partition that the script names is up with nodes, as far as sinfo lists them."_s;
}

} // namespace

Result<StartForecast> readRehearsal(const CommandOutcome& outcome)
{
    const auto sections = splitSections(outcome.output);
    if (sections.contains(u"skipped"_s))
        return withoutEstimate(
            Answer::NotAsked, whyNotAsked(QString::fromUtf8(sections.value(u"skipped"_s)).trimmed()));
    const QStringList asked = QString::fromUtf8(sections.value(u"asked"_s)).split(u'\n');
    const QString partition = asked.first();
    if (outcome.succeeded()) {
        StartForecast forecast = parseForecast(outcome.errorOutput);
        if (!partition.isEmpty())
            forecast.note = u"Only %1 of the partitions in its list was asked."_s.arg(partition);
        return forecast;
    }
    const Error why = slurmRefusal(outcome.errorOutput, outcome.exitStatus.value_or(-1));
    switch (controllerContact(outcome.errorOutput)) {
    case ControllerContact::Late:
        return withoutEstimate(Answer::NoAnswer,
            u"Slurm's controller was too busy for the dry run, so there is no estimate of the start."_s);
    case ControllerContact::Broken:
        return fail(Fault::Offline, u"Slurm's controller did not answer the dry run; nothing was sent."_s, why.detail,
            u"This is not a refusal: try again in a few minutes. The cluster may be in maintenance."_s);
    case ControllerContact::Made: break;
    }
    if (asked.value(1).toInt() > 0)
        return withoutEstimate(Answer::PartlyRefused,
            u"In %1 Slurm would refuse it: %2 The other partitions of its list were not asked."_s.arg(
                partition, why.what));
    return fail(why);
}

QString rehearsalText(const StartForecast& forecast)
{
    if (forecast.answer != Answer::Accepted)
        return forecast.note;
    if (forecast.text.isEmpty())
        return u"Slurm would take it; it gave no estimate of the start."_s;
    return forecast.text;
}

} // namespace rankwright::inline cluster
