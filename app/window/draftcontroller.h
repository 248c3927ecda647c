// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/links/connections.h"
#include "models/cluster/draft/clusterdraft.h"

#include <functional>

namespace rankwright {

/// “Add my cluster” and “Compare…”: asks a connected cluster what its Slurm knows, shows the drafted entry, saves it on
/// request. When the cluster is not connected, it is connected to first. Lives on the GUI thread.
class DraftController final : public QObject {
    Q_OBJECT
public:
    /// `folder`: where the user's cluster files lie.
    DraftController(const Catalogue& catalogue, Connections& connections, const QString& folder, QWidget* window,
        QObject* parent = nullptr);

    void draft(const QString& cluster);
    /// Shows in what the entry of a connected cluster differs from what its Slurm reports; nothing without connection.
    void compare(const QString& cluster);

signals:
    /// An entry of this name was written into the user's folder.
    void entrySaved(const QString& cluster);
    void failed(const rankwright::Error& why);

private:
    void ask(ClusterSession& session, const std::function<void(const ClusterSurvey&)>& then);
    void show(const ClusterSurvey& survey, const QString& cluster);
    void showComparison(const ClusterSurvey& survey, const QString& cluster);

    const Catalogue& m_catalogue;
    Connections& m_connections;
    QString m_folder;
    QPointer<QWidget> m_window;
    QString m_wanted; ///< cluster that is to be asked as soon as it is connected
};

} // namespace rankwright
