// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/recording/recordedpast.h"
#include "app/report/reportmaker.h"
#include "models/tables/jobmodel.h"
#include "tests/support/madejob.h"

namespace rankwright::test {

/// One statement that stood for some time.
struct Statement {
    Alert alert; ///< in its first words
    double fromS = 0, toS = 0; ///< when it was said first and last
};

/// What the views say of one made-up job: fed as the window is, with the job's time in place of ours. The live page's
/// alerts, progress and failures; the recording that is made meanwhile, and its replay; the report; the row of the Jobs
/// page. What the command line says is made from the same folder.
class JobViews {
public:
    JobViews(const MadeJob& job, const Catalogue& catalogue, QString dataFolder);

    /// From its start to its end.
    void watch();
    /// What a replay of the recording says at moments `everyS` apart.
    QList<Statement> replay(double everyS) const;
    /// After the end, as with a connection: accounting, recording and the end of its output.
    struct Reported {
        ReportInputs inputs;
        EfficiencyReport report;
    };
    Reported report() const;
    JobRow row() const;

    const QList<Statement>& live() const { return m_live; }
    const TrainingProgress& progress() const { return m_progress; }
    const QList<Diagnosis>& failures() const { return m_diagnoses; }
    /// Worked out from the samples themselves.
    struct Sums {
        double energyJoules = 0, use = 0, seconds = 0;
        QList<GpuAddress> unused;
    };
    Sums sums() const;

private:
    class Feed;
    void hear(const QList<Alert>& alerts, double second, QList<Statement>& heard) const;
    JobExpectation expectation(const JobRecord& record) const;

    const MadeJob& m_job;
    const ClusterProfile* m_profile = nullptr;
    QString m_folder;
    QList<Statement> m_live;
    TrainingProgress m_progress;
    QList<Diagnosis> m_diagnoses;
    QByteArray m_output; ///< all that it wrote since its last start
};

} // namespace rankwright::test
