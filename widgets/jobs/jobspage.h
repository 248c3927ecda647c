// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/diagnosis.h"
#include "models/tables/jobmodel.h"
#include "widgets/log/offeredchange.h"

#include <QHash>
#include <QWidget>

class QLabel;
class QLineEdit;
class QStackedWidget;

namespace rankwright {

class Card;
class JobDetails;
class RecordTable;

/// The Jobs page: queue and history in one table, with a filter and a panel for the selected job (outcome in words,
/// times, resources, the script as submitted). Shows a JobModel; asks by signals.
class JobsPage final : public QWidget {
    Q_OBJECT
public:
    explicit JobsPage(JobModel& jobs, QWidget* parent = nullptr);

    /// `cluster` empty: of whichever cluster.
    void selectJob(const QString& jobId, const QString& cluster = {});
    /// The selected job's script and design note as kept in the job log; empty when it was not launched here.
    void showScript(const QString& jobId, const QString& script, const QString& cluster = {});
    /// Why the job failed, as its output reports.
    void showDiagnoses(const QString& jobId, const QList<Diagnosis>& diagnoses, const QString& cluster = {});
    /// What would help the next time, beside why it failed; empty: nothing is offered.
    void showChange(const QString& jobId, const std::optional<OfferedChange>& change, const QString& cluster = {});
    /// "asked 3 s ago", "not connected: shown from the job log"
    void setFreshness(const QString& text);

signals:
    // The number alone is ambiguous: every cluster counts its jobs.
    void jobSelected(const QString& jobId, const QString& cluster);
    void watchRequested(const QString& jobId, const QString& cluster);
    void outputRequested(const QString& jobId, const QString& cluster); ///< of a job that has ended
    void cancelRequested(const QString& jobId, const QString& cluster); ///< already confirmed by the user
    /// What is offered for this job is to be written into the design.
    void changeRequested(const QString& jobId, const QString& cluster);
    void refreshRequested();
    void reopenDesignRequested(const QString& entryId);
    void replayRequested(const QString& recording);
    void recordingsRequested();
    void openDesignRequested(); ///< from the empty state
    void reportRequested(const QString& jobId, const QString& cluster);
    void jobFileRequested(const QString& jobId, const QString& cluster); ///< the job as one file
    void resultsRequested(const rankwright::JobRecord& job, const QString& cluster); ///< its files, to be fetched
    void reachRequested(const QString& jobId, const QString& cluster); ///< a shell or a port of its nodes

private:
    Card* buildTableCard();
    QWidget* buildContent();
    void refresh();
    void showSelected();
    void fitColumns();
    void fitColumn(int column);
    void showClusters();
    bool isShown(const QString& jobId, const QString& cluster) const;

    JobModel& m_jobs;
    QStackedWidget* m_pages = nullptr;
    QStackedWidget* m_tablePages = nullptr;
    Card* m_tableCard = nullptr;
    QLineEdit* m_filter = nullptr;
    RecordTable* m_table = nullptr;
    int m_idWidth = 0; ///< that the numbers needed when the column was fitted to them
    int m_nameWidth = 0; ///< that the names were given
    QHash<int, int> m_widths; ///< that the texts of other columns needed
    JobDetails* m_details = nullptr;
};

} // namespace rankwright
