// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/connections.h"

#include "app/window/links/closingquestion.h"
#include "models/core/logging.h"
#include "widgets/clusters/connectdialog.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

ConnectForm formOf(const ClusterProfile& profile, const std::optional<SavedLogin>& saved)
{
    ConnectForm form;
    if (saved) {
        form.host = saved->host;
        form.port = saved->port;
        form.user = saved->user;
        form.identity = saved->identity;
        form.jump = saved->jump;
    } else {
        form.host = profile.login.host;
        form.port = profile.login.port.value_or(22);
        form.jump = profile.login.jump;
    }
    return form;
}

} // namespace

Connections::Connections(const Catalogue& catalogue, JobLog& log, Settings& settings, QWidget* window, QObject* parent)
    : QObject(parent), m_catalogue(catalogue), m_log(log), m_settings(settings), m_window(window), m_prompts(window)
{
    connect(this, &Connections::linkChanged, this, [this](const LinkInfo& link) {
        if (link.error)
            m_failures.insert(link.cluster, *link.error);
        else
            m_failures.remove(link.cluster);
        if (link.state == LinkState::Connecting)
            m_activities.insert(link.cluster, link.activity);
        else
            m_activities.remove(link.cluster);
        if (link.state == LinkState::Online)
            m_settings.addRecentCluster(link.cluster);
    });
    connect(&m_practice, &PracticeCluster::progressed, this, [this](const PracticeStep& step) {
        const double fraction = step.of > 0 ? double(step.number) / step.of : 0;
        reportActivity(QString::fromUtf16(practiceName),
            tr("%1 (%2 of %3)").arg(step.text).arg(step.number).arg(step.of), fraction);
    });
}

Connections::~Connections() { closeAll(); }

void Connections::closeAll()
{
    while (!m_sessions.empty())
        dropSession(m_sessions.begin()->first);
}

ClusterSession* Connections::session(const QString& cluster) const
{
    const auto found = m_sessions.find(cluster);
    return found == m_sessions.end() ? nullptr : found->second.get();
}

bool Connections::isOnline(const QString& cluster) const
{
    const ClusterSession* found = session(cluster);
    return found && found->isOnline();
}

std::optional<SshEndpoint> Connections::endpoint(const QString& cluster) const
{
    const auto found = m_endpoints.find(cluster);
    return found == m_endpoints.end() ? std::nullopt : std::optional(found->second);
}

std::optional<QString> Connections::activity(const QString& cluster) const
{
    const auto found = m_activities.constFind(cluster);
    return found == m_activities.cend() ? std::nullopt : std::optional(*found);
}

std::optional<Error> Connections::failure(const QString& cluster) const
{
    const auto found = m_failures.constFind(cluster);
    return found == m_failures.cend() ? std::nullopt : std::optional(*found);
}

QList<ClusterSession*> Connections::sessions() const
{
    QList<ClusterSession*> all;
    for (const auto& [name, session] : m_sessions)
        all.append(session.get());
    return all;
}

void Connections::connectTo(const QString& cluster)
{
    const ClusterProfile* profile = m_catalogue.find(cluster);
    if (!profile || isOnline(cluster))
        return;
    if (cluster == QString::fromUtf16(practiceName)) {
        startPractice();
        return;
    }
    const auto saved = m_settings.login(cluster);
    if (!saved || m_askAgain.contains(cluster))
        askForm(*profile);
    else
        resolve(*profile, requestFor(*profile, {}, saved));
}

