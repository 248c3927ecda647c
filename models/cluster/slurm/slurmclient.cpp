// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/slurmclient.h"

#include "models/cluster/slurm/refusals.h"
#include "models/cluster/slurm/rehearsal.h"
#include "models/cluster/slurm/sbatchcommand.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/cluster/slurm/slurmparsers.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QRandomGenerator>

#include <algorithm>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

/// A child of the guard, so that the command is cancelled with it; destroys itself once the continuation was called.
class ScriptHandover final : public QObject {
    Q_DISABLE_COPY_MOVE(ScriptHandover)
public:
    ScriptHandover(std::unique_ptr<RemoteProcess> process, Then<CommandOutcome> then, QObject* guard)
        : QObject(guard), m_process(std::move(process)), m_then(std::move(then))
    {
        connect(m_process.get(), &RemoteProcess::outputArrived, this, &ScriptHandover::handleOutput);
        connect(m_process.get(), &RemoteProcess::finished, this, &ScriptHandover::end);
    }

    ~ScriptHandover() override
    {
        if (m_process)
            m_process->disconnect(this);
    }

private:
    void handleOutput(const QByteArray& bytes)
    {
        m_output += bytes;
        const QByteArray line = scriptIsThere + QByteArray("\n");
        if (m_wasSaid || !m_output.startsWith(line))
            return;
        m_wasSaid = true;
        m_output.remove(0, line.size());
        m_process->write(submitWord);
        m_process->closeInput();
    }

    void end(const Result<CommandOutcome>& outcome)
    {
        Result<CommandOutcome> whole = outcome;
        if (whole.hasValue())
            whole.value().output = m_output + whole.value().output;
        // We are inside a signal of the process, and the continuation may destroy our guard: both go later.
        m_process->disconnect(this);
        m_process.release()->deleteLater();
        deleteLater();
        const Then<CommandOutcome> then = std::move(m_then);
        if (then)
            then(whole);
    }

    std::unique_ptr<RemoteProcess> m_process;
    Then<CommandOutcome> m_then;
    QByteArray m_output;
    bool m_wasSaid = false;
};

/// Runs sbatchCommand(): gives it the script, and the word to submit once the far side has said that the script is
/// there. So nothing that a broken line delivers late is ever submitted. `then` as with RemoteShell::run().
void handOver(RemoteShell& shell, const RemoteCommand& command, QObject* guard, Then<CommandOutcome> then)
{
    new ScriptHandover(shell.start(command), std::move(then), guard ? guard : &shell);
}

constexpr QStringView tokenPrefix = u"rw-";

Error refused(const CommandOutcome& outcome)
{
    return slurmRefusal(outcome.errorOutput, outcome.exitStatus.value_or(-1));
}

Result<QList<JobRecord>> recordsOf(const Result<QList<AccountedJob>>& accounted)
{
    if (!accounted)
        return fail(accounted.error());
    QList<JobRecord> jobs;
    for (const AccountedJob& entry : *accounted)
        jobs.append(entry.job);
    return jobs;
}

const JobRecord* chosen(const QList<JobRecord>& jobs, const JobId& id)
{
    for (const JobRecord& job : jobs) {
        if (job.id == id)
            return &job;
    }
    return jobs.isEmpty() ? nullptr : &jobs.first(); // the job's array: its first part speaks for it
}

/// What the accounting knows better: how it ended. The queue stays right in all else.
void mergeAccounted(JobRecord& job, const JobRecord& accounted)
{
    job.stepState = accounted.stepState;
    if (!hasEnded(accounted.state))
        return;
    if (!job.exitCode) {
        job.exitCode = accounted.exitCode;
        job.exitSignal = accounted.exitSignal;
    }
    if (!job.ended.isValid())
        job.ended = accounted.ended;
    if (!job.gpus) {
        job.gpus = accounted.gpus;
        job.gres = accounted.gres;
    }
}

