// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfiledraft.h"
#include "app/store/recordingwriter.h"
#include "tests/app/support/recordedjob.h"

namespace rankwright::test {

/// A secret of each place that a job file is made from. None was ever valid.
inline const QStringList plantedSecrets{QStringLiteral("hf_PlantedInTheScript0000"),
    QStringLiteral("PlantedInTheDesign1"), QStringLiteral("ghp_PlantedInTheOutput00000000000000000000"),
    QStringLiteral("PlantedInTheEvidence2"), QStringLiteral("plantedUser")};

/// A job of half a minute that ended, with a secret in everything; its recording lies below `folder`.
inline JobFileParts plantedParts(const QString& folder)
{
    RecordingFacts facts = recordedJob(QStringLiteral("4711"), {QStringLiteral("n1")});
    facts.job.user = plantedSecrets.at(4);
    facts.job.workdir = QStringLiteral("/users/%1/run").arg(plantedSecrets.at(4));
    facts.job.state = JobState::Completed;
    facts.job.ended = QDateTime::fromMSecsSinceEpoch(recordedStart + 30'000, Qt::UTC);
    facts.job.elapsed = Seconds{30};
    facts.job.nodes = 1;
    facts.job.gpus = 8;
    facts.entryId = QStringLiteral("entry");
    facts.design = QStringLiteral(R"({"environment":{"variables":{"MY_PASSWORD":"%1","A":"1"}}})")
                       .arg(plantedSecrets.at(1))
                       .toUtf8();
    JobFileParts parts;
    {
        auto writer = RecordingWriter::open(folder, facts);
        if (!writer)
            qFatal("no recording");
        QRandomGenerator random{1};
        for (int second = 0; second < 30; ++second)
            (*writer)->append(trainingTick(random, QStringLiteral("n1"), recordedStart + second * 1000LL),
                recordedStart + second * 1000LL);
        (*writer)->note(RecordingEvent{recordedStart + 20'000, QStringLiteral("failures"),
            QStringLiteral(R"({"failures":[{"class":"auth","rule":"x","evidence":"login with API_KEY=%1"}]})")
                .arg(plantedSecrets.at(3))
                .toUtf8()});
        if (!(*writer)->commit(recordedStart + 31'000))
            qFatal("no commit");
        parts.recording = (*writer)->path();
    }
    parts.cluster = facts.cluster;
    parts.clusterTitle = QStringLiteral("LUMI");
    parts.usage.cluster = facts.cluster;
    parts.usage.accounted = true;
    parts.usage.asked = facts.job.ended;
    parts.usage.usage.job = facts.job;
    parts.design = facts.design;
    parts.script
        = QStringLiteral("#!/bin/bash\nexport HF_TOKEN=%1\nsrun python train.py\n").arg(plantedSecrets.at(0)).toUtf8();
    parts.outputs.append({QStringLiteral("/users/%1/run/slurm-4711.out").arg(plantedSecrets.at(4)), 90,
        QStringLiteral("cloning %1\nstep 30/30 loss 2.5\n").arg(plantedSecrets.at(2)).toUtf8()});
    return parts;
}

} // namespace rankwright::test
