// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/submit/upload.h"

#include <QPointer>

namespace rankwright {

class ClusterSession;
class MainWindow;
class UploadDialog;

/// Copies what a person chooses to a job's folder: dialog, transfer, outcome. One at a time. Lives on the GUI thread.
class UploadController final : public QObject {
    Q_OBJECT
public:
    explicit UploadController(MainWindow& window, QObject* parent = nullptr);
    ~UploadController() override;

    /// Opens the dialog. `why` is shown in it; `folder` empty: the home folder; `from`: folder of this machine to
    /// choose from; `proposed`: what is listed already, may be empty.
    void open(ClusterSession& session, const QString& folder, const QString& why, const QString& from,
        const QString& proposed = {});

signals:
    void filesUploaded(const QString& cluster);
    void uploadAbandoned(); ///< the dialog was closed before all was there

private:
    void listPaths(const QStringList& paths);
    void send(const QStringList& paths);
    void finish(const Result<UploadSummary>& outcome);

    MainWindow& m_window;
    QPointer<ClusterSession> m_session;
    QString m_folder;
    QPointer<UploadDialog> m_dialog;
    std::unique_ptr<Upload> m_upload;
    int m_listingRound = 0; ///< paths that were chosen before are not reported any more
};

} // namespace rankwright
