// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/draftcontroller.h"

#include "app/documents/clusterfile.h"
#include "widgets/clusters/comparisondialog.h"
#include "widgets/clusters/draftdialog.h"

#include <QDate>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

/// "login.example.org" -> "example": a first guess that is not in use yet.
QString nameFor(const QString& host, const QStringList& taken)
{
    const QStringList parts = host.toLower().split(u'.', Qt::SkipEmptyParts);
    const bool address = !host.isEmpty() && (host.at(0).isDigit() || host.contains(u':'));
    QString name = parts.size() >= 2 && !address ? parts.at(parts.size() - 2) : parts.value(0);
    if (address || !isClusterName(name))
        name = u"my-cluster"_s;
    const QString base = name;
    for (int number = 2; taken.contains(name); ++number)
        name = base + u'-' + QString::number(number);
    return name;
}

} // namespace

DraftController::DraftController(
    const Catalogue& catalogue, Connections& connections, const QString& folder, QWidget* window, QObject* parent)
    : QObject(parent), m_catalogue(catalogue), m_connections(connections), m_folder(folder), m_window(window)
{
    connect(&m_connections, &Connections::linkChanged, this, [this](const LinkInfo& link) {
        if (link.cluster != m_wanted || m_wanted.isEmpty())
            return;
        if (link.state == LinkState::Online)
            draft(std::exchange(m_wanted, QString()));
        else if (link.error)
            m_wanted.clear(); // the page shows why
    });
}

void DraftController::draft(const QString& cluster)
{
    if (m_connections.isOnline(cluster)) {
        ask(*m_connections.session(cluster), [this, cluster](const ClusterSurvey& survey) { show(survey, cluster); });
        return;
    }
    m_wanted = cluster;
    m_connections.connectTo(cluster);
}

void DraftController::compare(const QString& cluster)
{
    if (!m_connections.isOnline(cluster))
        return;
    ask(*m_connections.session(cluster),
        [this, cluster](const ClusterSurvey& survey) { showComparison(survey, cluster); });
}

void DraftController::ask(ClusterSession& session, const std::function<void(const ClusterSurvey&)>& then)
{
    const RemoteCommand command = surveyCommand();
    session.shell().run(command, session.guard(), [this, command, then](const Result<CommandOutcome>& outcome) {
        if (!outcome) {
            emit failed(outcome.error());
            return;
        }
        const auto survey = readSurvey(outcome->output);
        if (survey)
            then(*survey);
        else
            emit failed(outcome->succeeded() ? survey.error() : outcome->toError(command));
    });
}

void DraftController::showComparison(const ClusterSurvey& survey, const QString& cluster)
{
    const ClusterProfile* entry = m_catalogue.find(cluster);
    if (entry == nullptr)
        return;
    auto* dialog = new ComparisonDialog(entry->title, compareEntry(*entry, survey), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void DraftController::show(const ClusterSurvey& survey, const QString& cluster)
{
    DraftRequest request;
    if (const ClusterProfile* profile = m_catalogue.find(cluster))
        request.login = profile->login;
    if (const auto endpoint = m_connections.endpoint(cluster); endpoint && endpoint->host != request.login.host) {
        request.login = LoginRule();
        request.login.host = endpoint->host;
        if (endpoint->port != 22)
            request.login.port = endpoint->port;
        QStringList jumps;
        for (const SshEndpoint& jump : endpoint->jumps)
            jumps.append(jump.label());
        request.login.jump = jumps.join(u',');
    }
    request.name = nameFor(request.login.host, m_catalogue.names());
    request.day = QDate::currentDate().toString(Qt::ISODate);
    const ClusterDraft made = draftCluster(survey, request, m_catalogue.clusters);
    auto* dialog = new DraftDialog(made, m_folder, m_catalogue.names(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &DraftDialog::saveRequested, this, [this, dialog, cluster](const ClusterProfile& profile) {
        const auto path = saveClusterFile(m_folder, profile);
        if (!path) {
            dialog->showError(path.error());
            return;
        }
        dialog->showSaved(*path);
        m_connections.copyLogin(cluster, profile.name);
        emit entrySaved(profile.name);
    });
    dialog->open();
}

} // namespace rankwright
