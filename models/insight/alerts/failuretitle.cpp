// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/failuretitle.h"

#include "models/core/quantitytext.h"
#include "models/insight/alerts/jobsnapshot.h"
#include "models/insight/diagnosis/diagnosisrules.h"

#include <QHash>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

bool isOfNode(const QString& kind) { return kind == u"node_failure"; }

QString lostPeerTitle(const Diagnosis& diagnosis, OutputState output)
{
    const QString who = diagnosis.node.isEmpty() ? u"A rank"_s : u"A rank of %1"_s.arg(diagnosis.node);
    return output == OutputState::Growing ? u"%1 ended; which one is not known yet"_s.arg(who)
                                          : u"%1 ended; the output does not say which"_s.arg(who);
}

} // namespace

QString failureWords(const QString& kind)
{
    static const QHash<QString, QString> words{
        {u"oom_gpu"_s, u"GPU out of memory"_s},
        {u"oom_host"_s, u"the node's memory ran out"_s},
        {u"nccl_timeout"_s, u"a collective timed out"_s},
        {u"nccl_error"_s, u"the collective library failed"_s},
        {u"rendezvous_timeout"_s, u"the rendezvous failed"_s},
        {u"port_in_use"_s, u"the rendezvous port is in use"_s},
        {u"missing_module"_s, u"a module is missing"_s},
        {u"missing_file"_s, u"a file is missing"_s},
        {u"missing_library"_s, u"a library is missing"_s},
        {u"missing_container"_s, u"the container is missing"_s},
        {u"missing_environment"_s, u"the start environment is not set"_s},
        {u"time_limit"_s, u"time limit reached"_s},
        {u"segfault"_s, u"native code crashed"_s},
        {u"process_killed"_s, u"a process was killed"_s},
        {u"disk_quota"_s, u"the disk quota is used up"_s},
        {u"disk_full"_s, u"the disk is full"_s},
        {u"node_failure"_s, u"a node failed"_s},
        {u"preempted"_s, u"the job was preempted"_s},
        {u"cancelled"_s, u"the job was cancelled"_s},
        {u"wrong_device_count"_s, u"a rank asks for a GPU it does not have"_s},
        {u"no_gpu"_s, u"the program sees no GPU"_s},
        {u"nan_loss"_s, u"the loss is not a number"_s},
        {u"gpu_fault"_s, u"a GPU kernel failed"_s},
        {u"gpu_hardware"_s, u"a GPU broke"_s},
        {u"network_offline"_s, u"no internet access"_s},
        {u"python_exception"_s, u"the program stopped with an exception"_s},
        {u"failed_exit"_s, u"a process ended with an error"_s},
        {u"slurm_config"_s, u"Slurm refused a step"_s},
        {u"slurm_launch"_s, u"Slurm could not start the processes"_s},
        {u"mpi_error"_s, u"MPI stopped all ranks"_s},
        {u"shape_mismatch"_s, u"sizes do not match"_s},
        {u"wrong_arguments"_s, u"the program rejects an option"_s},
        {u"permission_denied"_s, u"permission denied"_s},
        {u"data_loader"_s, u"a loader worker died"_s},
        {u"guard"_s, u"the script's own check stopped it"_s},
    };
    return words.value(kind, QString(kind).replace(u'_', u' '));
}

bool isOfWholeJob(const QString& kind) { return kind == u"cancelled" || kind == u"preempted" || kind == u"time_limit"; }

bool isVainWait(const QString& kind) { return kind == u"nccl_timeout"; }

QString failureTitle(const Diagnosis& diagnosis, OutputState output)
{
    const QString words = failureWords(diagnosis.kind);
    if (isOfWholeJob(diagnosis.kind))
        return capitalised(words);
    if (isOfNode(diagnosis.kind) && !diagnosis.node.isEmpty())
        return u"%1 failed"_s.arg(diagnosis.node);
    if (diagnosis.rank && isVainWait(diagnosis.kind)) // the rank that prints it is not the late one
        return u"A collective timed out: rank %1 waited in vain"_s.arg(*diagnosis.rank);
    if (diagnosis.rank)
        return u"Rank %1: %2"_s.arg(*diagnosis.rank).arg(words);
    if (isLostPeerRule(diagnosis.rule))
        return lostPeerTitle(diagnosis, output);
    const QString ranks = oneOfRanks(diagnosis);
    return ranks.isEmpty() ? capitalised(words) : capitalised(ranks) + u": "_s + words;
}

} // namespace rankwright::inline insight
