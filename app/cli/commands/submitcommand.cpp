// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "app/session/practicedesign.h"
#include "app/submit/submitorder.h"
#include "app/submit/upload.h"
#include "models/core/jsonvalue.h"
#include "models/document/design.h"
#include "models/slurm/jobrecordjson.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// One run of `submit`: shows the flow's states on standard error, the answer on standard output, waits when asked.
class SubmitRun final : public QObject {
    Q_DISABLE_COPY_MOVE(SubmitRun)
public:
    SubmitRun(CliLogin& login, QString script) : m_login(login), m_script(std::move(script)) { }

    /// Copies the files first, then submits; a failed copy submits nothing.
    void uploadAndStart(const QStringList& paths, const SubmitOrder& order)
    {
        m_upload = std::make_unique<Upload>(m_login.session().shell());
        connect(m_upload.get(), &Upload::listed, this, &SubmitRun::showNotes);
        connect(m_upload.get(), &Upload::progressed, this, &SubmitRun::showProgress);
        connect(m_upload.get(), &Upload::finished, this, [this, order](const Result<UploadSummary>& outcome) {
            const CliContext& context = m_login.context();
            if (!outcome) {
                report(context, outcome.error());
                end(outcome.error().fault == Fault::Offline ? ExitUnreachable : ExitNo, {});
                return;
            }
            m_uploaded = *outcome;
            context.err << u"Copied %1 files (%2); %3 were there already.\n"_s.arg(QString::number(outcome->files),
                humanBytes(Bytes{outcome->bytes}), QString::number(outcome->unchanged));
            context.err.flush();
            start(order);
        });
        m_upload->start(paths, order.workdir);
    }

    void start(const SubmitOrder& order)
    {
        SubmitFlow& flow = m_login.session().submitFlow();
        connect(&flow, &SubmitFlow::stateChanged, this, [this](const SubmitState& state) { handleState(state); });
        flow.start(order);
    }

private:
    /// Before anything is sent.
    void showNotes(const UploadNotes& notes)
    {
        const CliContext& context = m_login.context();
        for (const QString& link : notes.skipped)
            context.err << u"Not copied, a link that leads out of its folder: %1\n"_s.arg(link);
        constexpr qsizetype most = 20;
        for (const QString& name : notes.hidden.mid(0, most))
            context.err << u"Hidden, copied as well: %1\n"_s.arg(name);
        if (notes.hidden.size() > most)
            context.err << u"... and %1 more hidden files and folders\n"_s.arg(notes.hidden.size() - most);
        context.err.flush();
    }

    /// One line whenever another tenth has gone.
    void showProgress(qint64 sent, qint64 total)
    {
        const int tenth = int(10 * sent / qMax<qint64>(1, total));
        if (tenth <= m_tenth)
            return;
        m_tenth = tenth;
        m_login.context().err << u"copying: %1 %\n"_s.arg(10 * tenth);
        m_login.context().err.flush();
    }

    void handleState(const SubmitState& state)
    {
        const CliContext& context = m_login.context();
        switch (state.stage) {
        case SubmitState::Stage::Submitted:
            context.err << state.text << u'\n';
            context.err.flush();
            m_state = state;
            if (context.has(u"wait"_s))
                waitForEnd(state.job);
            else
                end(ExitDone, {});
            break;
        case SubmitState::Stage::Rehearsed:
            m_state = state;
            end(ExitDone, {});
            break;
        case SubmitState::Stage::Refused:
            m_state = state;
            report(context, state.error);
            end(state.error.fault == Fault::Offline ? ExitUnreachable : ExitNo, {});
            break;
        case SubmitState::Stage::Unknown:
            m_state = state;
            report(context, {Fault::Offline, state.text, state.error.oneLine(), u"See: rankwright-cli jobs"_s});
            end(ExitUnreachable, {});
            break;
        default: context.err << state.text << u'\n'; context.err.flush();
        }
    }

