// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfile.h"
#include "app/report/reportmaker.h"
#include "models/script/document/design.h"

#include <QPointer>

namespace rankwright::inline tables {
struct JobRow;
} // namespace rankwright::inline tables

namespace rankwright {

class ClusterSession;
class JobLog;
class ReportDialog;

/// Shows the report of a job: asks the cluster where it is connected, else takes what is kept here; compares it with
/// ended jobs of the same name; saves, prints, and writes an advice into the design as one undo step. Owns the dialog.
class ReportController final : public QObject {
    Q_OBJECT
public:
    ReportController(const Catalogue& catalogue, Design& design, const JobLog& log, const QString& dataFolder,
        QWidget& window, QObject* parent = nullptr);
    ~ReportController() override;

    /// Of whom the sentence to acknowledge says that it was their course; `given`: its wording. Empty: none.
    void setCourse(const QString& name, const QString& given);
    /// `rows`: jobs that are known of this cluster; `session` null or offline: from what is kept.
    void open(const QString& cluster, const JobId& job, const QList<JobRow>& rows, ClusterSession* session);
    /// Of the job of a job file, from what is in it alone; no cluster is asked, whatever it is called.
    void openFile(const std::shared_ptr<const JobFile>& file);
    /// The report of a file is closed; another one stays.
    void closeFile();
    /// A job of ours has ended: asks once what it used, so that its report can be had later without a connection.
    void makeLater(const JobId& job, ClusterSession& session);
    ReportDialog* dialog() const; ///< null before the first report

signals:
    void jobFileRequested(const QString& job, const QString& cluster); ///< the job as one file
    /// What a job of makeLater() failed of, as its output says.
    void causesFound(const QString& job, const QString& cluster, const QList<rankwright::Diagnosis>& causes);

private:
    void show();
    void leaveFile();
    void askFile();
    void askReport();
    void show(const JobReports& made);
    void saveMarkdown();
    void savePdf();
    void print();
    void save(const QString& title, const QString& suffix, const std::function<Result<void>(const QString&)>& write);
    void apply(const ReportAdvice& advice);

    const Catalogue& m_catalogue;
    QString m_course, m_given;
    Design& m_design;
    ReportMaker m_maker;
    QString m_dataFolder;
    QWidget& m_window;
    QPointer<ReportDialog> m_dialog;
    std::shared_ptr<const JobFile> m_file; ///< that is reported on; null: a job of ours
    std::unique_ptr<ReportMaker> m_fileMaker;
    QPointer<ClusterSession> m_session;
    QString m_cluster;
    QList<JobId> m_jobs; ///< the one that is shown first, then those it is compared with
    JobReports m_made;
    std::unique_ptr<QObject> m_question; ///< guard: a newer question drops the answer of the one before
};

/// Ended jobs of the same name on the same cluster, newest first, to compare with: at most `most`, the job itself
/// first.
QList<JobId> comparableJobs(const QList<JobRow>& rows, const QString& cluster, const JobId& job, int most = 16);

} // namespace rankwright
