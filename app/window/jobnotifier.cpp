// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobnotifier.h"

#include "app/base/settings.h"
#include "app/session/clustersession.h"
#include "app/window/jobactions.h"
#include "app/window/links/connections.h"
#include "app/window/pages/livecontroller.h"
#include "models/cluster/slurm/slurmclient.h"
#include "widgets/window/desktopnotes.h"
#include "widgets/window/mainwindow.h"

#include <QMenu>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString keyOf(const QString& cluster, const JobId& job) { return cluster + u'/' + job; }

} // namespace

JobNotifier::JobNotifier(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts)
{
    addAction();
    connect(&m_parts.connections, &Connections::sessionMade, this, &JobNotifier::follow);
    connect(&m_parts.connections, &Connections::sessionEnding, this, &JobNotifier::showQueues);
    connect(&m_parts.jobActions, &JobActions::watchRequested, this, &JobNotifier::watch);
    connect(&m_parts.notes, &DesktopNotes::clicked, this, &JobNotifier::open);
    connect(&m_parts.notes, &DesktopNotes::windowWanted, this, &JobNotifier::showWindow);
    connect(&m_parts.notes, &DesktopNotes::jobsWanted, this, &JobNotifier::showJobs);
    connect(&m_parts.notes, &DesktopNotes::quitWanted, &m_parts.window, &QWidget::close);
}

void JobNotifier::addAction()
{
    m_action = m_parts.window.viewMenu()->addAction(tr("Desktop &notifications"));
    m_action->setCheckable(true);
    m_action->setToolTip(tr("Job started, first step, something is wrong, ended: reported on the desktop, with an icon "
                            "in the tray"));
    const bool isShown = m_parts.settings.notificationsWanted() && m_parts.notes.whyNot().isEmpty();
    m_action->setChecked(isShown);
    m_parts.notes.setShown(isShown);
    connect(m_action, &QAction::toggled, this, &JobNotifier::choose);
}

void JobNotifier::choose(bool wanted)
{
    const QString whyNot = wanted ? m_parts.notes.whyNot() : QString();
    if (!whyNot.isEmpty()) {
        m_parts.window.showNotice(Notice::Notifications, whyNot);
        m_action->setChecked(false);
        return;
    }
    m_parts.settings.setNotificationsWanted(wanted);
    m_parts.notes.setShown(wanted);
}

void JobNotifier::follow(ClusterSession* session)
{
    connect(session, &ClusterSession::queueChanged, this, [this, session] { readQueue(*session); });
    connect(session, &ClusterSession::ourJobEnded, this, [this, session](const JobRecord& record) {
        const QString cluster = session->profile().name;
        if (!isWatched(record.id, cluster) || m_parts.live.watch()->isOver()) {
            readEnd(cluster, record, {});
            return;
        }
        // Of the one that is watched more is known when its output is read to the end, unless another one is watched
        // before that.
        const JobWatch* its = m_parts.live.watch();
        auto* awaited = new QObject(this);
        connect(its, &JobWatch::jobEnded, awaited, &QObject::deleteLater);
        connect(its, &QObject::destroyed, awaited, [this, awaited, cluster, record] {
            awaited->deleteLater();
            readEnd(cluster, record, {});
        });
    });
}

void JobNotifier::expect(const JobId& job, const QString& cluster)
{
    FollowedJob submitted;
    submitted.job = job;
    submitted.state = JobState::Pending;
    m_jobs[keyOf(cluster, job)].known = submitted;
}

void JobNotifier::watch(const JobId&, const QString& cluster)
{
    JobWatch* its = m_parts.live.watch();
    if (!its)
        return;
    for (QObject* each : std::initializer_list<QObject*>{its, &its->output(), &its->alerts()})
        each->disconnect(this); // of a job that is asked for again the watch goes on
    const auto read = [this, its, cluster] { readWatch(cluster, *its); };
    connect(its, &JobWatch::recordChanged, this, read);
    connect(&its->output(), &JobOutput::progressChanged, this, read);
    connect(&its->alerts(), &JobAlerts::changed, this, read);
    connect(its, &JobWatch::jobEnded, this,
        [this, its, cluster](const JobRecord& record) { readEnd(cluster, record, its->output().diagnoses()); });
}

