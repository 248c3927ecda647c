// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/transfer/filetransfer.h"
#include "models/cluster/slurm/jobrecord.h"
#include "widgets/files/filespage.h"
#include "widgets/files/transferlist.h"

#include <QDialog>
#include <QPointer>

#include <functional>
#include <map>

namespace rankwright {

class ClusterSession;
class MainWindow;

/// Files of the connected clusters: a window with the page per cluster, transfers with their questions, results of a
/// job. Transfers that a lost connection broke go on when it is there again. Lives on the GUI thread.
class FilesController final : public QObject {
    Q_OBJECT
public:
    explicit FilesController(MainWindow& window, QObject* parent = nullptr);
    ~FilesController() override;

    /// Shows the cluster's files; in `folder`, or in its first place when that is empty.
    void open(ClusterSession& session, const QByteArray& folder = {});
    /// The page of a cluster; null before it was opened.
    FilesPage* page(const QString& cluster) const;
    /// What a job left, to be ticked; then it is fetched.
    void downloadResults(ClusterSession& session, const JobRecord& job);
    /// What would be sent is shown first.
    void upload(ClusterSession& session, const QStringList& paths, const QByteArray& folder);

private:
    using Maker = std::function<std::unique_ptr<FileTransfer>(RemoteShell& shell)>;
    struct Transfer {
        TransferRow row;
        Maker maker;
        QByteArray folder; ///< on the cluster, of an upload; for warnings
        QStringList leaves; ///< of a download: the files and folders that it makes here
        std::optional<bool> replaceNewer; ///< a person has let it go
        bool isWaiting = false; ///< for the connection
        std::unique_ptr<FileTransfer> work;
    };
    /// One cluster's window.
    struct View {
        QPointer<ClusterSession> session;
        QPointer<QDialog> dialog;
        FilesPage* page = nullptr;
        QList<StorageRoom> rooms;
        std::map<int, Transfer> transfers;
    };
    View& viewOf(ClusterSession& session);
    void list(const QString& cluster, const QByteArray& folder);
    void chooseUpload(
        const QString& cluster, const QStringList& paths, const QByteArray& folder, FilesPage::UploadChoice choice);
    void chooseDownload(const QString& cluster, const QByteArray& folder, const QList<QByteArray>& names);
    Transfer& add(const QString& cluster, const QString& title, const QByteArray& folder, Maker maker);
    void addDownload(const QString& cluster, const QString& title, const QByteArray& folder,
        const QList<QByteArray>& names, const QString& target);
    void beginTransfer(const QString& cluster, int id);
    void handlePlan(const QString& cluster, int id, const TransferPlan& plan);
    void handleEnd(const QString& cluster, int id, const Result<TransferSummary>& outcome);
    void cancel(const QString& cluster, int id);
    void show(const QString& cluster, int id, TransferRow::State state, const QString& text);
    Transfer* find(const QString& cluster, int id);
    void followLink(const QString& cluster, LinkState state);

    MainWindow& m_window;
    std::map<QString, View> m_views;
    int m_nextId = 1;
};

} // namespace rankwright
