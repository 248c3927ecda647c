// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"
#include "models/cluster/slurm/clusternames.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/cluster/slurm/jobusage.h"

#include <QHash>
#include <QSet>

namespace rankwright::inline cluster {

/// Random word that finds a submission again: "rw-" and 16 hexadecimal digits; it travels in the job's comment.
using SubmissionToken = QString;
SubmissionToken newSubmissionToken();
/// Whether a job's comment is such a word, of this program on any computer.
bool isOurToken(const QString& comment);

struct SubmitRequest {
    QByteArray script; ///< on stdin of sbatch
    SubmissionToken token;
    QString workdir; ///< --chdir; empty: home
    QStringList options
        = {}; ///< of sbatch that the script sets, long names without dashes: no variable may replace them
    QString partition = {}; ///< as the script names it, perhaps several between commas; empty: it names none
};

/// Slurm's words over a RemoteShell: typed questions, asynchronous answers. Knows commands and parsers; not when to
/// ask (ClusterSession), nor the order of submitting (SubmitFlow). Lives on the thread of its shell.
class SlurmClient final : public QObject {
    Q_OBJECT
public:
    explicit SlurmClient(RemoteShell& shell, QObject* parent = nullptr);

    /// Version, user, accounts, partitions, round trip time.
    void discover(QObject* guard, Then<ClusterFacts> then);
    /// Features, QoS, reservations and modules, for completing scripts; parts that the cluster lacks are empty.
    void names(QObject* guard, Then<ClusterNames> then);
    /// sbatch --test-only with the script on stdin: nothing is queued. One question for one partition that has nodes,
    /// and none that can end the controller. Whatever a successful command prints, Slurm takes the script. Offline: the
    /// controller did not answer, which is not a refusal.
    void rehearse(const SubmitRequest& request, QObject* guard, Then<StartForecast> then);
    /// sbatch --parsable once, given the script and then the word to submit (handOver); never retried here. A refusal
    /// is Fault::RemoteExit with Slurm's words translated; Offline or TimedOut means that the outcome is not known: ask
    /// findSubmitted.
    void submit(const SubmitRequest& request, QObject* guard, Then<JobId> then);
    /// The job that carries this token, from squeue, then sacct, then the scripts of the user's jobs of which these two
    /// show neither comment nor command of ours; empty when none of them has it. TimedOut: its sbatch is still at work.
    void findSubmitted(const SubmissionToken& token, QObject* guard, Then<std::optional<JobId>> then);
    /// The user's queue.
    void queue(QObject* guard, Then<QList<JobRecord>> then);
    /// One job: squeue first, sacct when the queue has forgotten it.
    void job(const JobId& id, QObject* guard, Then<JobRecord> then);
    /// The tasks of an array; a job that is none is its own single task.
    void tasks(const JobId& id, QObject* guard, Then<QList<JobRecord>> then);
    /// Ended and running jobs of the last days, from sacct.
    void history(int days, QObject* guard, Then<QList<JobRecord>> then);
    /// What jobs asked for and used, from sacct: of those that it knows, in the order asked for. An id that is none is
    /// an error; an empty list means that the accounting knows none of them (yet: it lags a few seconds).
    void usage(const QList<JobId>& ids, QObject* guard, Then<QList<JobUsage>> then);
    void cancel(const JobId& id, QObject* guard, Then<void> then);

private:
    void findInScripts(
        const SubmissionToken& token, const QList<JobId>& jobs, QObject* guard, const Then<std::optional<JobId>>& then);

    RemoteShell& m_shell;
    QHash<SubmissionToken, QSet<JobId>> m_withoutToken; ///< jobs whose scripts were read; a script never changes
};

} // namespace rankwright::inline cluster
