// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/base/datafolder.h"
#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/session/jobrows.h"
#include "app/session/recordedcause.h"
#include "models/cluster/slurm/jobrecordjson.h"
#include "models/core/harmlesstext.h"
#include "models/core/jsonvalue.h"
#include "models/insight/diagnosis/explain.h"

#include <QElapsedTimer>
#include <QSet>
#include <QTimer>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// A submission of this machine that is not decided: no job of Slurm's yet, so without a number and a state.
QJsonObject undecidedJson(const JobLogEntry& entry)
{
    JobRecord record;
    record.name = entry.name;
    record.submitted = entry.created;
    record.comment = entry.token;
    record.workdir = entry.workdir;
    QJsonObject json = jobRecordJson(record);
    json.insert(u"jobId"_s, QJsonValue());
    json.insert(u"state"_s, QJsonValue());
    json.insert(u"undecided"_s, undecidedNote(entry));
    return json;
}

/// What `jobs` asks for and prints: first what became of lost submissions, then the queue.
class JobsRun final : public QObject {
    Q_DISABLE_COPY_MOVE(JobsRun)
public:
    JobsRun(CliLogin& login, int days) : m_login(login), m_days(days)
    {
        m_pollTimer.setInterval(250);
        connect(&m_pollTimer, &QTimer::timeout, this, &JobsRun::poll);
    }

    void begin()
    {
        for (const JobLogEntry& entry : undecided()) {
            m_open.insert(entry.id);
            say(u"Looking for the outcome of the submission%1%2."_s.arg(called(entry),
                isAwaited(entry) ? QString() : u"; this takes some 20 s where Slurm does not have it"_s));
        }
        m_waited.start();
        m_pollTimer.start();
        poll();
    }

private:
    static constexpr qint64 patienceMs = 180'000; // an entry of another machine is left alone for two minutes

    static QString called(const JobLogEntry& entry)
    {
        return (entry.name.isEmpty() ? QString() : u" of “%1”"_s.arg(entry.name))
            + u" at %1"_s.arg(entry.created.toLocalTime().toString(u"HH:mm:ss"_s));
    }

    void say(const QString& text)
    {
        m_login.context().err << text << u'\n';
        m_login.context().err.flush();
    }

    void report(const JobLogEntry& entry)
    {
        if (entry.stage == EntryStage::Refused) {
            say(u"Slurm refused the submission%1: %2"_s.arg(called(entry), entry.outcome));
            return;
        }
        if (entry.stage != EntryStage::Known) {
            say(u"The submission%1 never reached Slurm: submit it again."_s.arg(called(entry)));
            return;
        }
        say(u"The submission%1 was found: it is job %2. Nothing needs to be sent again."_s.arg(
            called(entry), entry.job));
        // The person knows the job: the same script submitted again is wanted.
        if (const auto marked = m_login.jobLog().markAnswered(entry.id); !marked)
            say(marked.error().oneLine());
    }

    QList<JobLogEntry> undecided() const
    {
        return m_login.jobLog().unresolved(m_login.session().profile().name).valueOr({});
    }

    void poll()
    {
        for (const QString& id : QSet<QString>(m_open)) {
            const auto entry = m_login.jobLog().find(id);
            if (!entry || !entry->isResolved())
                continue;
            m_open.remove(id);
            report(*entry);
        }
        const auto open = undecided();
        const bool waits
            = std::any_of(open.cbegin(), open.cend(), [](const JobLogEntry& entry) { return !isAwaited(entry); });
        if (waits && m_waited.elapsed() < patienceMs)
            return;
        m_pollTimer.stop();
        ask();
    }

    void ask()
    {
        m_login.session().client().queue(&m_login, [this](const Result<QList<JobRecord>>& queue) {
            if (!queue)
                m_login.finish(queue.error());
            else if (m_days == 0)
                print(*queue);
            else
                askPast(*queue);
        });
    }

