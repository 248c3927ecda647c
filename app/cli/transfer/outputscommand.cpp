// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/transfer/transfercommands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/watch/launchedjob.h"
#include "app/watch/outputfilesofjob.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/core/jsonvalue.h"
#include "models/core/units.h"
#include "models/insight/log/outputlisting.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr int usualLines = 200;

struct OutputsRequest {
    JobId job;
    QString file; ///< empty: all of them, or the job's first
    QString expression; ///< empty: none
    int lines = usualLines;
    bool wantsText = false;
};

Result<OutputsRequest> requestOf(const CliContext& context)
{
    OutputsRequest request;
    request.job = context.positional.value(1);
    request.file = context.option(u"file"_s);
    request.expression = context.option(u"grep"_s);
    request.wantsText = context.has(u"file"_s) || context.has(u"tail"_s) || context.has(u"grep"_s);
    if (auto fault = jobIdFault(request.job))
        return fail(*fault);
    if (context.has(u"grep"_s) && request.expression.isEmpty())
        return fail(Fault::Invalid, u"--grep has no expression."_s, {}, u"Give one: --grep 'loss|error'."_s);
    if (context.has(u"tail"_s)) {
        bool isNumber = false;
        request.lines = context.option(u"tail"_s).toInt(&isNumber);
        if (!isNumber || request.lines < 1 || request.lines > mostOutputLines)
            return fail(Fault::Invalid, u"--tail takes a number of lines from 1 to %1."_s.arg(mostOutputLines),
                context.option(u"tail"_s), u"Give a number."_s);
    }
    return request;
}

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
                m_files = listedOutputs(outcome->output, files);
                if (m_files.isEmpty())
                    refuse({Fault::Invalid, u"No output file of job %1 is there."_s.arg(m_job.id), m_job.standardOutput,
                               isWaiting(m_job.state) ? u"The job has not started yet."_s
                                                      : u"It may have been moved or deleted."_s},
                        ExitNo);
                else if (m_request.wantsText)
                    choose();
                else
                    printList();
            });
    }

    void choose()
    {
        for (const ListedOutput& file : std::as_const(m_files)) {
            const bool isMeant = m_request.file == file.path || m_request.file == file.path.section(u'/', -1)
                || m_request.file == shortName(file.path, file.rank);
            if (m_request.file.isEmpty() ? m_chosen.isEmpty() || !m_request.expression.isEmpty() : isMeant)
                m_chosen.append(file);
        }
        if (m_chosen.isEmpty()) {
            QStringList names;
            for (const ListedOutput& file : std::as_const(m_files).first(qMin<qsizetype>(m_files.size(), 12)))
                names.append(file.path.section(u'/', -1));
            refuse({Fault::Invalid, u"Job %1 has no output file “%2”."_s.arg(m_job.id, m_request.file), {},
                       u"Choose one of "_s + names.join(u", "_s) + (m_files.size() > 12 ? u" …"_s : QString())},
                ExitUsage);
            return;
        }
        read();
    }

    /// The next of the chosen files.
    void read()
    {
        if (m_texts.size() == m_chosen.size()) {
            printText();
            return;
        }
        const QString path = m_chosen.at(m_texts.size()).path;
        const RemoteCommand command = m_request.expression.isEmpty()
            ? lastLinesCommand(path, m_request.lines)
            : matchingLinesCommand(path, m_request.expression, m_request.lines);
        m_login.session().shell().run(command, &m_login, [this, command](const Result<CommandOutcome>& outcome) {
            constexpr int noneMatches = 1, notValid = 2;
            const int status = outcome ? outcome->exitStatus.value_or(notValid) : 0;
            const bool isNone = status == noneMatches && !m_request.expression.isEmpty();
            if (!outcome) {
                m_login.finish(outcome.error());
            } else if (status != 0 && !isNone) {
                refuse(outcome->toError(command), m_request.expression.isEmpty() ? ExitNo : ExitUsage);
            } else {
                QStringList lines = QString::fromUtf8(outcome->output).split(u'\n');
                if (lines.last().isEmpty())
                    lines.removeLast();
                m_texts.append(lines);
                read();
            }
        });
    }

    QJsonObject fileJson(const ListedOutput& file) const
    {
        return {{u"path"_s, file.path}, {u"name"_s, file.path.section(u'/', -1)}, {u"rank"_s, orNull(file.rank)},
            {u"bytes"_s, double(file.size)}, {u"modified"_s, file.modified.toString(Qt::ISODate)}};
    }

    void printJsonAnswer(const QJsonValue& text, int code)
    {
        QJsonArray files;
        for (const ListedOutput& file : std::as_const(m_files))
            files.append(fileJson(file));
        printJson(m_login.context().out,
            QJsonObject{
                {u"jobId"_s, m_job.id}, {u"state"_s, toText(m_job.state)}, {u"files"_s, files}, {u"text"_s, text}});
        m_login.finish(code);
    }

    void printList()
    {
        if (m_login.context().json) {
            printJsonAnswer({}, ExitDone);
            return;
        }
        TextTable table({u"size"_s, u"changed (UTC)"_s, u"rank"_s, u"file"_s});
        for (const ListedOutput& file : std::as_const(m_files))
            table.add({humanBytes(Bytes{file.size}), file.modified.toString(u"yyyy-MM-dd HH:mm:ss"_s),
                file.rank ? QString::number(*file.rank) : QString(), file.path});
        table.print(m_login.context().out);
        m_login.finish(ExitDone);
    }

    void printText()
    {
        qsizetype count = 0;
        QJsonArray parts;
        const bool isNamed = m_chosen.size() > 1;
        for (qsizetype i = 0; i < m_chosen.size(); ++i) {
            const QString path = m_chosen.at(i).path;
            count += m_texts.at(i).size();
            if (m_login.context().json) {
                parts.append(QJsonObject{{u"path"_s, path}, {u"lines"_s, QJsonArray::fromStringList(m_texts.at(i))}});
                continue;
            }
            for (const QString& line : m_texts.at(i))
                m_login.context().out << (isNamed ? path.section(u'/', -1) + u": "_s : QString()) << line << u'\n';
        }
        const int code = count == 0 && !m_request.expression.isEmpty() ? ExitNo : ExitDone;
        if (m_login.context().json)
            printJsonAnswer(parts, code);
        else
            m_login.finish(code);
    }

    CliLogin& m_login;
    OutputsRequest m_request;
    JobRecord m_job;
    QList<ListedOutput> m_files;
    QList<ListedOutput> m_chosen;
    QList<QStringList> m_texts; ///< of the chosen ones, as far as they were read
};

int runOutputs(const CliContext& context)
{
    const auto request = requestOf(context);
    if (!request)
        return report(context, request.error());
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
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
        }),
        .minimumWords = 2,
        .maximumWords = 2,
    };
}

} // namespace rankwright
