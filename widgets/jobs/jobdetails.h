// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/diagnosis.h"
#include "models/tables/jobmodel.h"
#include "widgets/log/offeredchange.h"

#include <QFrame>

class QLabel;
class QMenu;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTabWidget;

namespace rankwright {

class DiagnosisStrip;
class FactGrid;

/// One job in words: outcome or reason, resources, times, use of the time limit, and the script as submitted. What can
/// be done with it as buttons.
class JobDetails final : public QFrame {
    Q_OBJECT
public:
    explicit JobDetails(QWidget* parent = nullptr);

    void showJob(const JobRow* row); ///< null: nothing selected
    void showScript(const QString& script);
    /// Known failures in its output; empty: none, or not looked for.
    void showDiagnoses(const QList<Diagnosis>& diagnoses);
    /// Beside them; empty: nothing is offered.
    void showChange(const std::optional<OfferedChange>& change);
    QString jobId() const { return m_row.job.id; }
    const QString& cluster() const { return m_row.cluster; }
    /// Enter on the table's row: watch when it runs, replay when it was recorded, else nothing.
    void activate();
    /// What the buttons do, for a menu at the job's row.
    void fillMenu(QMenu& menu);

signals:
    void watchClicked(const QString& jobId, const QString& cluster);
    void outputClicked(const QString& jobId, const QString& cluster);
    void cancelClicked(const rankwright::JobRecord& job);
    void reopenClicked(const QString& entryId);
    void replayClicked(const QString& recording);
    void reportClicked(const QString& jobId, const QString& cluster);
    void jobFileClicked(const QString& jobId, const QString& cluster); ///< the job as one file
    void resultsClicked(const rankwright::JobRecord& job, const QString& cluster); ///< its files, to be fetched
    void reachClicked(const QString& jobId, const QString& cluster); ///< a shell or a port of its nodes
    void changeClicked(); ///< the one that is offered is to be written into the design

private:
    QWidget* buildHead();
    QWidget* buildFacts();
    QWidget* buildScript();
    void fillFacts();
    void fillLimit();

    JobRow m_row;
    bool m_any = false;
    QLabel* m_name = nullptr;
    QLabel* m_state = nullptr;
    QPushButton* m_watch = nullptr;
    QPushButton* m_output = nullptr;
    QPushButton* m_replay = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_reopen = nullptr;
    QPushButton* m_report = nullptr;
    QPushButton* m_jobFile = nullptr;
    QPushButton* m_reach = nullptr;
    QPushButton* m_results = nullptr;
    QList<QPushButton*> m_buttons; ///< all of them, in their order
    QTabWidget* m_tabs = nullptr;
    QLabel* m_outcome = nullptr;
    DiagnosisStrip* m_cause = nullptr;
    FactGrid* m_facts = nullptr;
    QProgressBar* m_limitBar = nullptr;
    QLabel* m_limitText = nullptr;
    QPlainTextEdit* m_script = nullptr;
};

/// How much of its time limit a job used, in a sentence with what that means; empty when either is not known.
QString limitUseText(const JobRecord& job);

} // namespace rankwright
