// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/reportinputs.h"
#include "app/store/usagefiles.h"
#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/remote/remoteshell.h"
#include "models/planner/design/jobspec.h"

namespace rankwright::inline cluster {
class SlurmClient;
} // namespace rankwright::inline cluster

namespace rankwright {

class JobLog;

/// Reports on some jobs of one cluster, and their speed-up.
struct JobReports {
    QList<EfficiencyReport> reports; ///< in the order asked for
    SpeedupTable speedup;
    QStringList notes; ///< what could not be asked, one sentence each
    QString acknowledgement; ///< for papers, in the words of the site or a class; filled by those who know them
    QList<JobId> missing; ///< asked for, but unknown to queue, accounting and recordings; each has a note
    QDateTime keptSince; ///< the oldest answer, when the cluster was not asked; else invalid
};

/// Of which jobs the recordings' samples are added up: seconds each where there are thousands of GPUs.
enum class SumUp {
    None, ///< only what the jobs used is wanted
    First, ///< the others are there to be compared in speed
    All,
};

/// Makes reports: asks the cluster what jobs used and what the ends of their outputs say, adds what this machine keeps
/// (recording, design, predictions), and keeps the answers so that the same can be had offline. Does not show, does not
/// connect. Lives on the GUI thread, and reads recordings on another one: destroying a question's guard stops that.
class ReportMaker final : public QObject {
    Q_OBJECT
public:
    /// `log` may be null: no designs are known then. All must outlive this object.
    ReportMaker(const Catalogue& catalogue, const JobLog* log, QString dataFolder, QObject* parent = nullptr);

    /// What earlier runs taught, for predictions as the window shows them.
    void setLearned(const CalibrationTable& learned) { m_learned = learned; }
    /// Brings the records that jobs wrote of themselves into this machine's recordings, before these are read; `then`
    /// is called in any case. Without it only what was watched counts.
    using BringRecords = std::function<void(
        const QString& cluster, const QList<JobRecord>& jobs, QObject* guard, std::function<void()> then)>;
    void setRecordSource(BringRecords bring) { m_bring = std::move(bring); }
    /// Adds what is known of a job from elsewhere, such as from a job file, to what this machine keeps.
    void setFurtherEvidence(std::function<void(const JobRecord& job, JobEvidence& evidence)> further)
    {
        m_further = std::move(further);
    }
    /// Over the connection. Error: the cluster does not answer, or neither it nor this machine knows a job.
    void make(SlurmClient& client, RemoteShell& shell, const QString& cluster, const QList<JobId>& jobs, SumUp sums,
        QObject* guard, Then<JobReports> then);
    /// From what is kept on this machine. Error: nothing is kept of a job.
    void makeOffline(
        const QString& cluster, const QList<JobId>& jobs, SumUp sums, QObject* guard, Then<JobReports> then);
    /// The same while the caller waits: for programs without a window.
    Result<JobReports> makeOfflineNow(const QString& cluster, const QList<JobId>& jobs) const;
    /// Is enough kept of all these jobs?
    bool canOffline(const QString& cluster, const QList<JobId>& jobs) const;

signals:
    /// 0..1 of the samples that a question adds up.
    void sumProgressed(double share);

private:
    struct Question;
    using Evidence = QList<JobEvidence>; ///< of some jobs, in their order
    void readRecordings(const QString& cluster, const QList<JobUsage>& jobs, SumUp sums, QObject* guard,
        std::function<void(const Evidence&)> then);
    Result<QList<StoredUsage>> keptOf(const QString& cluster, const QList<JobId>& jobs) const;
    JobReports offlineReports(const QString& cluster, const QList<StoredUsage>& usages, const Evidence& recorded) const;
    void askUnknown(const std::shared_ptr<Question>& question);
    void askRecords(const std::shared_ptr<Question>& question);
    static void sortAsAsked(Question& question);
    void askOutputs(const std::shared_ptr<Question>& question);
    void finish(const std::shared_ptr<Question>& question);
    /// Adds what is known beside the recording.
    JobEvidence completed(JobEvidence recorded, const QString& cluster, const JobRecord& job) const;
    Result<std::optional<StoredUsage>> kept(const QString& cluster, const JobId& job) const;
    JobReports reportsOf(const QString& cluster, const QList<JobCase>& cases) const;

    const Catalogue& m_catalogue;
    const JobLog* m_log = nullptr;
    QString m_dataFolder;
    CalibrationTable m_learned;
    BringRecords m_bring;
    std::function<void(const JobRecord&, JobEvidence&)> m_further;
};

/// Writes an advice into a design. False: it names no field, or one that is not the design's.
bool applyAdvice(JobSpec& spec, const ReportAdvice& advice);

} // namespace rankwright