    void askPast(const QList<JobRecord>& queue)
    {
        m_login.session().client().history(m_days, &m_login, [this, queue](const Result<QList<JobRecord>>& history) {
            if (!history) {
                m_login.finish(history.error());
                return;
            }
            QList<JobRecord> all = queue;
            QSet<QString> seen;
            for (const JobRecord& job : queue)
                seen.insert(job.id);
            for (const JobRecord& job : *history) {
                if (!seen.contains(job.id))
                    all.append(job);
            }
            print(all);
        });
    }

    void print(QList<JobRecord> jobs);

    /// As the Live page and the report say it, of a job that was recorded here.
    QString causeOf(const JobRecord& job)
    {
        const QString folder = dataFolderPath(m_login.context().option(u"data-dir"_s));
        if (m_causesRead >= mostCauses)
            return {};
        const QString cause = recordedCause(recordingsFolder(folder), m_login.session().profile().name, job);
        m_causesRead += cause.isEmpty() ? 0 : 1;
        return cause;
    }

    QJsonObject jobJson(const JobRecord& job)
    {
        QJsonObject json = jobRecordJson(job);
        json.insert(u"outcome"_s, hasEnded(job.state) ? QJsonValue(explainOutcome(job)) : QJsonValue());
        json.insert(u"cause"_s, orNull(causeOf(job)));
        return json;
    }

    static constexpr int mostCauses = 200; ///< recordings are opened for each
    int m_causesRead = 0;
    CliLogin& m_login;
    int m_days;
    QSet<QString> m_open; ///< entries that were not decided when this began
    QElapsedTimer m_waited;
    QTimer m_pollTimer;
};

void JobsRun::print(QList<JobRecord> jobs)
{
    const CliContext& context = m_login.context();
    std::stable_sort(
        jobs.begin(), jobs.end(), [](const JobRecord& a, const JobRecord& b) { return a.submitted > b.submitted; });
    const QList<JobLogEntry> open = undecided();
    if (context.json) {
        {
            JsonArrayPrinter list(context.out);
            for (const JobLogEntry& entry : open)
                list.add(undecidedJson(entry));
            for (const JobRecord& job : std::as_const(jobs))
                list.add(jobJson(job));
        }
        m_login.finish(ExitDone);
        return;
    }
    TextTable table({u"job"_s, u"name"_s, u"partition"_s, u"state"_s, u"nodes"_s, u"elapsed"_s, u"note"_s});
    for (const JobLogEntry& entry : open)
        table.add({u"-"_s, harmlessLine(entry.name, longestTableName), QString(), u"not decided"_s, u"?"_s, QString(),
            undecidedNote(entry)});
    for (const JobRecord& job : jobs) {
        const QString cause = causeOf(job);
        const QString note = !cause.isEmpty() ? cause
            : hasEnded(job.state)             ? explainOutcome(job)
            : job.reason.isEmpty()            ? QString()
                                              : explainPendingReason(job.reason);
        table.add({job.id, harmlessLine(job.name, longestTableName), job.partition, toText(job.state),
            job.nodes ? QString::number(*job.nodes) : u"?"_s, job.elapsed ? slurmTime(*job.elapsed) : QString(), note});
    }
    table.print(context.out);
    m_login.finish(ExitDone);
}

int runJobs(const CliContext& context)
{
    bool good = true;
    const int days = context.has(u"past"_s) ? context.option(u"past"_s).toInt(&good) : 0;
    if (!good || days < 0 || days > 365)
        return report(context,
            {Fault::Invalid, u"--past %1 is not a number of days."_s.arg(context.option(u"past"_s)), {},
                u"Give 0 to 365."_s});
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    JobsRun run(login, days);
    run.begin();
    return login.wait();
}

} // namespace

CliCommand jobsCommand()
{
    return {
        .name = "jobs",
        .summary = "List your jobs in the queue, with --past also those that ended",
        .words = "CLUSTER",
        .run = runJobs,
        .options = loginOptions({
            {.name = "past", .value = "DAYS", .text = "also the jobs that ended in the last DAYS days"},
        }),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
