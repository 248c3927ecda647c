// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/recording/samplerrecords.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/core/jsonvalue.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// What jobs wrote of their GPUs into one folder of the cluster: lists it, or removes what was named.
class RecordsRun final {
public:
    RecordsRun(CliLogin& login, const CliContext& context)
        : m_login(login), m_context(context), m_jobs(context.positional.mid(1)), m_remove(context.has(u"remove"_s))
    { }

    void begin()
    {
        if (m_context.has(u"folder"_s) || m_jobs.isEmpty()) {
            const auto& practice = m_login.practice();
            work(m_context.has(u"folder"_s) ? m_context.option(u"folder"_s) : practice ? practice->workdir : QString());
            return;
        }
        m_login.session().client().job(m_jobs.first(), &m_login, [this](const Result<JobRecord>& job) {
            if (!job)
                m_login.finish(job.error());
            else if (job->workdir.isEmpty())
                m_login.finish(Error{Fault::Invalid, u"Slurm no longer reports where job %1 ran."_s.arg(job->id), {},
                    u"Name the folder by --folder."_s});
            else
                work(job->workdir);
        });
    }

private:
    void work(const QString& folder)
    {
        const RemoteCommand command = m_remove ? removeRecordsCommand(folder, m_jobs) : listRecordsCommand(folder);
        m_login.session().shell().run(
            command, &m_login, [this, folder, command](const Result<CommandOutcome>& outcome) {
                if (!outcome)
                    m_login.finish(outcome.error());
                else if (!outcome->succeeded() && outcome->output.isEmpty() && !outcome->errorOutput.isEmpty())
                    m_login.finish(Error{Fault::RemoteExit, u"The folder %1 could not be inspected."_s.arg(folder),
                        QString::fromUtf8(outcome->errorOutput).trimmed().section(u'\n', -1),
                        u"Give the folder where the jobs ran by --folder."_s});
                else if (m_remove)
                    reportRemoved(folder, readRemoved(outcome->output));
                else
                    reportList(folder, readRecordList(outcome->output));
            });
    }

    void reportRemoved(const QString& folder, const QStringList& removed)
    {
        if (m_context.json)
            printJson(m_context.out,
                QJsonObject{{u"folder"_s, orNull(folder)}, {u"removed"_s, QJsonArray::fromStringList(removed)}});
        for (const QString& job : m_jobs) {
            if (!removed.contains(job))
                m_context.err << u"job "_s << job << u": no GPU record of it is in that folder\n"_s;
            else if (!m_context.json)
                m_context.out << u"job "_s << job << u": its GPU record was removed\n"_s;
        }
        m_login.finish(removed.size() == m_jobs.size() ? ExitDone : ExitNo);
    }

    void reportList(const QString& folder, const Result<QList<SamplerRecords>>& list)
    {
        if (!list) {
            m_login.finish(list.error());
            return;
        }
        QList<SamplerRecords> records = *list;
        if (!m_jobs.isEmpty())
            records.removeIf([this](const SamplerRecords& record) { return !m_jobs.contains(record.job); });
        std::stable_sort(records.begin(), records.end(),
            [](const SamplerRecords& a, const SamplerRecords& b) { return a.changedMs > b.changedMs; });
        const auto json = [&](const SamplerRecords& record) {
            return QJsonObject{{u"jobId"_s, record.job}, {u"folder"_s, orNull(folder)}, {u"nodes"_s, record.nodes},
                {u"bytes"_s, double(record.bytes)},
                {u"changed"_s, timeJson(QDateTime::fromMSecsSinceEpoch(record.changedMs))}};
        };
        const TextTable table({u"job"_s, u"nodes"_s, u"size"_s, u"last reading"_s});
        printRecords(m_context, records, json, table, [](TextTable& rows, const SamplerRecords& record) {
            rows.add({record.job, QString::number(record.nodes), humanBytes(Bytes{record.bytes}),
                QDateTime::fromMSecsSinceEpoch(record.changedMs).toString(u"yyyy-MM-dd HH:mm"_s)});
        });
        m_login.finish(ExitDone);
    }

    CliLogin& m_login;
    const CliContext& m_context;
    QStringList m_jobs;
    bool m_remove;
};

int runGpuRecords(const CliContext& context)
{
    if (context.has(u"remove"_s) && context.positional.size() < 2)
        return report(context,
            {Fault::Invalid, u"--remove needs the jobs whose records are to be removed."_s, {},
                u"Name them after the cluster."_s});
    for (const QString& job : context.positional.mid(1)) {
        if (const auto fault = jobIdFault(job))
            return report(context, *fault);
        if (isSluid(job))
            return report(context,
                {Fault::Invalid, u"GPU records lie under the numbers of jobs, not under %1."_s.arg(job), {},
                    u"rankwright-cli report CLUSTER %1 names the number."_s.arg(job)});
    }
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    RecordsRun run(login, context);
    run.begin();
    return login.wait();
}

} // namespace

CliCommand gpuRecordsCommand()
{
    return {
        .name = "gpu-records",
        .summary = "The GPU records that jobs wrote on the cluster: list or remove",
        .words = "CLUSTER [JOB...]",
        .run = runGpuRecords,
        .options = loginOptions({
            {.name = "folder", .value = "DIR", .text = "where the jobs ran"},
            {.name = "remove", .text = "remove the records of these jobs"},
        }),
        .minimumWords = 1,
        .maximumWords = 100,
    };
}

} // namespace rankwright
