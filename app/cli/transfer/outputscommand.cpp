// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/transfer/transfercommands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/cli/transfer/outputsanswer.h"
#include "app/watch/launchedjob.h"
#include "app/watch/outputfilesofjob.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/insight/log/outputlisting.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// What `outputs` asks for, one question after the other, and prints.
class OutputsRun final : public QObject {
    Q_DISABLE_COPY_MOVE(OutputsRun)
public:
    OutputsRun(CliLogin& login, const OutputsRequest& request) : m_login(login), m_request(request) { }

    void begin()
    {
        client().tasks(m_request.job, &m_login, [this](const Result<QList<JobRecord>>& tasks) {
            if (!tasks) {
                m_login.finish(tasks.error());
            } else if (tasks->size() > 1 && tasks->first().id.contains(u'_')) {
                refuse({Fault::Invalid, u"%1 is an array of %2 tasks."_s.arg(m_request.job).arg(tasks->size()), {},
                           u"Name one: %1."_s.arg(tasks->first().id)},
                    ExitUsage);
            } else {
                client().job(m_request.job, &m_login, [this](const Result<JobRecord>& record) {
                    if (record)
                        askFiles(*record);
                    else
                        m_login.finish(record.error());
                });
            }
        });
    }

private:
    SlurmClient& client() { return m_login.session().client(); }

    void refuse(const Error& error, int code)
    {
        report(m_login.context(), error, code);
        m_login.finish(code);
    }

    void askFiles(const JobRecord& record)
    {
        m_job = record;
        if (m_job.standardOutput.isEmpty()) {
            const LaunchedJob launched = launchedJob(m_login.jobLog(), m_login.session().profile().name, m_job.id);
            m_job.standardOutput = outputPathOf(m_job, launched.script);
        }
        m_login.session().shell().run(outputQuestion(m_job), &m_login, [this](const Result<CommandOutcome>& outcome) {
            if (outcome)
                list(outputFilesOf(m_job, outcome->output));
            else
                m_login.finish(outcome.error());
        });
    }

    void list(const QList<OutputFile>& files)
    {
        m_login.session().shell().run(
            listOutputsCommand(files), &m_login, [this, files](const Result<CommandOutcome>& outcome) {
                if (!outcome) {
                    m_login.finish(outcome.error());
                    return;
                }
                m_answer.files = listedOutputs(outcome->output, files);
                m_answer.job = m_job.id;
                m_answer.state = m_job.state;
                if (m_answer.files.isEmpty())
                    refuse({Fault::Invalid, u"No output file of job %1 is there."_s.arg(m_job.id), m_job.standardOutput,
                               isWaiting(m_job.state) ? u"The job has not started yet."_s
                                                      : u"It may have been moved or deleted."_s},
                        ExitNo);
                else if (m_request.wantsText)
                    choose();
                else
                    m_login.finish(printOutputList(m_login.context(), m_answer));
            });
    }

    void choose()
    {
        if (const auto chosen = chooseOutputs(m_answer, m_request); !chosen)
            refuse(chosen.error(), ExitUsage);
        else
            read();
    }

    /// The next of the chosen files.
    void read()
    {
        if (m_answer.texts.size() == m_answer.chosen.size()) {
            m_login.finish(printOutputTexts(m_login.context(), m_answer, m_request));
            return;
        }
        const QString path = m_answer.chosen.at(m_answer.texts.size()).path;
        const RemoteCommand command = m_request.expression.isEmpty()
            ? lastLinesCommand(path, m_request.lines)
            : matchingLinesCommand(path, m_request.expression, m_request.lines);
        m_login.session().shell().run(command, &m_login, [this, command, path](const Result<CommandOutcome>& outcome) {
            constexpr int noneMatches = 1, notValid = 2, tookTooLong = 124; // grep(1), timeout(1)
            const int status = outcome ? outcome->exitStatus.value_or(notValid) : 0;
            const bool isNone = status == noneMatches && !m_request.expression.isEmpty();
            if (!outcome) {
                m_login.finish(outcome.error());
            } else if (status == tookTooLong && !m_request.expression.isEmpty()) {
                refuse({Fault::TimedOut, u"The search did not come to the end of %1 in time."_s.arg(path),
                           humanBytes(Bytes{m_answer.chosen.at(m_answer.texts.size()).size}),
                           u"Search its end: download it, or ask for its last lines with --tail alone."_s},
                    ExitNo);
            } else if (status != 0 && !isNone) {
                refuse(outcome->toError(command), m_request.expression.isEmpty() ? ExitNo : ExitUsage);
            } else {
                QStringList lines = QString::fromUtf8(outcome->output).split(u'\n');
                if (lines.last().isEmpty())
                    lines.removeLast();
                m_answer.texts.append(lines);
                read();
            }
        });
    }

    CliLogin& m_login;
    OutputsRequest m_request;
    JobRecord m_job;
    OutputsAnswer m_answer;
};

int printKept(const CliContext& context, const QString& cluster, const OutputsRequest& request)
{
    if (const auto code = printKeptOutputs(context, cluster, request))
        return *code;
    return report(context,
        {Fault::Invalid, u"No output of job %1 of %2 is kept on this machine."_s.arg(request.job, cluster), {},
            u"Ask with a connection to the cluster."_s},
        ExitNo);
}

int runOutputs(const CliContext& context)
{
    const auto request = outputsRequest(context);
    if (!request)
        return report(context, request.error());
    const QString cluster = context.positional.value(0);
    if (context.has(u"offline"_s))
        return printKept(context, cluster, *request);
    CliLogin login(context);
    if (const auto failed = login.connectTo(cluster)) {
        const auto kept = *failed == ExitUnreachable ? printKeptOutputs(context, cluster, *request) : std::nullopt;
        return kept.value_or(*failed);
    }
    OutputsRun run(login, *request);
    run.begin();
    return login.wait();
}

} // namespace

CliCommand outputsCommand()
{
    return {
        .name = "outputs",
        .summary = "The output files of a running or ended job, and their text",
        .words = "CLUSTER JOB",
        .run = runOutputs,
        .options = loginOptions({
            {.name = "file", .value = "NAME", .text = "this file's text"},
            {.name = "tail", .value = "N", .text = "the last N lines (200)"},
            {.name = "grep", .value = "RE", .text = "lines that match a POSIX extended expression, of all files"},
            {.name = "offline", .text = "from what this machine keeps, without a connection"},
        }),
        .minimumWords = 2,
        .maximumWords = 2,
    };
}

} // namespace rankwright
