// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/jobrecorder.h"

#include "app/recording/endedrecord.h"
#include "app/recording/jobdiarykeeper.h"
#include "app/store/eventjson.h"
#include "models/core/logging.h"

#include <QJsonDocument>

#include <utility>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 sameAlertsMs = 60'000;
constexpr unsigned long patienceMs = 5000;

QByteArray compact(const QJsonObject& object) { return QJsonDocument(object).toJson(QJsonDocument::Compact); }

} // namespace

JobRecorder::JobRecorder(Place place, QObject* parent)
    : QObject(parent), m_place(std::move(place)), m_thread(std::make_unique<QThread>()),
      m_keeper(new JobDiaryKeeper(m_place.folder, m_place.limitBytes)), m_diary(std::make_unique<JobDiary>())
{
    m_thread->setObjectName(u"recorder"_s);
    m_keeper->moveToThread(m_thread.get());
    connect(m_keeper, &JobDiaryKeeper::diaryWritten, this, &JobRecorder::handleOutcome, Qt::QueuedConnection);
    connect(m_thread.get(), &QThread::finished, m_keeper, &QObject::deleteLater);
    m_thread->start(QThread::LowPriority);
    m_pace.setInterval(m_place.commitMs);
    connect(&m_pace, &QTimer::timeout, this, &JobRecorder::commit);
}

JobRecorder::~JobRecorder()
{
    if (!m_facts.job.id.isEmpty())
        handOverDiary();
    JobDiaryKeeper* keeper = m_keeper;
    // Quits behind what was handed over, so that all of it is written.
    QMetaObject::invokeMethod(
        keeper,
        [keeper] {
            keeper->close();
            keeper->thread()->quit();
        },
        Qt::QueuedConnection);
    if (m_thread->wait(patienceMs))
        return;
    // A disk that does not answer must not keep the window from closing: the thread ends alone.
    connect(m_thread.get(), &QThread::finished, m_thread.get(), &QObject::deleteLater);
    (void)m_thread.release();
}

void JobRecorder::describe(const ClusterProfile& profile, const JobRecord& record)
{
    describeGpus(m_facts, &profile, record);
}

void JobRecorder::follow(JobWatch& watch, const ClusterProfile& profile)
{
    RecordingFacts facts;
    facts.cluster = profile.name;
    facts.design = watch.launched().design;
    facts.entryId = watch.launched().entryId;
    follow(watch, facts);
    describe(profile, watch.record());
    // The kind of node is known when Slurm has reported the partition.
    connect(&watch, &JobWatch::recordChanged, this,
        [this, &profile](const JobRecord& record) { describe(profile, record); });
}

void JobRecorder::follow(JobWatch& watch, const RecordingFacts& facts)
{
    RecordingFacts known = facts;
    known.job = watch.record();
    begin(known);
    connect(&watch, &JobWatch::recordChanged, this, &JobRecorder::setRecord);
    connect(&watch, &JobWatch::tickArrived, this, [this](const NodeTick& tick, qint64 ms) { add(tick, ms); });
    connect(&watch, &JobWatch::processesArrived, this,
        [this](const NodeProcesses& processes, qint64 ms) { add(processes, ms); });
    connect(&watch.output(), &JobOutput::progressChanged, this,
        [this](const TrainingProgress& progress) { add(progress, QDateTime::currentMSecsSinceEpoch()); });
    connect(&watch.output(), &JobOutput::lossesChanged, this,
        [this](const QList<LossPoint>& losses) { add(losses, QDateTime::currentMSecsSinceEpoch()); });
    connect(&watch.alerts(), &JobAlerts::changed, this,
        [this](const QList<Alert>& alerts) { add(alerts, QDateTime::currentMSecsSinceEpoch()); });
    connect(&watch.output(), &JobOutput::diagnosesChanged, this,
        [this](const QList<Diagnosis>& found) { add(found, QDateTime::currentMSecsSinceEpoch()); });
    connect(&watch.output(), &JobOutput::bindingChanged, this,
        [this](const RankBinding& binding) { add(binding, QDateTime::currentMSecsSinceEpoch()); });
    connect(&watch, &JobWatch::troubleChanged, this, [this](TroubleSource source, const std::optional<Error>& why) {
        if (why)
            m_diary->events.append({QDateTime::currentMSecsSinceEpoch(), u"trouble"_s,
                compact({{u"source"_s, toText(source)}, {u"text"_s, why->oneLine()}})});
    });
    connect(&watch, &JobWatch::jobEnded, this, [this](const JobRecord& record) {
        setRecord(record);
        commit();
    });
}

