// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/submit/submitrecovery.h"
#include "models/cluster/slurm/submitstate.h"
#include "models/script/checks/designchecks.h"

#include <QElapsedTimer>

namespace rankwright {

/// All that one submission needs, as values taken at the moment of the click.
struct SubmitOrder {
    QString cluster;
    QString name;
    QByteArray design; ///< for the job log
    QByteArray script;
    QString workdir;
    QList<Finding> findings;
    QStringList options; ///< SubmitRequest::options
    QString partition; ///< SubmitRequest::partition
    bool rehearseOnly = false;
    /// JobLog::lastEvent() when it was asked for: what becomes known of the same script later was asked for at the same
    /// moment and is this job. Empty: start() is that moment.
    std::optional<qint64> asked = {};
    bool recordsItself = false; ///< the script starts the sampler: it has to be there before the job is
};

/// The order of submitting: check, ask the scheduler without queueing, write to the job log, send once, keep the id.
/// A lost answer is searched for (Recovery), never sent again; a script whose earlier answer was lost waits until that
/// one is decided: found, it is the answer (acknowledge() ends this), else it is sent. So does one that another program
/// or window submits at the same moment: looking for it and writing the own entry are one transaction. One submission
/// at a time: start() while busy is refused, so a double click cannot submit twice. Owns the token; knows no widget and
/// no Slurm word. Lives on the GUI thread.
class SubmitFlow final : public QObject {
    Q_OBJECT
public:
    SubmitFlow(
        RemoteShell& shell, SlurmClient& client, JobLog& log, SubmitRecovery& recovery, QObject* parent = nullptr);
    ~SubmitFlow() override;

    /// False when one is under way; nothing changes then.
    bool start(const SubmitOrder& order);
    /// Before anything is sent: ends it. Afterwards it only stops waiting; what was sent cannot be called back.
    void stop();
    const SubmitState& state() const { return m_state; }
    /// Of the running or last submission; empty before it is recorded.
    const QString& entryId() const { return m_entryId; }
    const SubmissionToken& token() const { return m_token; }
    /// The user has been given the job's id: the same design started again is another job.
    void acknowledge();
    /// How long a lost answer keeps the flow busy before it is reported as unknown; the search goes on.
    void setPatience(int ms) { m_patience.setInterval(ms); }

signals:
    void stateChanged(const rankwright::SubmitState& state);
    /// After Submitted: Slurm was asked what it has of the job (state.wasCompared), or did not answer.
    void jobCompared(const rankwright::SubmitState& state);

private:
    /// Submissions of this script that are to be decided or reported before it may be sent.
    struct Earlier {
        std::optional<JobLogEntry> undecided; ///< the oldest
        QList<JobLogEntry> found; ///< whose job is the answer, newest first
        bool isNone() const { return !undecided && found.isEmpty(); }
    };

    bool stoppedByFindings();
    QString scriptHash() const;
    Result<Earlier> earlier() const;
    void resolveEarlier();
    void noteLost();
    void waitFor(const JobLogEntry& earlier);
    void compare();
    void reportFound(const QList<JobLogEntry>& found);
    Error undecided(const JobLogEntry& earlier) const;
    void rehearse();
    void placeSampler();
    void send();
    QString besides() const;
    void handleReply(const Result<JobId>& reply);
    void recover(const Error& why);
    void giveUpWaiting();
    void handleDecided(const QString& entryId, EntryStage stage);
    void enterStage(SubmitState::Stage stage, const QString& text);
    void enterRefused(const Error& why);
    void submitted(const JobId& job, const QString& text);

    RemoteShell& m_shell;
    SlurmClient& m_client;
    JobLog& m_log;
    SubmitRecovery& m_recovery;
    SubmitOrder m_order;
    SubmissionToken m_token;
    QString m_entryId;
    SubmitState m_state;
    QString m_note; ///< what did not succeed beside the submission
    QStringList m_reported; ///< entries that acknowledge() closes
    QStringList m_lost; ///< entries of this script that were seen undecided since start(), their answer lost
    qint64 m_asked = 0; ///< of the job log: what became known since was asked for at the same moment
    QElapsedTimer m_settling; ///< valid while an earlier submission of this script is looked for
    QTimer m_resolveTimer;
    Error m_trouble; ///< why that search has no answer
    int m_run = 0; ///< answers of a stopped rehearsal are dropped
    QTimer m_patience;
};

/// Did sbatch fail in a way that leaves open whether the job was queued? (The controller answered too late or broke
/// off; slurm_submit_batch_job's "Socket timed out on send/recv operation" is the well-known one.)
bool isAmbiguousRefusal(const Error& error);

} // namespace rankwright