    void waitForEnd(const JobId& job)
    {
        JobWatch& watch = m_login.session().watch(job);
        connect(&watch, &JobWatch::recordChanged, this, [this](const JobRecord& record) {
            if (record.state == m_reported)
                return;
            m_reported = record.state;
            m_login.context().err << record.id << u' ' << toText(record.state) << u'\n';
            m_login.context().err.flush();
        });
        connect(&watch, &JobWatch::over, this,
            [this](const JobRecord& record) { end(record.state == JobState::Completed ? ExitDone : ExitNo, record); });
    }

    void end(int code, const std::optional<JobRecord>& record)
    {
        const CliContext& context = m_login.context();
        const bool submitted = m_state.stage == SubmitState::Stage::Submitted;
        if (context.json) {
            QJsonObject answer{
                {u"jobId"_s, submitted ? QJsonValue(m_state.job) : QJsonValue()},
                {u"token"_s,
                    orNull(m_login.session().submitFlow().entryId().isEmpty()
                            ? QString()
                            : m_login.session().submitFlow().token())},
                {u"script"_s, m_script},
                {u"startEstimate"_s, timeJson(m_state.forecast.start)},
                {u"forecast"_s, orNull(m_state.forecast.text)},
                {u"refusal"_s,
                    m_state.stage == SubmitState::Stage::Refused ? QJsonValue(m_state.error.what) : QJsonValue()},
            };
            if (m_uploaded)
                answer.insert(u"uploaded"_s,
                    QJsonObject{{u"files"_s, m_uploaded->files}, {u"bytes"_s, m_uploaded->bytes},
                        {u"unchanged"_s, m_uploaded->unchanged}});
            if (record)
                answer.insert(u"job"_s, jobRecordJson(*record));
            printJson(context.out, answer);
        } else if (submitted) {
            context.out << m_state.job << u'\n';
        } else if (m_state.stage == SubmitState::Stage::Rehearsed) {
            context.out << m_state.forecast.text << u'\n';
        }
        m_login.finish(code);
    }

    CliLogin& m_login;
    QString m_script;
    SubmitState m_state;
    std::unique_ptr<Upload> m_upload;
    std::optional<UploadSummary> m_uploaded;
    int m_tenth = 0;
    JobState m_reported = JobState::Unknown;
};

int runSubmit(const CliContext& context)
{
    const QStringList uploads = context.all(u"upload"_s);
    if (const auto listed = listUpload(uploads); !listed) // before anybody is asked to log in
        return report(context, listed.error());
    const auto design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    CliLogin login(context);
    if (const auto failed = login.connectTo(design->profile->name))
        return *failed;
    JobSpec spec = design->resolved.spec;
    if (login.practice())
        fillFromPractice(spec, *login.practice());
    const Derived derived = derive(spec, *design->profile);
    const SubmitOrder order = submitOrder(spec, derived, context.has(u"test-only"_s));
    SubmitRun run(login, QString::fromUtf8(order.script));
    const bool refused = std::any_of(order.findings.cbegin(), order.findings.cend(),
        [](const Finding& finding) { return finding.severity == Severity::Error; });
    if (uploads.isEmpty() || order.rehearseOnly || refused) // nothing is copied for a job that is not submitted
        run.start(order);
    else
        run.uploadAndStart(uploads, order);
    return login.wait();
}

} // namespace

CliCommand submitCommand()
{
    return {
        .name = "submit",
        .summary = "Submit a design once; the job log is written before anything is sent",
        .words = "DESIGN",
        .run = runSubmit,
        .options = loginOptions({
            {.name = "upload",
                .value = "PATH",
                .text = "copy these files and folders into the job's folder first",
                .takes = CliOption::List},
            {.name = "test-only", .text = "ask Slurm when it would start, and submit nothing"},
            {.name = "wait", .text = "until the job has ended"},
        }),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
