// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/recordedcause.h"

#include "app/store/eventjson.h"
#include "app/store/recordingreader.h"
#include "app/store/recordings.h"

#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString newestFailure(const RecordingReader& reader)
{
    QString cause;
    for (const RecordingEvent& event : reader.events({0, std::numeric_limits<qint64>::max()}, u"alerts"_s)) {
        for (const Alert& alert : alertsIn(event).valueOr({})) {
            if (alert.level == Alert::Level::Failure) {
                cause = alert.title;
                break;
            }
        }
    }
    return cause;
}

} // namespace

QString causeInRecording(const QString& path)
{
    const auto opened = RecordingReader::open(path);
    return opened ? newestFailure(**opened) : QString();
}

QString recordedCause(const QString& folder, const QString& cluster, const JobRecord& job)
{
    if (!hasEnded(job.state) || job.state == JobState::Completed)
        return {};
    const QString path = findRecording(folder, cluster, job.id);
    if (path.isEmpty())
        return {};
    const auto opened = RecordingReader::open(path);
    if (!opened)
        return {};
    RecordingFacts asked;
    asked.cluster = cluster;
    asked.job = job;
    return isSameJob((*opened)->info().facts, asked) ? newestFailure(**opened) : QString();
}

} // namespace rankwright
