// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/cluster/slurm/slurmclient.h"
#include "models/core/fixedword.h"

#include <QObject>

#include <functional>

namespace rankwright {

class Database;

/// What is known of one submission. Known, Refused and Absent are final but for one correction: a job that turns up
/// after all makes any entry Known.
enum class EntryStage {
    Recorded, ///< written, nothing sent yet
    Sending, ///< from here on the cluster may have it
    Known, ///< has a job id
    Refused, ///< the scheduler refused it: nothing was queued
    Unknown, ///< the link was lost before the answer
    Absent ///< searched for by its token and not there: not submitted
};
QString toText(EntryStage stage);
EntryStage entryStageFrom(const QString& text);

struct JobLogEntry {
    QString id;
    SubmissionToken token;
    QString cluster;
    QString name;
    QByteArray design; ///< design file (JSON) as it was
    QByteArray script; ///< as sent
    QString scriptHash; ///< SHA-256 of `script`, hexadecimal
    QString workdir;
    QDateTime created;
    QDateTime heard; ///< when the cluster reported its state last, to a minute; before that, when it was written
    QString owner; ///< the process that wrote it (ownProcessMark)
    EntryStage stage = EntryStage::Recorded;
    bool answerLost = false; ///< whoever sent it had no answer (was Unknown once): no answer told the id
    JobId job; ///< empty until Known
    JobState state = JobState::Unknown; ///< last one reported by the cluster
    QString outcome; ///< in words, once it ended or was refused
    bool isResolved() const
    {
        return stage == EntryStage::Known || stage == EntryStage::Refused || stage == EntryStage::Absent;
    }
};
/// A living program of this machine, maybe this one, still awaits its answer and reports it by itself.
bool isAwaited(const JobLogEntry& entry);

/// What can happen to an entry.
enum class JobLogEventKind {
    Recorded, ///< these six: it came to the stage of the same name
    Sending,
    Known,
    Refused,
    Unknown,
    Absent,
    Answered, ///< whoever submitted was given the job's id
    State ///< the cluster reported a state
};
/// As the database has it: "recorded". Empty: no kind has that number.
QStringView wordOf(JobLogEventKind kind);

/// One thing that happened to an entry.
struct JobLogEvent {
    QDateTime time;
    FixedWord<JobLogEventKind> kind;
    QString text;
};

struct NewSubmission {
    SubmissionToken token;
    QString cluster;
    QString name;
    QByteArray design;
    QByteArray script;
    QString workdir;
};

/// The job log: every submission, on disk before anything is sent, then what became of it. Each call is one committed
/// transaction. Does not decide when to send or to search (SubmitFlow, Recovery). Lives on its Database's thread.
class JobLog final : public QObject {
    Q_OBJECT
public:
    explicit JobLog(Database& database, QObject* parent = nullptr);

    /// The folder that its database lies in.
    QString dataFolder() const;
    /// A moment of the log, for knownSince(): grows with every event, whatever the clocks of two machines say.
    Result<qint64> lastEvent() const;
    /// The moment at which this program opened it.
    qint64 openedAt() const { return m_openedAt; }

    /// Writes a new entry; when this returns, it is on the disk.
    Result<JobLogEntry> record(const NewSubmission& submission);
    /// The same if `isFree` says so, asked in the very transaction that writes: no other program writes in between.
    /// Empty: it was not free.
    Result<std::optional<JobLogEntry>> recordIf(
        const NewSubmission& submission, const std::function<Result<bool>()>& isFree);
    /// Recorded -> Sending, only then: an entry that someone else has decided about meanwhile must not be sent any
    /// more.
    Result<void> markSending(const QString& id);
    Result<void> markKnown(const QString& id, const JobId& job);
    /// Whoever submitted has been given the job's id: the same script sent again is another job.
    Result<void> markAnswered(const QString& id);
    Result<void> markRefused(const QString& id, const Error& why);
    Result<void> markUnknown(const QString& id, const Error& why);
    Result<void> markAbsent(const QString& id, const QString& why);
    /// A state reported by the cluster; one that is known is noted as heard of, once a minute.
    Result<void> noteState(const QString& id, JobState state, const QString& outcome = {});

    Result<JobLogEntry> find(const QString& id) const;
    /// Empty list: none. Job ids start again when a cluster is set up again, so there may be several: newest first.
    Result<QList<JobLogEntry>> withJob(const QString& cluster, const JobId& job) const;
    Result<QList<JobLogEntry>> withToken(const SubmissionToken& token) const;
    // The lists below leave design and script empty, since they are asked for at every poll; find() has them.
    /// Newest first; an empty cluster means all.
    Result<QList<JobLogEntry>> newest(const QString& cluster, int limit) const;
    /// The newest that went to the cluster (not refused, not known to have never arrived): of this name if there is
    /// one, else of any. With design and script; empty: nothing did.
    Result<std::optional<JobLogEntry>> lastSent(const QString& cluster, const QString& name) const;
    /// Not decided yet, oldest first.
    Result<QList<JobLogEntry>> unresolved(const QString& cluster) const;
    /// Known, but whoever submitted was never given the id, since the program ended before (markAnswered), newest
    /// first.
    Result<QList<JobLogEntry>> unanswered(const QString& cluster, const QString& scriptHash) const;
    /// Of this script, with a job id that became known since that moment, newest first.
    Result<QList<JobLogEntry>> knownSince(const QString& cluster, const QString& scriptHash, qint64 event) const;
    /// Known to the cluster and not seen to end, oldest first.
    Result<QList<JobLogEntry>> unended(const QString& cluster) const;
    Result<QList<JobLogEvent>> events(const QString& id) const;

signals:
    void entryChanged(const QString& id);

private:
    Result<void> move(
        const QString& id, const QList<EntryStage>& from, EntryStage to, const JobId& job, const QString& text);
    Result<void> addEvent(const QString& id, JobLogEventKind kind, const QString& text);
    enum class Columns { All, WithoutTexts };
    Result<QList<JobLogEntry>> select(
        const QString& where, const QVariantList& values, Columns columns = Columns::All) const;

    Database& m_database;
    qint64 m_openedAt;
};

} // namespace rankwright
