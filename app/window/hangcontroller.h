// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/hanginspection.h"
#include "models/cluster/slurm/jobrecord.h"

#include <QPointer>
#include <QTimer>

#include <functional>

namespace rankwright {

class ClusterSession;
class Connections;
class HangDialog;
class LivePage;

/// "Where does it hang?" of the job that the Live page shows: one inspection at a time over its cluster's connection,
/// its dialog, what the dialog's words show on the page. Lives on the GUI thread.
class HangController final : public QObject {
    Q_OBJECT
public:
    /// All outlive it. `cluster`: of the page's job just now.
    HangController(Connections& connections, LivePage& page, std::function<QString()> cluster, QWidget& window,
        QObject* parent = nullptr);
    ~HangController() override;

    /// Opens the dialog for the job shown, and inspects it, unless that is under way. Where it cannot begin, the
    /// dialog says why.
    void open();
    /// Why no inspection of the job shown can begin; empty: it can.
    QString whyNot() const;
    /// Null before the first open().
    HangDialog* dialog() const;

private:
    void buildDialog();
    void inspect();
    void cancel();
    void refresh();
    void forget(ClusterSession& session);
    QString whyNot(const QString& cluster) const;

    Connections& m_connections;
    LivePage& m_page;
    std::function<QString()> m_cluster;
    QWidget& m_window;
    QPointer<HangDialog> m_dialog;
    QString m_job, m_jobsCluster; ///< of the dialog
    qsizetype m_nodes = 0; ///< that are asked now
    QPointer<ClusterSession> m_session; ///< of m_inspection
    std::unique_ptr<HangInspection> m_inspection;
    QTimer m_seconds;
};

} // namespace rankwright
