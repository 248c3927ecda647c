// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/jobsamplerscript.h"

#include "models/cluster/remote/remoteprogram.h"
#include "models/insight/telemetry/sampling/telemetryfeed.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

QByteArray samplerScript()
{
    // For whoever finds the file in a job's folder.
    const QString head
        = u"#!/bin/bash\n"
          "# Rankwright: the GPU record of a Slurm job, written by the job itself into .rankwright/JOB/NODE.rws.\n"
          "# It takes no core, memory or GPU from the job, and ends when the job's script ends: then its input ends.\n"_s;
    const QStringList words = nodeSampler(GpuVendor::Amd, 5000, 15000); // vendor and interval come with the call
    return (head
        + remoteProgram(u"job-sampler.sh"_s,
            {{u"NODE_SAMPLER"_s, words.at(0)}, {u"AMD_FILTER"_s, words.at(3)}, {u"NVIDIA_FILTER"_s, words.at(4)},
                {u"JOB"_s, words.at(5)}, {u"RANKS_EVERY_MS"_s, words.at(6)}}))
        .toUtf8();
}

RemoteCommand placeSamplerCommand(const QString& file, const QString& workdir)
{
    const QByteArray text = samplerScript();
    const QString program
        = remoteProgram(u"place-sampler.sh"_s, {{u"FILE"_s, file}, {u"BYTES"_s, QString::number(text.size())}});
    RemoteCommand made = RemoteCommand::of({u"sh"_s, u"-c"_s, program, u"rankwright"_s, workdir}, text);
    made.purpose = u"Places the program by which the job samples itself"_s;
    made.deadlineSeconds = 15;
    return made;
}

} // namespace rankwright::inline insight
