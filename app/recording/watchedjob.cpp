// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/watchedjob.h"

#include "app/base/whendone.h"
#include "app/watch/joboutputfiles.h"
#include "models/core/logging.h"

#include <QtConcurrentRun>

#include <utility>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

Error unreadOutputs(const QStringList& files)
{
    const QString more = files.size() > 1 ? u" (and %1 more)"_s.arg(files.size() - 1) : QString();
    return {Fault::Unreadable, u"Not all of the job's output could be kept on this machine."_s, files.first() + more,
        u"Read it on the cluster."_s};
}

} // namespace

WatchedJob::WatchedJob(RemoteShell& shell, JobWatch& watch, QObject* parent)
    : QObject(parent), m_shell(shell), m_watch(watch)
{
    connect(&watch, &JobWatch::jobEnded, this, &WatchedJob::storeOutput);
    connect(&watch, &QObject::destroyed, this, [this] { m_gaps.reset(); }); // it asks the watch
}

WatchedJob::~WatchedJob() = default;

void WatchedJob::record(const ClusterProfile& profile, const JobRecorder::Place& place)
{
    m_recorder = std::make_unique<JobRecorder>(place);
    connect(m_recorder.get(), &JobRecorder::recordingBegan, this, &WatchedJob::recordingBegan);
    connect(m_recorder.get(), &JobRecorder::troubleChanged, this,
        [this](const std::optional<Error>& why) { emit troubleChanged(TroubleSource::Recording, why); });
    connect(m_recorder.get(), &JobRecorder::diaryCommitted, this, [this] {
        if (std::exchange(m_grew, false))
            emit recordingGrew();
    });
    m_recorder->follow(m_watch, profile);
    m_gaps = std::make_unique<JobGaps>(m_shell, m_watch, *m_recorder);
    connect(m_gaps.get(), &JobGaps::filled, this, [this] {
        m_grew = true;
        emit gapsFilled();
    });
    connect(m_gaps.get(), &JobGaps::troubleChanged, this,
        [this](const std::optional<Error>& why) { emit troubleChanged(TroubleSource::SamplerRecord, why); });
}

/// So that it is there without a connection, also once the cluster has cleared it away. Written on another thread.
void WatchedJob::storeOutput(const JobRecord& job)
{
    const QString path = m_recorder ? m_recorder->path() : QString();
    if (path.isEmpty())
        return;
    readJobOutputs(m_shell, job, this, [this, path](const Result<ReadOutputs>& read) {
        if (read && !read->unread.isEmpty())
            emit troubleChanged(TroubleSource::Output, unreadOutputs(read->unread));
        if (!read || read->outputs.isEmpty()) {
            if (!read)
                qCInfo(logApp) << "outputs were not kept:" << read.error().oneLine();
            emit outputsKept();
            return;
        }
        const QFuture<Result<void>> writing
            = QtConcurrent::run([path, outputs = read->outputs] { return saveOutputs(path, outputs); });
        whenDone(writing, this, [this](const Result<void>& kept) {
            if (!kept)
                qCWarning(logApp) << kept.error().oneLine();
            emit outputsKept();
        });
    });
}

void WatchedJob::stopRecording()
{
    m_gaps.reset();
    m_recorder.reset();
}

} // namespace rankwright
