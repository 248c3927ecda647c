// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/explain.h"

#include <array>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

struct Reason {
    QStringView name;
    bool isPrefix;
    QStringView words;
};

// Names of squeue(1), JOB REASON CODES; what to do is ours.
constexpr std::array<Reason, 44> reasons{{
    {u"None", false, u"The scheduler has not looked at the job yet."},
    {u"Priority", false,
        u"Other jobs are ahead of yours. A shorter time limit or fewer nodes may let it start earlier."},
    {u"Resources", false, u"It is next in line and waits for nodes to become free."},
    {u"Dependency", false, u"It waits for another job, as asked by --dependency."},
    {u"DependencyNeverSatisfied", false,
        u"The job it waits for ended in another way than asked: this one will never start. Cancel it."},
    {u"BeginTime", false, u"Its start time (--begin) has not come, or Slurm gives it a short pause after a requeue."},
    {u"JobHeldUser", false, u"It is held by you. Release it with scontrol release."},
    {u"JobHeldAdmin", false, u"It is held by the site. Ask its support why."},
    {u"PartitionDown", false,
        u"The partition is closed, often for maintenance. It starts when the site opens it again."},
    {u"PartitionInactive", false, u"The partition takes no jobs at the moment."},
    {u"PartitionNodeLimit", false,
        u"It asks for more nodes than the partition allows: it will never start like this. Cancel it and ask for fewer."},
    {u"PartitionTimeLimit", false,
        u"Its time limit is longer than the partition allows: it will never start like this. Cancel it and ask for less time."},
    {u"PartitionConfig", false, u"It asks for more than the partition allows. Cancel it and lower the request."},
    {u"ReqNodeNotAvail", true,
        u"Nodes that it needs are down or kept for maintenance. If a maintenance is near, a shorter time limit may still fit before it."},
    {u"Reservation", false, u"It waits for its reservation to begin."},
    {u"ReservationDeleted", false, u"Its reservation was removed. Cancel it, or submit it without the reservation."},
    {u"NodeDown", false, u"A node that it needs is down."},
    {u"BadConstraints", false,
        u"No node can satisfy the request: it will never start. Cancel it and check GPUs, memory and --constraint."},
    {u"InvalidAccount", false, u"The account is not valid any more. Choose another one."},
    {u"InvalidQOS", false, u"The quality of service is not valid for this account."},
    {u"AccountNotAllowed", false, u"The account may not use this partition."},
    {u"QOSNotAllowed", false, u"The quality of service may not be used in this partition."},
    {u"AssocGrpGRESMinutes", false,
        u"The project's GPU-hours are used up, or would be by this job. Choose another account, or ask for more hours."},
    {u"AssocGrpGRESRunMinutes", false,
        u"The project's running jobs hold as many GPU-hours as it may use at a time. It starts when some have ended."},
    {u"AssocGrpBillingMinutes", false,
        u"The project's budget is used up, or would be by this job. Choose another account, or ask for more."},
    {u"AssocGrpCPUMinutesLimit", false,
        u"The project's core-hours are used up, or would be by this job. Choose another account, or ask for more."},
    {u"AssocGrpCPURunMinutesLimit", false,
        u"The project's running jobs hold as many core-hours as it may use at a time. It starts when some have ended."},
    {u"AssocGrpGRES", false,
        u"The project uses as many GPUs as it may at a time. It starts when some of its jobs have ended."},
    {u"AssocGrpJobsLimit", false, u"The project runs as many jobs as it may at a time. It starts when one has ended."},
    {u"AssocMaxJobsLimit", false,
        u"You run as many jobs in this project as you may at a time. It starts when one has ended."},
    {u"AssocMaxWallDurationPerJobLimit", false,
        u"Its time limit is longer than your project allows. Cancel it and ask for less time."},
    {u"QOSMaxJobsPerUserLimit", false,
        u"You run as many jobs in this partition or QoS as one user may. It starts when one has ended."},
    {u"QOSMaxSubmitJobPerUserLimit", false, u"You have as many jobs in this partition or QoS as one user may have."},
    {u"QOSMaxGRESPerUser", false,
        u"You use as many GPUs in this partition or QoS as one user may. It starts when one of your jobs has ended."},
    {u"QOSMaxNodePerUserLimit", false,
        u"You use as many nodes in this partition or QoS as one user may. It starts when one of your jobs has ended."},
    {u"QOSMaxNodePerJobLimit", false,
        u"It asks for more nodes than this partition or QoS allows. Cancel it and ask for fewer."},
    {u"QOSMaxWallDurationPerJobLimit", false,
        u"Its time limit is longer than this partition or QoS allows. Cancel it and ask for less time."},
    {u"QOSGrp", true,
        u"All jobs of this partition or QoS together use as much as they may. It starts when some have ended."},
    {u"AssocGrp", true, u"The project uses as much as it may at a time. It starts when some of its jobs have ended."},
    {u"QOSMax", true, u"The job, or all of yours together, are beyond a limit of this partition or QoS."},
    {u"AssocMax", true, u"The job, or all of yours together, are beyond a limit of the project."},
    {u"MaxGRESPerAccount", false,
        u"The project uses as many GPUs as it may at a time. It starts when some of its jobs have ended."},
    {u"JobArrayTaskLimit", false, u"As many tasks of the array run as its %-limit allows."},
    {u"launch failed requeued held", false,
        u"A node failed to start it and it is held now. Release it with scontrol release, or submit it again."},
}};

