// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reportcontradictions.h"

namespace rankwright::test {

using namespace Qt::StringLiterals;
using Grade = EfficiencyReport::Grade;

QStringList contradictionsIn(const EfficiencyReport& report, const ReportInputs& in)
{
    QStringList wrong;
    const auto rule = [&wrong](bool broken, const QString& text) {
        if (broken)
            wrong.append(text);
    };
    QString advice;
    QList<AdviceKind> kinds;
    for (const ReportAdvice& one : report.advice) {
        advice += one.text + u' ' + one.reason + u' ';
        kinds.append(one.kind);
    }
    const QString findings = report.findings.join(u' ');
    const bool completed = report.job.state == JobState::Completed;
    const bool hasLoss = findings.contains(u"Never at work"_s) || findings.contains(u"waited at full use"_s)
        || findings.contains(u"stood still"_s) || !in.diagnoses.isEmpty();
    bool hasCostly = false;
    for (const Alert& alert : in.alerts) {
        const double ran = double(in.usage.job.elapsed.value_or(Seconds{}).count);
        const bool isBrief = in.alertSeconds.value(alert.kind, ran) < 0.1 * ran;
        hasCostly = hasCostly || (findings.contains(alert.title) && alert.level >= Alert::Level::Warning && !isBrief);
    }
    rule(report.grade == Grade::Good && (hasCostly || !in.diagnoses.isEmpty()), u"good beside a finding that costs"_s);
    rule(report.grade == Grade::Good && findings.contains(u"Never at work"_s), u"good with idle GPUs"_s);
    rule(report.grade == Grade::Good && findings.contains(u"waited at full use"_s), u"good beside a straggler"_s);
    rule(report.grade == Grade::Good && !completed && hasEnded(report.job.state), u"good and not completed"_s);
    rule(hasFailed(report.job.state) && report.grade != Grade::Unknown, u"a grade for a run that failed"_s);
    rule(report.verdict.contains(u"room for more work"_s) && (!completed || hasLoss || hasCostly),
        u"room beside a failure"_s);
    rule(report.verdict.contains(u"kept its"_s) && report.grade == Grade::Poor && !report.verdict.contains(u"But: "_s)
            && !report.verdict.contains(u"stood still"_s) && in.diagnoses.isEmpty(),
        u"praised and poor without a reason"_s);
    for (const Alert& alert : in.alerts)
        rule(completed && alert.level == Alert::Level::Failure && !alert.kind.contains(u"nan"_s)
                && findings.contains(alert.title),
            u"completed beside the failure "_s + alert.kind);
    rule(findings.contains(u"may well go on"_s) && findings.contains(u"the job waits for it"_s),
        u"goes on and waits for the same node"_s);
    const bool stood = report.verdict.contains(u"stood still"_s);
    rule(stood && (kinds.contains(AdviceKind::Time) || kinds.contains(AdviceKind::MicroBatch)),
        u"asks for more of a hung job"_s);
    rule(stood && advice.contains(u"busier"_s), u"make a hung job busier"_s);
    rule(kinds.contains(AdviceKind::MicroBatch) && advice.contains(u"Leave some memory free"_s),
        u"more and less memory"_s);
    rule(kinds.contains(AdviceKind::MicroBatch) && findings.contains(u"memory_growing"_s), u"more memory of a leak"_s);
    rule(findings.contains(u"memory_unused"_s) && advice.contains(u"Leave some memory free"_s), u"unused and full"_s);
    rule(kinds.contains(AdviceKind::Cpus) && findings.contains(u"data_loading"_s)
            && advice.contains(u"were busy on average"_s),
        u"fewer cores beside data that comes late"_s);
    rule(kinds.contains(AdviceKind::Memory) && findings.contains(u"host_memory"_s)
            && !advice.contains(u"half as much again is added"_s),
        u"less memory where it ran out"_s);
    rule(findings.contains(u"time_limit"_s) && completed, u"the limit came before the end of a completed job"_s);
    rule(findings.contains(u"idle_gpus"_s) && !findings.contains(u"Never at work"_s), u"idle and never idle"_s);
    rule(kinds.count(AdviceKind::Time) > 1 || kinds.count(AdviceKind::Cpus) > 1, u"the same advice twice"_s);
    rule((kinds.contains(AdviceKind::Gpus) || kinds.contains(AdviceKind::Nodes))
            && advice.contains(u"make these busier"_s),
        u"fewer GPUs in two ways"_s);
    const auto* stepTime = report.figure(u"stepTime"_s);
    const auto* rate = report.figure(u"samplesPerSecond"_s);
    rule(rate && rate->value && stepTime && !in.measured.samplesPerSecond, u"a rate from nowhere"_s);
    for (const ReportAdvice& one : report.advice)
        rule(one.kind == AdviceKind::Time && one.value < double(report.job.elapsed->count) && completed,
            u"less time than used"_s);
    return wrong;
}

} // namespace rankwright::test