Result<JobRecord> jobFrom(const CommandOutcome& outcome, const JobId& id)
{
    const auto sections = splitSections(outcome.output);
    const auto queued = parseSqueue(sections.value(u"squeue"_s));
    const auto accounted = recordsOf(parseSacct(sections.value(u"sacct"_s)));
    const JobRecord* inQueue = queued ? chosen(*queued, id) : nullptr;
    const JobRecord* inBooks = accounted ? chosen(*accounted, id) : nullptr;
    if (inQueue) {
        JobRecord job = *inQueue;
        const QByteArray shown = sections.value(u"scontrol"_s);
        if (!shown.isEmpty())
            job = mergeScontrol(job, shown.left(shown.indexOf('\n')));
        if (inBooks)
            mergeAccounted(job, *inBooks);
        return job;
    }
    // "squeue -j" of an unknown or forgotten id is an error of its own
    const bool controllerKnowsNot = outcome.succeeded() || outcome.errorOutput.contains("Invalid job id specified");
    if (inBooks && !hasEnded(inBooks->state) && controllerKnowsNot) {
        return fail(Fault::Invalid,
            u"Slurm's controller does not know job %1 any more, though its accounting still lists it as %2."_s.arg(
                id, toText(inBooks->state)),
            QString::fromUtf8(outcome.errorOutput).trimmed(),
            u"A controller that was ended by force forgets the jobs of its last seconds (sacctmgr show runawayjobs). Look again in a minute; if it stays so, the job is lost."_s);
    }
    if (inBooks)
        return *inBooks;
    if (controllerKnowsNot) {
        return fail(Fault::Invalid, u"Slurm does not know a job %1."_s.arg(id),
            QString::fromUtf8(outcome.errorOutput).trimmed(),
            u"It may be older than what the accounting keeps, or belong to another cluster."_s);
    }
    return fail(refused(outcome));
}

Result<std::optional<JobId>> foundIn(const CommandOutcome& outcome, const SubmissionToken& token)
{
    using Found = std::optional<JobId>;
    const auto sections = splitSections(outcome.output);
    if (!sections.contains(u"squeue"_s))
        return fail(refused(outcome));
    const auto queued = parseSqueue(sections.value(u"squeue"_s));
    if (!queued)
        return fail(queued.error());
    for (const JobRecord& job : *queued) {
        if (job.comment.contains(token))
            return Found(job.id);
    }
    const auto accounted = parseSacct(sections.value(u"sacct"_s));
    for (const AccountedJob& entry : accounted.valueOr({})) {
        // The comment is kept with AccountingStoreFlags=job_comment only; the command as typed is always kept (21.08).
        if (entry.job.comment.contains(token) || entry.submitLine.contains(u"--comment="_s + token))
            return Found(entry.job.id);
    }
    if (sections.value(u"sending"_s).trimmed().toInt() > 0)
        return fail(Fault::TimedOut, u"The sbatch of this submission is still running on the login node."_s);
    // Without accounting the controller is the only source.
    if (outcome.succeeded() || outcome.errorOutput.contains("accounting storage is disabled"))
        return accounted || outcome.errorOutput.contains("accounting storage is disabled")
            ? Result<Found>(Found())
            : Result<Found>(fail(accounted.error()));
    return fail(refused(outcome));
}

/// Of an array's task or a component the job that sbatch reported.
JobId submittedId(const JobId& id) { return id.section(u'_', 0, 0).section(u'+', 0, 0); }

/// The user's jobs whose comment is not of ours and whose command the accounting does not have: a site may have
/// replaced the comment, and the accounting lists no job before it may start.
QList<JobId> unmarkedJobs(const CommandOutcome& outcome)
{
    const auto sections = splitSections(outcome.output);
    QSet<JobId> known;
    const auto accounted = parseSacct(sections.value(u"sacct"_s));
    for (const AccountedJob& entry : accounted.valueOr({})) {
        if (!entry.submitLine.isEmpty())
            known.insert(submittedId(entry.job.id));
    }
    QList<JobId> jobs;
    for (const JobRecord& job : parseSqueue(sections.value(u"squeue"_s)).valueOr({})) {
        const JobId id = submittedId(job.id);
        if (!isOurToken(job.comment) && !known.contains(id) && isJobId(id)) {
            known.insert(id);
            jobs.append(id);
        }
    }
    return jobs;
}

/// Answer to scriptsCommand(). A job that is gone, or never had a script, is none of ours; where Slurm does not answer,
/// nothing is known.
Result<std::optional<JobId>> foundInScripts(const CommandOutcome& outcome)
{
    using Found = std::optional<JobId>;
    if (!outcome.succeeded())
        return fail(refused(outcome));
    for (const QByteArray& line : outcome.output.split('\n')) {
        const qsizetype blank = line.indexOf(' ');
        const QByteArray said = line.mid(blank + 1);
        if (said == "found")
            return Found(QString::fromLatin1(line.left(blank)));
        if (blank > 0 && !said.contains("Invalid job id specified") && !said.contains("Job script not specified"))
            return fail(slurmRefusal(said, 1));
    }
    return Found();
}