FollowedJob JobNotifier::jobOf(const QString& cluster, const JobRecord& record) const
{
    FollowedJob job;
    if (const auto known = m_jobs.constFind(keyOf(cluster, record.id)); known != m_jobs.cend() && known->known)
        job = *known->known;
    const ClusterSession* session = m_parts.connections.session(cluster);
    job.job = record.id;
    job.cluster = session ? session->profile().title : cluster;
    job.state = record.state;
    job.nodes = record.nodes;
    if (!record.name.isEmpty())
        job.name = record.name;
    if (isWaiting(job.state)) { // whatever was seen was of a run before
        job.progress.reset();
        job.trouble.clear();
    }
    return job;
}

void JobNotifier::readQueue(const ClusterSession& session)
{
    for (const JobRecord& record : session.queue()) {
        // A site may replace the comment; what was submitted or watched here is known.
        const bool isFollowed = isOurToken(record.comment) || m_jobs.contains(keyOf(session.profile().name, record.id));
        if (!isFollowed || hasEnded(record.state)) // ends come with their reason
            continue;
        update(session.profile().name, jobOf(session.profile().name, record));
    }
    showQueues(nullptr);
}

/// What is known of a queue goes with its connection.
void JobNotifier::showQueues(const ClusterSession* ending)
{
    QStringList lines;
    for (const ClusterSession* each : m_parts.connections.sessions()) {
        if (each == ending)
            continue;
        for (const JobRecord& record : each->queue()) {
            if (!hasEnded(record.state))
                lines.append(tr("%1 %2 on %3: %4")
                                 .arg(record.id, record.name, each->profile().title, toText(record.state).toLower()));
        }
    }
    m_parts.notes.setJobs(lines);
}

void JobNotifier::readWatch(const QString& cluster, const JobWatch& watch)
{
    if (watch.record().id.isEmpty() || hasEnded(watch.record().state))
        return;
    FollowedJob now = jobOf(cluster, watch.record());
    if (isActive(now.state)) {
        now.progress = watch.output().progress();
        now.trouble = troubleOf(watch.alerts().all());
    }
    update(cluster, now);
}

void JobNotifier::readEnd(const QString& cluster, const JobRecord& record, const QList<Diagnosis>& diagnoses)
{
    FollowedJob now = jobOf(cluster, record);
    now.verdict = endInWords(record, diagnoses);
    update(cluster, now);
}

void JobNotifier::update(const QString& cluster, const FollowedJob& now)
{
    Followed& its = m_jobs[keyOf(cluster, now.job)];
    if (its.known == now)
        return;
    if (its.known)
        its.told = stillTold(*its.known, now, its.told);
    const QList<JobNews> news = jobNews(its.known, now, its.told);
    its.known = now;
    for (const JobNews& one : news) {
        its.told.append(one.kind);
        if (one.kind == JobNewsKind::FirstStep && !its.told.contains(JobNewsKind::Started))
            its.told.append(JobNewsKind::Started); // it says that, too
        if (m_action->isChecked() && !isShown(now.job, cluster))
            m_parts.notes.tell(one.title, one.text, keyOf(cluster, now.job));
    }
}

bool JobNotifier::isWatched(const JobId& job, const QString& cluster) const
{
    const JobWatch* its = m_parts.live.watch();
    return its && its->job() == job && m_parts.live.cluster() == cluster;
}

bool JobNotifier::isShown(const JobId& job, const QString& cluster) const
{
    // Some desktops leave a minimised window active while no other one is there.
    const MainWindow& window = m_parts.window;
    const bool isSeen = window.isActiveWindow() && window.isVisible() && !window.isMinimized();
    return isSeen && window.page() == MainWindow::Page::Live && isWatched(job, cluster);
}

void JobNotifier::showWindow()
{
    MainWindow& window = m_parts.window;
    window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
    window.show();
    window.raise();
    window.activateWindow();
}

void JobNotifier::showJobs()
{
    showWindow();
    m_parts.window.showPage(MainWindow::Page::Jobs);
}

void JobNotifier::open(const QString& id)
{
    showWindow();
    const QString cluster = id.section(u'/', 0, -2);
    const JobId job = id.section(u'/', -1);
    if (isWatched(job, cluster))
        m_parts.window.showPage(MainWindow::Page::Live);
    else if (!job.isEmpty())
        m_parts.jobActions.watch(job, cluster);
}

} // namespace rankwright
