// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/reportmaker.h"

#include <QTimer>

namespace rankwright {

class Connections;

/// Asks for the report of a job that has ended, until it is whole or was asked for often enough: its recording is
/// closed some seconds after the queue says so, and the accounting lags longer. Asks over the connection where there is
/// one, else what is kept on this machine. Lives on the GUI thread.
class ReportWaiter final : public QObject {
    Q_OBJECT
public:
    /// Both references outlive it.
    ReportWaiter(Connections& connections, JobLog& log, const QString& dataFolder, QObject* parent = nullptr);
    ~ReportWaiter() override;

    /// What earlier runs taught, for predictions: asked again each time.
    void setLearned(std::function<CalibrationTable()> learned) { m_learned = std::move(learned); }
    /// Whether a report has all that is waited for.
    using IsWhole = std::function<bool(const EfficiencyReport& report)>;
    /// Begins again; an earlier job is not asked for any more.
    void ask(const QString& cluster, const JobId& job, const IsWhole& isWhole);
    void stop();
    bool isPending() const { return m_isPending; }

signals:
    void reportArrived(const rankwright::EfficiencyReport& report); ///< each one replaces the one before
    void reportsEnded(); ///< it is whole, or is not asked for any more

private:
    void askNow();
    void handleReports(const Result<JobReports>& made);

    Connections& m_connections;
    ReportMaker m_maker;
    std::function<CalibrationTable()> m_learned;
    QString m_cluster;
    JobId m_job;
    IsWhole m_isWhole;
    bool m_isPending = false;
    int m_asked = 0;
    QTimer m_again;
    std::unique_ptr<QObject> m_question; ///< guard of the one under way
};

} // namespace rankwright