/// Queue and accounting together, each task once. A task that still waits is a part of one row there ("219_[2-5]"),
/// which the queue has one by one.
Result<QList<JobRecord>> tasksFrom(const CommandOutcome& outcome, const JobId& id)
{
    const auto sections = splitSections(outcome.output);
    QList<JobRecord> tasks = parseSqueue(sections.value(u"squeue"_s)).valueOr({});
    QSet<JobId> known;
    for (const JobRecord& task : std::as_const(tasks))
        known.insert(task.id);
    for (const JobRecord& accounted : recordsOf(parseSacct(sections.value(u"sacct"_s))).valueOr({})) {
        if (known.contains(accounted.id) || (!tasks.isEmpty() && accounted.id.contains(u'[')))
            continue;
        known.insert(accounted.id);
        tasks.append(accounted);
    }
    if (!tasks.isEmpty())
        return tasks;
    if (outcome.succeeded() || outcome.errorOutput.contains("Invalid job id specified"))
        return fail(Fault::Invalid, u"Slurm does not know a job %1."_s.arg(id),
            QString::fromUtf8(outcome.errorOutput).trimmed(),
            u"It may be older than what the accounting keeps, or belong to another cluster."_s);
    return fail(refused(outcome));
}

/// Then: the link's error goes through, a failed command is reported in plain words, an answer is read.
template <typename T, typename Read>
std::function<void(const Result<CommandOutcome>&)> reading(Then<T> then, Read read)
{
    return [then = std::move(then), read = std::move(read)](const Result<CommandOutcome>& outcome) {
        if (!outcome)
            then(fail(outcome.error()));
        else
            then(read(*outcome));
    };
}

} // namespace

SubmissionToken newSubmissionToken()
{
    return tokenPrefix.toString()
        + QString::number(QRandomGenerator::system()->generate64(), 16).rightJustified(16, u'0');
}

bool isOurToken(const QString& comment) { return comment.startsWith(tokenPrefix); }

SlurmClient::SlurmClient(RemoteShell& shell, QObject* parent) : QObject(parent), m_shell(shell) { }

void SlurmClient::discover(QObject* guard, Then<ClusterFacts> then)
{
    QElapsedTimer clock;
    clock.start();
    m_shell.run(discoverCommand(), guard,
        reading<ClusterFacts>(std::move(then), [clock](const CommandOutcome& outcome) -> Result<ClusterFacts> {
            const auto facts = parseDiscovery(outcome.output, double(clock.nsecsElapsed()) * 1e-9);
            // sacctmgr may fail where accounting is away; without sinfo there is no Slurm to talk to
            if (!facts && !outcome.succeeded())
                return fail(refused(outcome));
            return facts;
        }));
}

void SlurmClient::names(QObject* guard, Then<ClusterNames> then)
{
    m_shell.run(namesCommand(), guard,
        reading<ClusterNames>(std::move(then),
            [](const CommandOutcome& outcome) -> Result<ClusterNames> { return parseNames(outcome.output); }));
}

void SlurmClient::rehearse(const SubmitRequest& request, QObject* guard, Then<StartForecast> then)
{
    m_shell.run(rehearseCommand(request), guard, reading<StartForecast>(std::move(then), readRehearsal));
}

void SlurmClient::submit(const SubmitRequest& request, QObject* guard, Then<JobId> then)
{
    handOver(m_shell, sbatchCommand(request), guard,
        reading<JobId>(std::move(then), [](const CommandOutcome& outcome) -> Result<JobId> {
            return outcome.succeeded() ? parseSubmitted(outcome.output) : fail(refused(outcome));
        }));
}

void SlurmClient::findSubmitted(const SubmissionToken& token, QObject* guard, Then<std::optional<JobId>> then)
{
    const QPointer<SlurmClient> self(this);
    m_shell.run(
        findCommand(token), guard, [self, token, guard, then = std::move(then)](const Result<CommandOutcome>& outcome) {
            const auto found = outcome ? foundIn(*outcome, token) : Result<std::optional<JobId>>(fail(outcome.error()));
            if (!self || !found || found->has_value())
                then(found);
            else
                self->findInScripts(token, unmarkedJobs(*outcome), guard, then);
        });
}

void SlurmClient::findInScripts(
    const SubmissionToken& token, const QList<JobId>& jobs, QObject* guard, const Then<std::optional<JobId>>& then)
{
    constexpr qsizetype most = 50; // at a time: each is a question to the controller
    QList<JobId> open;
    std::copy_if(jobs.cbegin(), jobs.cend(), std::back_inserter(open),
        [&](const JobId& job) { return !m_withoutToken.value(token).contains(job); });
    if (open.isEmpty()) {
        then(std::optional<JobId>());
        return;
    }
    const QList<JobId> asked = open.mid(0, most);
    const QPointer<SlurmClient> self(this);
    m_shell.run(scriptsCommand(asked, token), guard,
        [self, token, open, asked, guard, then](const Result<CommandOutcome>& outcome) {
            const auto found = outcome ? foundInScripts(*outcome) : Result<std::optional<JobId>>(fail(outcome.error()));
            if (!self || !found || found->has_value()) {
                then(found);
                return;
            }
            self->m_withoutToken[token].unite(QSet<JobId>(asked.cbegin(), asked.cend()));
            self->findInScripts(token, open, guard, then);
        });
}

