// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/connectionnews.h"

#include "app/base/settings.h"
#include "app/session/clustersession.h"
#include "app/window/jobactions.h"
#include "app/window/launchcontroller.h"
#include "app/window/links/connections.h"
#include "app/window/pages/livecontroller.h"
#include "app/window/pages/reportcontroller.h"
#include "models/core/logging.h"
#include "models/core/quantitytext.h"
#include "models/insight/report/jobnews.h"
#include "models/script/document/design.h"
#include "widgets/clusters/clusterspage.h"
#include "widgets/window/mainwindow.h"

namespace rankwright {

using namespace Qt::StringLiterals;

ConnectionNews::ConnectionNews(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts)
{
    connect(&m_parts.connections, &Connections::linkChanged, this, &ConnectionNews::handleLink);
    connect(&m_parts.connections, &Connections::sessionMade, this, &ConnectionNews::follow);
    connect(&m_parts.connections, &Connections::failed, this, [this](const QString& cluster, const Error& why) {
        m_parts.window.addNotice({Notice::Connection, cluster}, why.oneLine());
    });
    connect(&m_parts.reports, &ReportController::causesFound, this,
        [this](const JobId& job, const QString& cluster, const QList<Diagnosis>& causes) {
            const SayCause say = m_withoutCause.take(cluster + u'/' + job);
            if (say && !isWatched(job, cluster))
                say(causes);
        });
}

void ConnectionNews::handleLink(const LinkInfo& link)
{
    m_parts.window.showLink(link);
    m_parts.window.pages().clusters->showLink(link);
    const NoticeKey key{Notice::Connection, link.cluster};
    // A loss that is being mended is one message, however many tries it takes.
    const bool isTryAgain = link.state == LinkState::Connecting && link.error;
    if (link.state == LinkState::Online || (link.state == LinkState::Connecting && !isTryAgain)) {
        m_parts.window.clearNotice(Notice::Connection);
        m_parts.window.clearNotice(key);
        m_parts.window.setRecentClusters(m_parts.settings.recentClusters());
    } else if (link.error && !link.activity.isEmpty()) {
        // It goes on by itself; what needs a person stands at the chip.
        m_parts.window.updateNotice(key, tr("%1: %2 %3.").arg(link.title, link.error->what, capitalised(link.activity)),
            tr("Connect now"), [this, cluster = link.cluster] { m_parts.connections.connectTo(cluster); });
    }
    if (ClusterSession* its = link.state == LinkState::Online ? m_parts.connections.session(link.cluster) : nullptr)
        m_parts.live.readOutput(*its);
    m_parts.launch.showLaunch();
}

void ConnectionNews::follow(ClusterSession* made)
{
    connect(made, &ClusterSession::ourJobEnded, this, &ConnectionNews::handleJobEnd);
    connect(made, &ClusterSession::queueTroubleChanged, this, [this](const std::optional<Error>& why) {
        if (!why)
            m_parts.window.clearNotice(Notice::Controller);
        else
            m_parts.window.showNotice(Notice::Controller,
                tr("%1 It is asked again automatically; running jobs and watching continue.").arg(why->what));
    });
    connect(made, &ClusterSession::submissionDecided, this,
        [this, made](const QString& entryId, EntryStage stage) { handleDecision(*made, entryId, stage); });
}

void ConnectionNews::handleDecision(ClusterSession& session, const QString& entryId, EntryStage stage)
{
    const auto entry = m_parts.log.find(entryId);
    // The flow of this very run reports its own outcome beside the buttons.
    if (!entry || session.submitFlow().entryId() == entryId)
        return;
    const QString name
        = entry->name.isEmpty() ? tr("An earlier submission") : tr("The submission of “%1”").arg(entry->name);
    m_parts.window.showNotice(Notice::Recovery,
        stage == EntryStage::Known ? tr("%1 was found again: it is job %2.").arg(name, entry->job)
                                   : tr("%1 was not submitted: %2").arg(name, entry->outcome),
        tr("Show jobs"), [this] { m_parts.window.showPage(MainWindow::Page::Jobs); });
    // Shown by now: the same script launched again is another job.
    if (const auto marked = stage == EntryStage::Known ? m_parts.log.markAnswered(entryId) : Result<void>(); !marked)
        qCWarning(logApp) << "job log:" << marked.error().oneLine();
}

bool ConnectionNews::isWatched(const JobId& job, const QString& cluster) const
{
    const JobWatch* its = m_parts.live.watch();
    return its && its->job() == job && m_parts.live.cluster() == cluster;
}

void ConnectionNews::handleJobEnd(const JobRecord& record, const QString& entryId)
{
    const auto entry = m_parts.log.find(entryId);
    const QString name = entry && !entry->name.isEmpty() ? u" (%1)"_s.arg(entry->name) : QString();
    const QString cluster = entry ? entry->cluster : m_parts.design.spec().cluster;
    if (ClusterSession* its = entry ? m_parts.connections.session(cluster) : nullptr)
        m_parts.reports.makeLater(record.id, *its);
    m_parts.window.clearNotice({Notice::RunningJob, cluster + u'/' + record.id});
    // One that was watched is in front of the user already: what comes next is its report.
    const JobWatch* its = m_parts.live.watch();
    const bool seen = isWatched(record.id, cluster);
    const auto say = [this, seen, cluster, name, record](const QList<Diagnosis>& diagnoses) {
        m_parts.window.updateNotice({Notice::JobEnd, record.id},
            tr("Job %1%2: %3").arg(record.id, name, endInWords(record, diagnoses)), seen ? tr("Report") : tr("Show"),
            [this, seen, cluster, job = record.id] {
                seen ? emit reportWanted(job, cluster) : m_parts.jobActions.watch(job, cluster);
            });
    };
    m_parts.window.clearNotice({Notice::JobEnd, record.id});
    say(seen ? its->output().diagnoses() : QList<Diagnosis>());
    if (!seen && record.state != JobState::Completed) // its output is read for its report
        m_withoutCause.insert(cluster + u'/' + record.id, say);
    if (seen) // its output is still read to the end
        connect(&its->output(), &JobOutput::diagnosesChanged, this, say);
}

} // namespace rankwright
