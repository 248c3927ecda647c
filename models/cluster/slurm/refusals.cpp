// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/refusals.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

struct Refusal {
    QStringView words; ///< as Slurm prints them (slurm_strerror and the commands' own messages)
    QStringView what;
    QStringView remedy;
};

// The more specific text comes first: Slurm often prints a cause and then a general line.
constexpr QStringView ofNoReason = u"Unspecified error"; // SLURM_ERROR: what a plug-in returns that gives no code

constexpr std::array<Refusal, 45> refusals{{
    {u"The batch script did not arrive whole", u"The batch script did not arrive whole, so nothing was submitted.",
        u"Submit again when the connection is stable."},
    {u"The word to submit the batch script did not arrive",
        u"The connection was silent for too long after the batch script, so nothing was submitted.",
        u"Submit again when the connection is stable."},
    {u"QOSMaxSubmitJobPerUserLimit", u"You have as many jobs in this partition or QoS as one user may have.",
        u"Wait until one has ended, cancel one, or choose another partition."},
    {u"AssocMaxSubmitJobLimit", u"The project has as many jobs in the queue as it may have.",
        u"Wait until one has ended, or choose another account."},
    {u"AssocGrpSubmitJobsLimit", u"The project has as many jobs in the queue as it may have.",
        u"Wait until one has ended, or choose another account."},
    {u"QOSMaxWallDurationPerJobLimit", u"The time limit is longer than this partition or QoS allows.",
        u"Ask for less time, or choose a partition with longer jobs."},
    {u"QOSMaxNodePerJobLimit", u"The job asks for more nodes than this partition or QoS allows.",
        u"Ask for fewer nodes, or choose a partition with larger jobs."},
    {u"QOSMinGRES", u"The job asks for fewer GPUs than this partition or QoS demands.",
        u"Ask for more GPUs, or choose another partition."},
    {u"QOSMaxGRESPerJob", u"The job asks for more GPUs than this partition or QoS allows.", u"Ask for fewer GPUs."},
    {u"Job violates accounting/QOS policy",
        u"The request is beyond a limit of this partition, its QoS or your project.",
        u"Lower nodes, GPUs or time, or wait for your other jobs to end; Slurm's own words name the limit."},
    {u"Invalid account or account/partition combination specified",
        u"Slurm does not take this account, or not in this partition.",
        u"Compare it with the accounts that the cluster lists for you. Where it lists none, your user belongs to no project here "
        "yet: ask the project's leader or the site's support; a fresh project may need some hours to appear."},
    {u"Invalid account", u"Slurm does not know this account for you.",
        u"Compare it with the accounts that the cluster lists for you. Where it lists none, your user belongs to no project here "
        "yet: ask the project's leader or the site's support."},
    {u"invalid partition specified", u"There is no such partition on this cluster.", u"Choose one of its partitions."},
    {u"Invalid partition name specified", u"There is no such partition on this cluster.",
        u"Choose one of its partitions."},
    {u"User's group not permitted to use this partition", u"Your group may not use this partition.",
        u"Choose another partition, or ask the site for access."},
    {u"Node count specification invalid", u"The number of nodes does not fit this partition.",
        u"Ask for no more nodes than the partition allows per job."},
    {u"Requested node configuration is not available", u"No node of this partition is built like that.",
        u"Check GPUs per node, GPU type, memory and cores against the partition's nodes."},
    {u"More processors requested than permitted", u"The job asks for more processors than this partition has.",
        u"Ask for fewer nodes, GPUs or cores per GPU. If the catalogue allows them, its entry is out of date: "
        "compare it with sinfo."},
    {u"Memory specification can not be satisfied", u"No node of this partition has that much memory.",
        u"Ask for less memory per node."},
    {u"CPU count per node can not be satisfied", u"No node of this partition has that many cores.",
        u"Ask for fewer cores per GPU or per task."},
    {u"Requested time limit is invalid", u"The time limit is missing or longer than the partition allows.",
        u"Set a time limit within the partition's maximum."},
    {u"Access denied to requested reservation", u"You may not use this reservation.",
        u"Check its name, and that it was made for your account."},
    {u"Requested reservation is invalid", u"There is no such reservation, or it is over.",
        u"Remove the reservation from the design."},
    {u"Reservation not usable", u"The reservation cannot be used at this time.", u"Check when it begins and ends."},
    {u"Invalid qos specification", u"This quality of service is not offered to you here.",
        u"Remove --qos, or choose one that the site lists for your account."},
    {u"Invalid generic resource", u"The GPU request is not one that this cluster knows.",
        u"Check the GPU type and the way GPUs are asked for in this partition."},
    {u"DOS line breaks", u"The script has DOS line ends, which the node's shell cannot read.",
        u"Save it with Unix line ends."},
    {u"does not look like a batch script", u"The script does not begin with a #! line.", u"Begin it with #!/bin/bash."},
    {u"Batch script is empty", u"The script is empty.", u"Write a command into it."},
    {ofNoReason, u"The site's own rules refused the job without saying why.",
        u"Compare the request with the site's documentation, or ask its support."},
    {u"cli_filter plugin terminated with error", u"The site's own rules refused the job without saying why.",
        u"Compare the request with the site's documentation, or ask its support."},
    {u"mutually exclusive", u"The script asks for one thing by two options that exclude each other.",
        u"Keep one of them; Slurm's own words name both."},
    {u"submissions disabled", u"The site takes no jobs at this time.",
        u"It may be in maintenance; try again later. What runs goes on."},
    {u"MaxJobCount limit reached", u"Slurm's queue is full; this is not the job's fault.",
        u"Try again in some minutes."},
    {u"Rate limit exceeded", u"Slurm's controller accepts fewer requests from one user than were made.",
        u"Try again in a minute."},
    {u"Job dependency problem", u"The job that this one waits for does not exist.", u"Check --dependency."},
    {u"Invalid feature specification", u"No node offers the feature asked for by --constraint.",
        u"Check --constraint."},
    {u"Invalid --time specification", u"The time limit is not written as Slurm reads it.",
        u"Write it as HH:MM:SS or D-HH:MM:SS."},
    {u"Invalid --mem specification", u"The memory is not written as Slurm reads it.", u"Write it as 480G or 64000M."},
    {u"unrecognized option", u"This version of Slurm does not know an option of the script.", u"Remove the option."},
    {u"invalid entry for SLURM_CLUSTERS",
        u"SLURM_CLUSTERS in your start-up files names a cluster that Slurm does not reach.",
        u"Remove it there, or let it name this cluster; sacctmgr list clusters shows which there are."},
    {u"Unable to contact slurm controller", u"Slurm's controller does not answer.",
        u"The cluster may be in maintenance. Running jobs go on; try again in some minutes."},
    {u"Socket timed out", u"Slurm's controller answered too late.",
        u"It may be very busy. Look for the job before sending it again."},
    {u"Unable to open", u"A file named in the script cannot be opened.", u"Check the paths in the script."},
    {u"command not found", u"Slurm's commands were not found on the login node.",
        u"Check that this is the login node of a Slurm cluster; some sites need a module to be loaded at login."},
}};

