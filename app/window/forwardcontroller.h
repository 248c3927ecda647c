// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/forward/portforwards.h"
#include "app/window/links/connections.h"
#include "models/cluster/forward/servicefinder.h"
#include "widgets/forward/reachdialog.h"

#include <QPointer>

#include <functional>
#include <map>

namespace rankwright {

class HeatMapView;

/// Ports and shells of running jobs: the dialog, the forwarded ports of all clusters, the terminal program. Ports end
/// with their job and with their session. Tokens of services are kept in memory alone: they go to the clipboard when
/// asked for, and nowhere else. Lives on the GUI thread.
class ForwardController final : public QObject {
    Q_OBJECT
public:
    /// `dataFolder`: where the headless program in a terminal keeps what it records, as this one; empty: its default.
    ForwardController(Connections& connections, Settings& settings, QWidget& window, const QString& dataFolder = {},
        QObject* parent = nullptr);
    ~ForwardController() override;

    /// Opens the dialog for a running job of a connected cluster; `node` empty: its first.
    void open(const QString& job, const QString& cluster, const QString& node = {},
        ReachDialog::Page page = ReachDialog::Page::Ports);
    /// A shell on a node of it, in a terminal of the user's.
    void openShell(const QString& job, const QString& cluster, const QString& node);
    /// Adds both to the context menu of a map of GPUs; the functions say whose it is just now.
    void serve(HeatMapView& map, const std::function<QString()>& job, const std::function<QString()>& cluster);
    /// Null before the first open().
    ReachDialog* dialog() const { return m_dialog; }
    PortForwards* forwards(const QString& cluster) const;
    /// The words of the shell's own program.
    QStringList shellWords(const QString& job, const QString& cluster, const QString& node) const;

signals:
    /// A sentence for the window: what could not be done.
    void refused(const QString& why);

private:
    struct Reached {
        std::unique_ptr<PortForwards> forwards;
        QPointer<ClusterSession> session;
    };
    void addSession(ClusterSession& session);
    void forget(ClusterSession& session);
    void buildDialog();
    void show(const JobRecord& record, const QString& cluster, const QString& node, ReachDialog::Page page);
    void seekServices(const JobRecord& record, ClusterSession& session);
    void refreshRows();
    void refreshLines();
    void forward(const QString& node, int port, int localPort);
    void openInBrowser(quint64 id);
    void copyAddress(quint64 id);
    void copyText(const QString& text);
    std::optional<LoginName> loginOf(const QString& cluster) const;
    FoundService serviceOf(const PortForward& forward) const;
    /// Rows of several clusters: which, and its id there.
    PortForward* find(quint64 row) const;
    quint64 rowOf(const QString& cluster, quint64 id);

    Connections& m_connections;
    Settings& m_settings;
    QWidget& m_window;
    const QString m_dataFolder;
    std::map<QString, Reached> m_reached; ///< by cluster
    QPointer<ReachDialog> m_dialog;
    QString m_cluster; ///< of the dialog's job
    JobRecord m_job;
    ServiceFinder m_finder;
    std::unique_ptr<QObject> m_question; ///< guard of what is asked for the dialog
    QHash<quint64, std::pair<QString, quint64>> m_rows;
    quint64 m_lastRow = 0;
    QTimer m_refresh;
};

} // namespace rankwright
