// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobactions.h"

#include "app/session/clustersession.h"
#include "app/store/keptoutputs.h"
#include "app/store/recordings.h"
#include "app/window/links/connections.h"
#include "app/window/pages/jobscontroller.h"
#include "app/window/pages/livecontroller.h"
#include "models/core/quantitytext.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"
#include "widgets/log/joblogview.h"
#include "widgets/window/mainwindow.h"

#include <QFile>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostMentioned = 3;
constexpr int newestEntries = 100;

} // namespace

JobActions::JobActions(Connections& connections, LiveController& live, JobsController& jobs, JobLog& log,
    MainWindow& window, QObject* parent)
    : QObject(parent), m_connections(connections), m_live(live), m_jobs(jobs), m_log(log), m_window(window)
{
    connect(&m_connections, &Connections::linkChanged, this, [this](const LinkInfo& link) {
        if (link.cluster != m_cluster)
            return;
        const bool isQuiet = link.state == LinkState::Offline && link.activity.isEmpty();
        if (link.state == LinkState::Online)
            goOn(link.cluster);
        else if (isQuiet && m_isTried)
            giveUp(link.cluster);
        m_isTried = !isQuiet;
    });
    connect(&m_connections, &Connections::loginDeclined, this, &JobActions::giveUp);
}

QString JobActions::titleOf(const QString& cluster) const
{
    const ClusterProfile* profile = m_connections.catalogue().find(cluster);
    return profile ? profile->title : cluster;
}

/// False: it connects first, or it cannot be.
bool JobActions::isReady(const JobId& job, const QString& cluster, Want want)
{
    if (job.isEmpty() || cluster.isEmpty()) {
        m_window.showPage(MainWindow::Page::Jobs);
        return false;
    }
    m_want = Want::Nothing;
    if (m_connections.isOnline(cluster))
        return true;
    if (!m_connections.catalogue().find(cluster)) {
        m_window.showNotice(Notice::RunningJob,
            tr("Job %1 ran on %2, which is not in the catalogue any more: it cannot be shown.").arg(job, cluster));
        return false;
    }
    m_want = want;
    m_isTried = false;
    m_job = job;
    m_cluster = cluster;
    m_window.showNotice(Notice::RunningJob,
        want == Want::Output ? tr("The output of job %1 lies on %2: it is shown as soon as that is connected.")
                                   .arg(job, titleOf(cluster))
                             : tr("Job %1 is shown as soon as %2 is connected.").arg(job, titleOf(cluster)));
    m_connections.connectTo(cluster);
    return false;
}

/// No longer connecting: a later connection, for something else, leads to no other page.
void JobActions::giveUp(const QString& cluster)
{
    if (m_want == Want::Nothing || cluster != m_cluster)
        return;
    m_want = Want::Nothing;
    m_window.clearNotice(Notice::RunningJob);
}

void JobActions::goOn(const QString& cluster)
{
    if (m_want == Want::Nothing || cluster != m_cluster)
        return;
    m_window.clearNotice(Notice::RunningJob);
    const Want want = std::exchange(m_want, Want::Nothing);
    if (want == Want::Output)
        showOutput(m_job, m_cluster);
    else
        watch(m_job, m_cluster);
}

void JobActions::watch(const JobId& job, const QString& cluster)
{
    if (!isReady(job, cluster, Want::Watch))
        return;
    m_window.clearNotice({Notice::RunningJob, cluster + u'/' + job});
    m_live.follow(*m_connections.session(cluster), job);
    emit watchRequested(job, cluster);
    m_window.showPage(MainWindow::Page::Live);
    m_window.pages().jobs->selectJob(job, cluster);
}

void JobActions::showOutput(const JobId& job, const QString& cluster)
{
    const JobRow* row = m_jobs.find(cluster, job);
    const bool isKept = row && hasEnded(row->job.state) && !row->recording.isEmpty()
        && QFile::exists(keptOutputsPath(row->recording));
    if (isKept) { // needs no connection
        replay(row->recording);
        m_window.pages().live->log().setFocus();
        return;
    }
    if (!isReady(job, cluster, Want::Output))
        return;
    row = m_jobs.find(cluster, job);
    const auto recorded = row && !row->recording.isEmpty() ? readRecordingInfo(row->recording)
                                                           : Result<RecordingInfo>(fail(Fault::Invalid, {}));
    const bool isEmpty = recorded && recorded->span.length() <= 0; // read again: it has no progress either
    if (row && !row->recording.isEmpty() && !isEmpty && hasEnded(row->job.state))
        replay(row->recording);
    else
        watch(job, cluster);
    m_window.pages().live->log().setFocus();
}

void JobActions::replay(const QString& recording)
{
    if (const auto opened = m_live.open(recording); !opened) {
        m_window.showNotice(Notice::Recording, opened.error().oneLine());
        return;
    }
    if (ClusterSession* its = m_connections.session(m_live.cluster()); its && its->isOnline())
        m_live.readOutput(*its);
    m_window.showPage(MainWindow::Page::Live);
}

void JobActions::cancel(const JobId& job, const QString& cluster)
{
    ClusterSession* session = m_connections.session(cluster);
    if (!session || !session->isOnline()) {
        m_window.showNotice(Notice::JobCancel,
            tr("Job %1 was not cancelled: %2 is not connected.").arg(job, titleOf(cluster)), tr("Connect"),
            [this, cluster] { m_connections.connectTo(cluster); });
        return;
    }
    session->cancelJob(job, this, [this, job, cluster](const Result<void>& done) {
        if (!done)
            m_window.showNotice(Notice::JobCancel,
                tr("Job %1 could not be cancelled: %2").arg(job, done.error().oneLine()), tr("Try again"),
                [this, job, cluster] { cancel(job, cluster); });
        else
            m_window.clearNotice(Notice::JobCancel);
    });
}

void JobActions::mentionRunning()
{
    const auto entries = m_log.newest({}, newestEntries);
    if (!entries)
        return;
    int mentioned = 0;
    for (const JobLogEntry& entry : *entries) {
        const bool open = entry.stage == EntryStage::Known && !entry.job.isEmpty() && !hasEnded(entry.state)
            && entry.outcome.isEmpty();
        if (!open || mentioned++ >= mostMentioned)
            continue;
        const QString name = entry.name.isEmpty() ? QString() : tr(" (%1)").arg(entry.name);
        const QString state = entry.state == JobState::Unknown ? tr("submitted") : toText(entry.state);
        m_window.showNotice({Notice::RunningJob, entry.cluster + u'/' + entry.job},
            tr("Job %1%2 on %3 was %4 when it was last heard of, %5.")
                .arg(entry.job, name, titleOf(entry.cluster), state,
                    QLocale().toString(entry.heard.toLocalTime(), QLocale::ShortFormat)),
            tr("Watch"), [this, job = entry.job, cluster = entry.cluster] { watch(job, cluster); });
    }
    if (const int more = mentioned - mostMentioned; more > 0)
        m_window.showNotice({Notice::RunningJob, u"others"_s},
            tr("%1 launched here may still run.").arg(counted(more, tr("more job"), tr("more jobs"))), tr("Show jobs"),
            [this] { m_window.showPage(MainWindow::Page::Jobs); });
}

} // namespace rankwright