void SlurmClient::queue(QObject* guard, Then<QList<JobRecord>> then)
{
    m_shell.run(queueCommand(), guard,
        reading<QList<JobRecord>>(std::move(then), [](const CommandOutcome& outcome) -> Result<QList<JobRecord>> {
            return outcome.succeeded() ? parseSqueue(outcome.output) : fail(refused(outcome));
        }));
}

void SlurmClient::job(const JobId& id, QObject* guard, Then<JobRecord> then)
{
    if (const auto bad = jobIdFault(id)) {
        then(fail(*bad));
        return;
    }
    m_shell.run(jobCommand(id), guard,
        reading<JobRecord>(std::move(then), [id](const CommandOutcome& outcome) { return jobFrom(outcome, id); }));
}

void SlurmClient::tasks(const JobId& id, QObject* guard, Then<QList<JobRecord>> then)
{
    if (const auto bad = jobIdFault(id)) {
        then(fail(*bad));
        return;
    }
    m_shell.run(tasksCommand(id), guard,
        reading<QList<JobRecord>>(
            std::move(then), [id](const CommandOutcome& outcome) { return tasksFrom(outcome, id); }));
}

void SlurmClient::history(int days, QObject* guard, Then<QList<JobRecord>> then)
{
    m_shell.run(historyCommand(days), guard,
        reading<QList<JobRecord>>(std::move(then), [](const CommandOutcome& outcome) -> Result<QList<JobRecord>> {
            return outcome.succeeded() ? recordsOf(parseSacct(outcome.output)) : fail(refused(outcome));
        }));
}

void SlurmClient::usage(const QList<JobId>& ids, QObject* guard, Then<QList<JobUsage>> then)
{
    for (const JobId& id : ids) {
        if (const auto bad = jobIdFault(id)) {
            then(fail(*bad));
            return;
        }
    }
    m_shell.run(usageCommand(ids), guard,
        reading<QList<JobUsage>>(std::move(then), [ids](const CommandOutcome& outcome) -> Result<QList<JobUsage>> {
            if (!outcome.succeeded())
                return fail(refused(outcome));
            auto reported = parseUsage(outcome.output);
            if (!reported)
                return reported;
            // sacct answers in its own order; an array's id brings all its tasks, after their like.
            std::stable_sort(reported->begin(), reported->end(), [&ids](const JobUsage& a, const JobUsage& b) {
                const auto place = [&ids](const JobId& id) {
                    const qsizetype exact = ids.indexOf(id);
                    return exact >= 0 ? exact : ids.indexOf(id.section(u'_', 0, 0).section(u'+', 0, 0));
                };
                return place(a.job.id) < place(b.job.id);
            });
            return reported;
        }));
}

void SlurmClient::cancel(const JobId& id, QObject* guard, Then<void> then)
{
    if (const auto bad = jobIdFault(id)) {
        then(fail(*bad));
        return;
    }
    m_shell.run(
        cancelCommand(id), guard, reading<void>(std::move(then), [id](const CommandOutcome& outcome) -> Result<void> {
            // cancelling a job that has ended is not a failure
            const bool over = outcome.errorOutput.contains("already completing or completed");
            // scancel of an unknown id says so and ends with 0 (Slurm 22.05)
            if (outcome.errorOutput.contains("Invalid job id specified"))
                return fail(Fault::Invalid, u"Slurm does not know a job %1; nothing was cancelled."_s.arg(id),
                    QString::fromUtf8(outcome.errorOutput).trimmed(),
                    u"Look for its id among your jobs: it may belong to another cluster."_s);
            if (outcome.errorOutput.contains("Access/permission denied"))
                return fail(Fault::RemoteExit, u"Job %1 belongs to somebody else; nothing was cancelled."_s.arg(id),
                    QString::fromUtf8(outcome.errorOutput).trimmed(),
                    u"Only its owner or an operator can cancel it."_s);
            if (!outcome.succeeded() && !over)
                return fail(refused(outcome));
            return {};
        }));
}

} // namespace rankwright::inline cluster