/// Without what repeats itself: "sbatch: error: Batch job submission failed: Invalid ..." -> "Invalid ...".
QString bareMessage(const QString& text)
{
    static const QRegularExpression prefix(
        uR"(^(?:[a-z]+: )?(?:error: |fatal: )?(?:Batch job submission failed: |allocation failure: |[Aa]llocation failure: )?)"_s);
    const QStringList lines = text.split(u'\n', Qt::SkipEmptyParts);
    for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
        const QString bare = QString(*line).remove(prefix).simplified();
        if (!bare.isEmpty())
            return bare;
    }
    return {};
}

/// What a site's plug-ins (job_submit, cli_filter) say to the user: lines of the command that are neither Slurm's
/// general ones nor known here. Several lines are one message.
QString siteSentence(const QString& text)
{
    static const QRegularExpression said(uR"(^(?:sbatch|srun|salloc): (error: )?(.*\p{L}.*)$)"_s);
    static const QStringList general{u"Batch job submission failed"_s, u"allocation failure"_s, u"retrying"_s,
        u"Job submission"_s, u"to start at"_s};
    QStringList errors, notes;
    for (const QString& line : text.split(u'\n', Qt::SkipEmptyParts)) {
        const auto match = said.match(line);
        const QString words = match.captured(2).simplified();
        const bool isOurs = std::any_of(general.cbegin(), general.cend(),
                                [&words](const QString& known) { return words.contains(known); })
            || std::any_of(refusals.cbegin(), refusals.cend(),
                [&words](const Refusal& known) { return words.contains(known.words, Qt::CaseInsensitive); });
        if (match.hasMatch() && !isOurs)
            (match.captured(1).isEmpty() ? notes : errors).append(words);
    }
    return (errors.isEmpty() ? notes : errors).join(u' ').left(300);
}

} // namespace

ControllerContact controllerContact(const QByteArray& errorOutput)
{
    static const QList<QByteArray> broken{"Unable to contact slurm controller",
        "Zero Bytes were transmitted or received", "Unexpected message received", "Communication connection failure",
        "Communication shutdown failure", "Message receive failure", "Message send failure", "in standby mode",
        "Connection timed out establishing", "Connection refused", "Connection reset by peer", "No route to host",
        "Host is down"};
    for (const QByteArray& words : broken) {
        if (errorOutput.contains(words))
            return ControllerContact::Broken;
    }
    const bool late = errorOutput.contains("timed out") || errorOutput.contains("Rate limit exceeded");
    return late ? ControllerContact::Late : ControllerContact::Made;
}

Error slurmRefusal(const QByteArray& errorOutput, int exitStatus)
{
    const QString text = QString::fromUtf8(errorOutput.right(4096)).trimmed();
    Error error;
    error.fault = Fault::RemoteExit;
    error.detail = text.isEmpty() ? u"exit status %1"_s.arg(exitStatus) : text;
    const QString sentence = siteSentence(text);
    const bool isOfController
        = text.contains(u"Batch job submission failed"_s) || text.contains(u"allocation failure"_s);
    for (const Refusal& refusal : refusals) {
        if (!text.contains(refusal.words, Qt::CaseInsensitive))
            continue;
        error.what = refusal.what.toString();
        error.remedy = refusal.remedy.toString();
        const bool isGeneral = refusal.words == ofNoReason || refusal.words.startsWith(u"cli_filter");
        if (!sentence.isEmpty() && isGeneral)
            error.what = u"The site refuses it: %1"_s.arg(sentence);
        else if (!sentence.isEmpty() && isOfController) // what sbatch says by itself goes over several lines, too
            error.what += u" In its words: “%1”"_s.arg(sentence);
        return error;
    }
    const QString bare = bareMessage(text);
    error.what = bare.isEmpty() ? u"Slurm refused without a message (exit status %1)."_s.arg(exitStatus)
                                : u"Slurm refused: %1"_s.arg(bare.left(300));
    if (exitStatus == 127)
        error.remedy = u"Check that this is the login node of a Slurm cluster."_s;
    return error;
}

} // namespace rankwright::inline cluster
