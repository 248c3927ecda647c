// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/reportwaiter.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/teaching/classroom/classcheck.h"

#include <QHash>

namespace rankwright {

/// What checks of a class can know of a job: from its record and, where there is one, its report. Whether it resumed
/// from a checkpoint stands in no report: that comes from its output (ClassMeter).
RunFacts runFacts(const JobRecord& record, const EfficiencyReport* report);
/// Why a job that has ended did not complete: the line of its output and what to change where a failure was found
/// there, else Slurm's words. A diagnosis that is known already stands.
void addFailure(RunFacts& facts, const JobRecord& record, const QList<Diagnosis>& diagnoses);

/// Gathers what reports say of the jobs of a class that have ended, also of those that were not watched. Lives on the
/// GUI thread.
class ClassRuns final : public QObject {
    Q_OBJECT
public:
    /// Both references outlive it.
    ClassRuns(Connections& connections, JobLog& log, const QString& dataFolder, QObject* parent = nullptr);
    ~ClassRuns() override;

    /// A job that has ended; one that is asked for already is not asked for twice.
    void ask(const QString& cluster, const JobId& job);
    /// The class was left: nothing is wanted any more.
    void clear();

signals:
    void factsReported(const rankwright::RunFacts& facts);

private:
    Connections& m_connections;
    JobLog& m_log;
    QString m_dataFolder;
    QHash<JobId, ReportWaiter*> m_waiters; ///< children
};

} // namespace rankwright