void JobRecorder::begin(const RecordingFacts& facts)
{
    m_facts = facts;
    setRecord(facts.job);
    m_pace.start();
}

void JobRecorder::setRecord(const JobRecord& record)
{
    m_facts.job = record;
    if (record.state == m_state || record.state == JobState::Unknown)
        return;
    m_state = record.state;
    m_diary->events.append({QDateTime::currentMSecsSinceEpoch(), u"state"_s,
        compact({{u"state"_s, toText(record.state)}, {u"reason"_s, record.reason}})});
}

void JobRecorder::add(const NodeTick& tick, qint64 arrivedMs)
{
    if (m_waitingGpus > JobDiaryKeeper::mostWaitingGpus) { // the thread is stuck: the newest are left out
        ++m_lost;
        return;
    }
    m_waitingGpus += tick.gpus.size();
    m_diary->ticks.append({tick, arrivedMs});
}

void JobRecorder::add(const NodeProcesses& processes, qint64 arrivedMs)
{
    if (m_waitingGpus > JobDiaryKeeper::mostWaitingGpus)
        return;
    m_waitingGpus += processes.ranks.size();
    m_diary->processes.append({processes, arrivedMs});
}

void JobRecorder::add(const TrainingProgress& progress, qint64 nowMs) { m_diary->progress = {progress, nowMs}; }

void JobRecorder::add(const QList<LossPoint>& losses, qint64 nowMs) { m_diary->losses = {losses, nowMs}; }

void JobRecorder::fill(const QList<NodeTick>& ticks) { m_diary->filled += ticks; }

void JobRecorder::add(const QList<Alert>& alerts, qint64 nowMs)
{
    QString which;
    for (const Alert& alert : alerts)
        which += alert.kind + u'/' + alert.nodes.join(u',') + u'/' + QString::number(alert.gpus.size()) + u' ';
    // Figures in them change every second; what stands, seldom.
    if (which == m_alerts && nowMs - m_alertsMs < sameAlertsMs)
        return;
    if (which.isEmpty() && m_alerts.isEmpty())
        return;
    m_alerts = which;
    m_alertsMs = nowMs;
    m_diary->events.append(alertsEvent(alerts, nowMs));
}

void JobRecorder::add(const QList<Diagnosis>& diagnoses, qint64 nowMs)
{
    m_diary->events.append(failuresEvent(diagnoses, nowMs));
}

void JobRecorder::add(const RankBinding& binding, qint64 nowMs) { m_diary->binding = {binding, nowMs}; }

void JobRecorder::commit()
{
    if (!m_busy && !m_facts.job.id.isEmpty())
        handOverDiary();
}

void JobRecorder::handOverDiary()
{
    m_busy = true;
    m_waitingGpus = 0;
    m_diary->facts = m_facts;
    m_keeper->put(std::make_shared<const JobDiary>(std::exchange(*m_diary, {})));
    QMetaObject::invokeMethod(
        m_keeper, [keeper = m_keeper] { keeper->writeInbox(); }, Qt::QueuedConnection);
}

void JobRecorder::handleOutcome(const JobDiaryOutcome& outcome)
{
    m_busy = false;
    m_lostWriting = outcome.lost;
    if (outcome.path != m_path) {
        m_path = outcome.path;
        if (!m_path.isEmpty())
            emit recordingBegan(m_path);
    }
    // Standing by is fine: the job is recorded.
    reportTrouble(outcome.why && outcome.why->fault == Fault::Cancelled ? std::nullopt : outcome.why);
    emit diaryCommitted();
}

void JobRecorder::reportTrouble(const std::optional<Error>& why)
{
    const QString text = why ? why->what : QString();
    if (text == m_reported)
        return;
    m_reported = text;
    emit troubleChanged(why);
}

} // namespace rankwright
