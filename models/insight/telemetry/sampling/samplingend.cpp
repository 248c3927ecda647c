// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/samplingend.h"

#include <QRegularExpression>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

bool isFarewell(const QString& words, std::optional<int> status)
{
    static const QRegularExpression texts(
        uR"(STEP \S+ ON \S+ CANCELLED|: (?:Force )?Terminated|: Killed|Job step aborted|job step .*aborted)"_s);
    return texts.match(words).hasMatch() || status == 143 || status == 137;
}

QString lastWords(const QString& words)
{
    static const QRegularExpression prefix(uR"(^(?:srun|slurmstepd[^:]*): (?:error: )?)"_s);
    // the first line names the cause; what follows are consequences ("Check SLURM_JOB_ID ...")
    for (const QString& line : words.split(u'\n', Qt::SkipEmptyParts)) {
        const QString bare = QString(line).remove(prefix).simplified();
        if (!bare.isEmpty())
            return bare.left(300);
    }
    return {};
}

SamplingEnd refusalOf(SamplingEnd::Next next, const QString& what, const QString& words, const QString& remedy)
{
    return {next, Error{Fault::RemoteExit, what, words, remedy}};
}

/// What ssh on the login node said of the nodes. OpenSSH's and pam_slurm_adopt's own words.
std::optional<SamplingEnd> sshEnd(const QString& words, const QString& job, SamplesBefore before)
{
    using Next = SamplingEnd::Next;
    if (words.contains(u"pam_slurm"_s) || words.contains(u"no active jobs on this node"_s)) {
        if (before == SamplesBefore::Some)
            return SamplingEnd{Next::JobOver, {}};
        return refusalOf(Next::RetryLater, u"The nodes let only owners of running jobs in."_s, words,
            u"Sampling begins when job %1 runs there."_s.arg(job));
    }
    if (words.contains(u"Host key verification failed"_s) || words.contains(u"Permission denied ("_s)
        || words.contains(u"ssh: command not found"_s)) {
        return refusalOf(Next::Stop,
            u"The login node cannot log in to the nodes of job %1 by ssh without asking."_s.arg(job), words,
            u"Set up a key for logins inside the cluster, or sample by Slurm steps."_s);
    }
    return {};
}

} // namespace

bool isStepRefused(const QByteArray& errorOutput)
{
    return errorOutput.contains("Requested nodes are busy")
        || errorOutput.contains("step creation temporarily disabled")
        || errorOutput.contains("unrecognized option '--overlap'");
}

SamplingEnd samplingEnd(const CommandOutcome& outcome, const QString& job, SamplesBefore before, SamplingWay way)
{
    using Next = SamplingEnd::Next;
    const QString words = QString::fromUtf8(outcome.errorOutput.right(8192)).trimmed();
    const auto refusal = [&words](Next next, const QString& what, const QString& remedy) {
        return refusalOf(next, what, words, remedy);
    };
    if (way == SamplingWay::Ssh) {
        if (const auto reported = sshEnd(words, job, before))
            return *reported;
    }
    if (words.contains(u"Job is pending execution"_s)) {
        return refusal(Next::RetryLater, u"Job %1 has not started yet: there is nothing to measure."_s.arg(job),
            u"Sampling begins automatically when it starts."_s);
    }
    if (words.contains(u"has expired"_s) || words.contains(u"Invalid job id specified"_s)) {
        if (before == SamplesBefore::Some)
            return {Next::JobOver, {}};
        return refusal(Next::JobOver, u"Job %1 is over: nothing can be measured any more."_s.arg(job),
            u"Its recorded samples, if any, are in the job log."_s);
    }
    if (words.contains(u"Access/permission denied"_s)) {
        return refusal(Next::Stop, u"Job %1 belongs to somebody else: Slurm lets only its owner measure it."_s.arg(job),
            u"Choose one of your own jobs."_s);
    }
    if (words.contains(u"Invalid generic resource"_s)) {
        return refusal(Next::Stop, u"Slurm refused the measuring step's GPU request."_s,
            u"Jobs submitted with --gpus=N need the same option on every step; ask for --gpus-per-node instead."_s);
    }
    if (words.contains(u"Only allocated"_s)) {
        return refusal(Next::Stop, u"Job %1 has fewer nodes than expected."_s.arg(job),
            u"Open the job again, so that its nodes are read again."_s);
    }
    if (words.contains(u"unrecognized option '--overlap'"_s)) {
        return refusal(Next::Stop,
            u"This cluster's Slurm is too old to run a measuring step alongside the job's own."_s,
            u"Slurm 20.11 or newer is needed; where the site lets you log in to the nodes, sample by ssh."_s);
    }
    if (isStepRefused(outcome.errorOutput)) {
        return refusal(Next::Retry, u"Slurm does not let the measuring step run alongside the job's own."_s,
            u"This needs Slurm 20.11 or newer; nothing comes until the job's step has ended."_s);
    }
    if (words.contains(u"srun: command not found"_s) || outcome.exitStatus == 127) {
        return refusal(Next::Stop, u"srun was not found on the login node."_s,
            u"Check that this is the login node of a Slurm cluster."_s);
    }
    if (isFarewell(words, outcome.exitStatus))
        return {Next::JobOver, {}};
    if (outcome.succeeded() && words.isEmpty())
        return {Next::Retry, {}}; // the lease ran out: our machine slept, or the network stood still
    const QString last = lastWords(words);
    const QString subject = job.isEmpty() ? u"The sampling command"_s : u"The measuring step of job %1"_s.arg(job);
    return refusal(Next::Retry,
        last.isEmpty() ? u"%1 ended without a message."_s.arg(subject) : u"%1 failed: %2"_s.arg(subject, last),
        u"It is restarted automatically."_s);
}

} // namespace rankwright::inline insight
