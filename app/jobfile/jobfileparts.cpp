// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfileparts.h"

#include "app/report/joblaunch.h"
#include "app/store/keptoutputs.h"
#include "app/store/recordings.h"
#include "models/core/logging.h"

namespace rankwright {

void JobFileParts::addOutputs(const JobOutputEnds& ends)
{
    if (!ends.outputs.isEmpty()) // else they were cleared away there
        outputs = ends.outputs;
    if (script.isEmpty())
        script = ends.script;
}

JobFileParts keptParts(const QString& dataFolder, const JobLog* log, const ClusterProfile* profile,
    const QString& cluster, const JobReports& made)
{
    JobFileParts parts;
    parts.cluster = cluster;
    parts.clusterTitle = profile ? profile->title : QString();
    parts.report = made;
    parts.usage.cluster = cluster;
    if (!made.reports.isEmpty())
        parts.usage.usage.job = made.reports.first().job;
    const JobRecord job = parts.usage.usage.job;
    const auto kept = findStoredUsage(dataFolder, cluster, job.id);
    if (!kept)
        qCWarning(logApp) << kept.error().oneLine();
    else if (*kept)
        parts.usage = **kept;
    parts.recording = findRecording(recordingsFolder(dataFolder), cluster, job.id);
    if (!parts.recording.isEmpty()) {
        const auto facts = readRecordingFacts(parts.recording);
        RecordingFacts asked;
        asked.cluster = cluster;
        asked.job = job;
        if (!facts || !isSameJob(*facts, asked)) // damaged, or of an earlier job with this id
            parts.recording.clear();
        else
            parts.design = facts->design;
    }
    const auto keptOutputs = readKeptOutputs(parts.recording);
    if (!keptOutputs)
        qCWarning(logApp) << keptOutputs.error().oneLine();
    for (const KeptOutput& output : keptOutputs.valueOr({})) {
        if (parts.outputs.size() < mostJobFileOutputs)
            parts.outputs.append({output.path, output.wholeBytes, output.bytes.right(longestOutputEnd)});
    }
    if (log) {
        if (const auto launch = launchOf(*log, cluster, job)) {
            parts.design = launch->design;
            parts.script = launch->script;
        }
    }
    return parts;
}

} // namespace rankwright