void Connections::askForm(const ClusterProfile& profile)
{
    auto* dialog = new ConnectDialog(profile.title, formOf(profile, m_settings.login(profile.name)), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (const auto why = failure(profile.name))
        dialog->showFailure(*why);
    connect(dialog, &QDialog::accepted, this, [this, dialog, name = profile.name] {
        const ConnectForm form = dialog->form();
        const SavedLogin login{form.host, form.port, form.user, form.identity, form.jump};
        m_settings.setLogin(name, login);
        if (const ClusterProfile* now = m_catalogue.find(name))
            resolve(*now, requestFor(*now, {}, login));
    });
    connect(dialog, &QDialog::rejected, this, [this, name = profile.name] { emit loginDeclined(name); });
    dialog->open();
}

void Connections::resolve(const ClusterProfile& profile, const SshRequest& request)
{
    reportActivity(profile.name, tr("reading the SSH configuration"));
    // By name: the catalogue may change until the answer is there.
    resolveAsync(request, this, [this, name = profile.name](const Result<SshEndpoint>& endpoint) {
        const ClusterProfile* now = m_catalogue.find(name);
        if (endpoint && now)
            openSession(*now, *endpoint);
        else if (!endpoint)
            reportOffline(name, endpoint.error());
    });
}

void Connections::openSession(const ClusterProfile& profile, const SshEndpoint& endpoint)
{
    const auto known = m_endpoints.find(profile.name);
    ClusterSession* existing = session(profile.name);
    if (existing && known != m_endpoints.end() && known->second == endpoint) {
        existing->open();
        return;
    }
    auto made = makeSshSession(profile, endpoint, m_log);
    dropSession(profile.name);
    m_endpoints[profile.name] = endpoint;
    begin(std::move(made));
}

void Connections::begin(std::unique_ptr<ClusterSession> made)
{
    ClusterSession* opened = made.get();
    const QString cluster = opened->profile().name;
    if (session(cluster))
        dropSession(cluster);
    m_sessions[cluster] = std::move(made);
    opened->shell().noteIn(&m_sent, cluster);
    connect(opened, &ClusterSession::promptRaised, this, [this, opened](const LoginPrompt& prompt) {
        m_prompts.ask(prompt, opened, [opened](quint64 id, const PromptAnswer& answer) { opened->answer(id, answer); });
    });
    connect(opened, &ClusterSession::linkChanged, this, [this](const LinkInfo& link) {
        if (link.state == LinkState::Online)
            m_askAgain.removeAll(link.cluster);
        else if (link.error && !link.waitsForPerson && !m_askAgain.contains(link.cluster))
            m_askAgain.append(link.cluster);
        emit linkChanged(link);
    });
    emit sessionMade(opened);
    opened->open();
}

void Connections::copyLogin(const QString& from, const QString& to)
{
    if (const auto known = m_settings.login(from); known && !m_settings.login(to))
        m_settings.setLogin(to, *known);
}

void Connections::disconnectFrom(const QString& cluster)
{
    if (!session(cluster))
        return;
    dropSession(cluster);
    reportOffline(cluster, std::nullopt);
}

void Connections::dropSession(const QString& cluster)
{
    const auto found = m_sessions.find(cluster);
    if (found == m_sessions.end())
        return;
    emit sessionEnding(found->second.get());
    found->second->disconnect(this);
    found->second->close();
    m_endpoints.erase(cluster);
    // Now, so that every command on the cluster ends before anything new begins.
    const std::unique_ptr<ClusterSession> gone = std::move(found->second);
    m_sessions.erase(found);
}

void Connections::startPractice()
{
    if (m_practice.isBusy())
        return;
    reportActivity(QString::fromUtf16(practiceName), tr("looking for the practice cluster"));
    m_practice.status(this, [this](const Result<PracticeStatus>& status) {
        if (status && status->running && status->json.value(u"healthy"_s).toBool(true)) {
            connectPractice(*status);
            return;
        }
        reportActivity(QString::fromUtf16(practiceName), tr("starting the practice cluster"), 0.0);
        m_practice.up(this, [this](const Result<PracticeStatus>& started) {
            if (started)
                connectPractice(*started);
            else
                reportPractice(started.error());
        });
    });
}

void Connections::connectPractice(const PracticeStatus& status)
{
    const ClusterProfile* profile = m_catalogue.find(QString::fromUtf16(practiceName));
    if (!profile) {
        reportPractice(
            {Fault::Invalid, tr("The catalogue has no practice cluster."), {}, tr("Install Rankwright again.")});
        return;
    }
    emit practiceReady(status);
    resolve(*profile, requestFor(status, {}));
}

void Connections::stopPractice()
{
    QStringList running;
    if (const ClusterSession* its = session(QString::fromUtf16(practiceName))) {
        for (const JobRecord& record : its->queue()) {
            if (!hasEnded(record.state))
                running.append(record.id);
        }
    }
    if (running.isEmpty() || !m_window)
        stopPracticeNow();
    else
        askBeforeStopping(*m_window, running, [this] { stopPracticeNow(); });
}

void Connections::stopPracticeNow()
{
    disconnectFrom(QString::fromUtf16(practiceName));
    if (m_practice.isBusy())
        return;
    reportActivity(QString::fromUtf16(practiceName), tr("stopping the practice cluster"));
    m_practice.down(this, [this](const Result<PracticeStatus>& status) {
        reportOffline(QString::fromUtf16(practiceName), status ? std::nullopt : std::optional(status.error()));
    });
}

void Connections::reportPractice(const Error& why) { reportOffline(QString::fromUtf16(practiceName), why); }

void Connections::reportActivity(const QString& cluster, const QString& activity, std::optional<double> fraction)
{
    const ClusterProfile* profile = m_catalogue.find(cluster);
    LinkInfo link;
    link.cluster = cluster;
    link.title = profile ? profile->title : cluster;
    link.state = LinkState::Connecting;
    link.activity = activity;
    link.activityFraction = fraction;
    emit linkChanged(link);
}

void Connections::reportOffline(const QString& cluster, const std::optional<Error>& why)
{
    const ClusterProfile* profile = m_catalogue.find(cluster);
    LinkInfo link;
    link.cluster = cluster;
    link.title = profile ? profile->title : cluster;
    link.error = why;
    emit linkChanged(link);
    if (!why)
        return;
    qCInfo(logApp) << cluster << ":" << why->oneLine();
    if (!m_askAgain.contains(cluster))
        m_askAgain.append(cluster);
    emit failed(cluster, *why);
}

} // namespace rankwright
