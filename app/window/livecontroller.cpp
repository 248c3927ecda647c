// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/livecontroller.h"

#include "app/clustersession.h"
#include "app/joblayout.h"
#include "models/tables/gpugridmodel.h"
#include "widgets/livepage.h"

namespace rankwright {

using namespace Qt::StringLiterals;

LiveController::LiveController(GpuGridModel& grid, LivePage& page, QObject* parent)
    : QObject(parent), m_grid(grid), m_page(page)
{
    m_tell.setInterval(2000);
    connect(&m_tell, &QTimer::timeout, this, &LiveController::showCost);
}

void LiveController::follow(ClusterSession& session, const JobId& job, const QString& strategy)
{
    if (m_watch && m_job == job && m_session == &session && !m_watch->isOver())
        return;
    if (m_session && m_session != &session)
        m_session->unwatch();
    m_session = &session;
    m_job = job;
    m_shaped = false;
    m_sampled = false;
    m_grid.reset({}, 0, 1, u"GPU"_s);
    JobRecord first;
    first.id = job;
    for (const JobRecord& record : session.queue()) {
        if (record.id == job)
            first = record;
    }
    m_page.showJob(first);
    m_page.setStrategy(strategy);
    m_watch = &session.watch(job);
    connectWatch();
    m_tell.start();
}

void LiveController::connectWatch()
{
    connect(m_watch, &JobWatch::recordChanged, this, &LiveController::showRecord);
    connect(m_watch, &JobWatch::tickArrived, this, [this](const NodeTick& tick, qint64 arrivedMs) {
        m_grid.store(tick, arrivedMs);
        if (!m_sampled) {
            m_sampled = true;
            emit firstSample(tick.node);
        }
    });
    connect(m_watch, &JobWatch::linesArrived, this, [this](const QList<LogLine>& lines) { m_page.appendLog(lines); });
    connect(m_watch, &JobWatch::progressChanged, this,
        [this](const TrainingProgress& progress) { m_page.showProgress(progress); });
    connect(
        m_watch, &JobWatch::lossesChanged, this, [this](const QList<LossPoint>& losses) { m_page.showLosses(losses); });
    connect(m_watch, &JobWatch::trouble, this,
        [this](const QString& source, const Error& why) { m_page.showTrouble(source, why); });
    connect(m_watch, &JobWatch::over, this, [this](const JobRecord& record) {
        m_tell.stop();
        showCost();
        emit jobOver(record);
    });
}

void LiveController::letGo()
{
    m_tell.stop();
    m_watch.clear();
    m_session.clear();
}

void LiveController::showRecord(const JobRecord& record)
{
    shapeGrid(record);
    m_page.updateJob(record);
}

void LiveController::shapeGrid(const JobRecord& record)
{
    if (m_shaped || record.nodeList.isEmpty() || !m_session)
        return;
    m_shaped = true;
    const NodeShape* shape = m_session->profile().nodeShape(record.partition);
    const int nodes = int(record.nodeList.size());
    // Without the job's own count the node's is the best guess of the shape; samples extend or leave cells stale.
    const int each = record.gpus && nodes > 0 ? *record.gpus / nodes : shape ? shape->gpus : 1;
    m_grid.reset(record.nodeList, qMax(1, each), shape ? shape->gpu.perPackage : 1, shape ? shape->gpu.word : u"GPU"_s);
    if (const auto entries = m_session->jobLog().withJob(m_session->profile().name, m_job);
        entries && !entries->isEmpty())
        m_grid.setPlacement(placementOf(entries->first(), m_session->profile(), record));
    constexpr int many = 64; // nodes that are shown one by one need no groups
    if (nodes <= many)
        return;
    askSwitches(m_session->shell(), record.nodeList, m_watch, [this](const QHash<QString, QString>& switchOf) {
        if (!switchOf.isEmpty())
            m_grid.setSwitches(switchOf);
    });
}

void LiveController::showCost()
{
    if (!m_watch)
        return;
    const TelemetryFeed::Cost cost = m_watch->cost();
    QString text = tr("1 channel, %1 steps, %2 received").arg(cost.steps).arg(humanBytes(Bytes{cost.bytes}));
    if (m_session && m_session->link().bytesPerSecond)
        text += u", "_s + tr("%1/s").arg(humanBytes(Bytes{qint64(*m_session->link().bytesPerSecond)}));
    m_page.setSamplingCost(text);
    m_page.setCoverage(m_watch->coverage(QDateTime::currentMSecsSinceEpoch()).value_or(-1));
}

} // namespace rankwright