/// Signals by number (signal(7), Linux) that end training jobs.
QString signalName(int number)
{
    switch (number) {
    case 1: return u"SIGHUP"_s;
    case 2: return u"SIGINT"_s;
    case 4: return u"SIGILL, an instruction that this processor does not know"_s;
    case 6: return u"SIGABRT: the program stopped itself"_s;
    case 7: return u"SIGBUS: a memory or file mapping fault"_s;
    case 8: return u"SIGFPE"_s;
    case 9: return u"SIGKILL: ended by force, often for lack of memory"_s;
    case 11: return u"SIGSEGV: a memory fault in native code"_s;
    case 13: return u"SIGPIPE"_s;
    case 15: return u"SIGTERM: asked to end"_s;
    default: return u"signal %1"_s.arg(number);
    }
}

QString after(const JobRecord& job)
{
    return job.elapsed ? u" after %1"_s.arg(humanDuration(*job.elapsed)) : QString();
}

QString failureWords(const JobRecord& job)
{
    if (job.stepState == JobState::OutOfMemory)
        return u"Failed%1: a step used more host memory on a node than the job had asked for."_s.arg(after(job));
    // 0:53 is what Slurm reports when the output file cannot be opened (its own signal number, not one of the system)
    if (job.exitSignal == 53 && job.exitCode.value_or(0) == 0)
        return u"Failed before it began: the output file could not be opened. Check that the directory of --output exists."_s;
    if (job.exitSignal.value_or(0) > 0)
        return u"Failed%1: killed by %2."_s.arg(after(job), signalName(*job.exitSignal));
    if (!job.exitCode)
        return u"Failed%1."_s.arg(after(job));
    const int code = *job.exitCode;
    QString meaning;
    if (code == 126)
        meaning = u" (a command could not be executed)"_s;
    else if (code == 127)
        meaning = u" (a command was not found: check modules, container and paths)"_s;
    else if (code > 128 && code < 160)
        meaning = u" (%1)"_s.arg(signalName(code - 128));
    return u"Failed%1 with exit code %2%3. See the end of its output."_s.arg(after(job)).arg(code).arg(meaning);
}

} // namespace

QString explainPendingReason(const QString& reason)
{
    const QString name = reason.trimmed();
    if (name.isEmpty())
        return {};
    for (const Reason& entry : reasons) {
        const QStringView known = entry.name;
        if (entry.isPrefix ? name.startsWith(known) : name == known)
            return entry.words.toString();
    }
    return u"Slurm names the reason %1."_s.arg(name);
}

QString explainOutcome(const JobRecord& job)
{
    switch (job.state) {
    case JobState::Completed: return u"Completed%1."_s.arg(after(job));
    case JobState::Failed: return failureWords(job);
    case JobState::Cancelled: return u"Cancelled%1."_s.arg(after(job));
    case JobState::Timeout:
        return u"Stopped by its time limit%1. Ask for more time, or save checkpoints and resume."_s.arg(
            job.timeLimit ? u" of %1"_s.arg(humanDuration(*job.timeLimit)) : QString());
    case JobState::OutOfMemory:
        return u"Stopped%1: it used more host memory on a node (not the GPUs' own) than it had asked for. Ask for more, or load less at once."_s
            .arg(after(job));
    case JobState::NodeFail: return u"A node failed%1. The job is not at fault; submit it again."_s.arg(after(job));
    case JobState::Preempted: return u"Preempted%1 by a job of higher priority."_s.arg(after(job));
    case JobState::BootFail: return u"A node allocated to it failed to boot. Submit it again."_s;
    case JobState::Deadline: return u"Its deadline (--deadline) passed%1."_s.arg(after(job));
    case JobState::Revoked: return u"Another cluster of the federation took it over."_s;
    case JobState::Unknown: return u"Slurm did not report how it ended."_s;
    default: break;
    }
    if (isWaiting(job.state))
        return job.reason.isEmpty() ? u"Waiting."_s : explainPendingReason(job.reason);
    return job.state == JobState::Completing ? u"Ending: the nodes are being cleaned up."_s : u"Not ended yet."_s;
}

} // namespace rankwright::inline insight
