// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/jobgaps.h"

#include "app/recording/jobrecorder.h"
#include "app/store/recordingreader.h"

namespace rankwright {

using namespace Qt::StringLiterals;

JobGaps::JobGaps(RemoteShell& shell, JobWatch& watch, JobRecorder& recorder, QObject* parent)
    : QObject(parent), m_shell(shell), m_watch(watch), m_recorder(recorder)
{
    connect(&m_recorder, &JobRecorder::recordingBegan, this, &JobGaps::open);
    const auto report = [this](const JobRecord& record) {
        if (m_keeper)
            m_keeper->update(record);
    };
    connect(&m_watch, &JobWatch::recordChanged, this, report);
    connect(&m_watch, &JobWatch::jobEnded, this, report);
    connect(&m_watch, &JobWatch::samplingPlanned, this, &JobGaps::setPlan);
    if (!m_recorder.path().isEmpty())
        open(m_recorder.path());
}

JobGaps::~JobGaps() = default;

void JobGaps::open(const QString& path)
{
    auto reader = RecordingReader::open(path);
    if (!reader)
        return; // the recorder reports its own trouble
    m_keeper.reset();
    m_history = std::move(*reader);
    m_keeper = std::make_unique<GapKeeper>(m_shell, *m_history);
    m_keeper->setPatience(m_patience);
    if (m_watch.plan())
        setPlan(*m_watch.plan());
    connect(m_keeper.get(), &GapKeeper::ticksFilled, this, [this](const QList<NodeTick>& ticks) {
        m_ticks += ticks.size();
        m_recorder.fill(ticks);
    });
    connect(m_keeper.get(), &GapKeeper::processesFilled, this, [this](const QList<NodeProcesses>& processes) {
        for (const NodeProcesses& reported : processes)
            m_recorder.add(reported, reported.takenMs);
    });
    connect(m_keeper.get(), &GapKeeper::roundEnded, this, [this](const Result<GapSummary>& outcome) {
        if (outcome)
            m_bytes += outcome->bytes;
        // A link that is away has its own words.
        const bool reports = !outcome && outcome.error().fault == Fault::Unreadable;
        if (reports || m_troubled)
            emit troubleChanged(reports ? std::optional(outcome.error()) : std::nullopt);
        m_troubled = reports;
        m_recorder.commit();
        emit filled();
    });
    connect(m_keeper.get(), &GapKeeper::recordRead, this, &JobGaps::recordRead);
    m_keeper->update(m_watch.record());
}

/// A watch that samples seldom has no holes between its own steps.
void JobGaps::setPlan(const SamplingPlan& plan)
{
    if (m_keeper)
        m_keeper->setWatchInterval(plan.intervalMs);
}

void JobGaps::cancel()
{
    if (m_keeper)
        m_keeper->filler().cancel();
}

QString JobGaps::summary() const
{
    return m_ticks == 0 ? QString()
                        : u"%1 readings that were missing came from the job's own record (%2)"_s.arg(m_ticks).arg(
                            humanBytes(Bytes{m_bytes}));
}

} // namespace rankwright
