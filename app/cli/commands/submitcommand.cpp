// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "app/cli/loginlimits.h"
#include "app/session/practicedesign.h"
#include "app/submit/submitorder.h"
#include "app/submit/upload.h"
#include "models/cluster/slurm/jobrecordjson.h"
#include "models/core/jsonvalue.h"
#include "models/core/quantitytext.h"
#include "models/script/document/design.h"

#include <QElapsedTimer>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// One run of `submit`: shows the flow's states on standard error, the answer on standard output, waits when asked.
class SubmitRun final : public QObject {
    Q_DISABLE_COPY_MOVE(SubmitRun)
public:
    SubmitRun(CliLogin& login, QString script) : m_login(login), m_script(std::move(script))
    {
        m_login.onInterruption([this] { handleInterruption(); });
        m_lastWait.setSingleShot(true);
        m_compareWait.setSingleShot(true);
        connect(&m_compareWait, &QTimer::timeout, this,
            [this] { handleComparison(m_login.session().submitFlow().state()); });
        connect(&m_lastWait, &QTimer::timeout, this, &SubmitRun::endUndecided);
    }

    /// Copies the files first, then submits; a failed copy submits nothing.
    void uploadAndStart(const QStringList& paths, const SubmitOrder& order)
    {
        m_upload = std::make_unique<Upload>(m_login.session().shell());
        connect(m_upload.get(), &Upload::filesListed, this, &SubmitRun::showNotes);
        connect(m_upload.get(), &Upload::progressed, this, &SubmitRun::showProgress);
        connect(m_upload.get(), &Upload::finished, this, [this, order](const Result<UploadSummary>& outcome) {
            const CliContext& context = m_login.context();
            if (!outcome) {
                report(context, outcome.error());
                end(outcome.error().fault == Fault::Offline ? ExitUnreachable : ExitNo, {});
                return;
            }
            m_uploaded = *outcome;
            context.err << u"Copied %1 (%2); already there: %3.\n"_s.arg(counted(outcome->files, u"file"_s),
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
        connect(&flow, &SubmitFlow::jobCompared, this, [this](const SubmitState& state) { handleComparison(state); });
        flow.start(order);
    }

private:
    /// Before anything is sent.
    void showNotes(const UploadNotes& notes)
    {
        const CliContext& context = m_login.context();
        for (const QString& link : notes.skipped)
            context.err << u"Not copied, a link that leads out of the folder: %1\n"_s.arg(link);
        for (const QString& link : notes.folderLinks)
            context.err << u"Not copied, a link to a folder: %1\n"_s.arg(link);
        constexpr qsizetype most = 20;
        for (const QString& name : notes.hidden.mid(0, most))
            context.err << u"Hidden, copied as well: %1\n"_s.arg(name);
        if (notes.hidden.size() > most)
            context.err << u"... and %1\n"_s.arg(counted(
                notes.hidden.size() - most, u"more hidden file or folder"_s, u"more hidden files and folders"_s));
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
            if (m_lastWait.isActive())
                endInterrupted();
            else
                m_compareWait.start(compareMs);
            break;
        case SubmitState::Stage::Rehearsed:
            m_state = state;
            end(state.forecast.answer == StartForecast::Answer::Accepted ? ExitDone : ExitNo, {});
            break;
        case SubmitState::Stage::Refused:
            m_state = state;
            report(context, state.error);
            end(state.error.fault == Fault::Offline ? ExitUnreachable : ExitNo, {});
            break;
        case SubmitState::Stage::Unknown:
            m_state = state;
            report(context,
                {Fault::Offline, state.text, state.error.oneLine(),
                    u"To have it searched for now, run this command again, or rankwright-cli jobs %1: both look for it before anything is sent."_s
                        .arg(m_login.session().profile().name)});
            end(ExitUnreachable, {});
            break;
        default: context.err << state.text << u'\n'; context.err.flush();
        }
    }

    /// The last of a submission: what Slurm has, beside what was designed.
    void handleComparison(const SubmitState& state)
    {
        if (m_isOver)
            return; // interrupted, or too late
        m_isOver = true;
        m_compareWait.stop();
        m_state = state;
        for (const QString& difference : state.differences)
            say(u"Warning: "_s + difference);
        if (!state.wasCompared)
            say(u"Slurm did not report what it recorded of the job: compare it with the design by rankwright-cli "
                u"jobs."_s);
        if (m_login.context().has(u"wait"_s))
            askTasks();
        else
            end(ExitDone, {});
    }

    /// An array has ended when all of its tasks have; a single job is watched.
    void askTasks()
    {
        m_login.session().client().tasks(m_state.job, this, [this](const Result<QList<JobRecord>>& tasks) {
            const bool isArray = tasks && tasks->first().id.contains(u'_');
            if (!isArray && !m_isArray && tasks) {
                waitForEnd(m_state.job);
                return;
            }
            m_isArray = m_isArray || isArray;
            if (isArray && handleTasks(*tasks))
                return;
            if (isArray)
                m_unanswered.invalidate();
            else if (!m_login.session().isOnline() || !m_unanswered.isValid())
                m_unanswered.start();
            else if (m_unanswered.elapsed() >= unansweredMs) {
                endUnanswered(tasks ? Error() : tasks.error());
                return;
            }
            QTimer::singleShot(askAgainMs, this, [this] { askTasks(); });
        });
    }

    /// Slurm forgets tasks that have ended; without accounting, how they ended is unknown.
    void endUnanswered(const Error& why)
    {
        const QString what
            = u"Slurm has not reported the tasks of job %1 for %2 min; how it ended is not known."_s.arg(m_state.job)
                  .arg(unansweredMs / 60000);
        report(m_login.context(),
            {Fault::TimedOut, what, why.oneLine(),
                u"See rankwright-cli jobs %1 --past 1."_s.arg(m_login.session().profile().name)});
        end(ExitUnreachable, {});
    }

    /// True: all have ended, and so has this.
    bool handleTasks(const QList<JobRecord>& tasks)
    {
        const auto ended
            = std::count_if(tasks.cbegin(), tasks.cend(), [](const JobRecord& task) { return hasEnded(task.state); });
        const bool hasMoreEnded = std::exchange(m_ended, ended) != ended;
        if (hasMoreEnded)
            say(u"%1: %2 of %3 tasks have ended"_s.arg(m_state.job).arg(ended).arg(tasks.size()));
        m_tasks = tasks;
        if (ended < tasks.size() || hasMoreEnded) // once more: the accounting learns of tasks one by one
            return false;
        const bool good = std::all_of(
            tasks.cbegin(), tasks.cend(), [](const JobRecord& task) { return task.state == JobState::Completed; });
        end(good ? ExitDone : ExitNo, {});
        return true;
    }

    /// Ctrl-C, or the terminal is gone: the output still says what became of the job.
    void handleInterruption()
    {
        SubmitFlow& flow = m_login.session().submitFlow();
        switch (flow.state().stage) {
        case SubmitState::Stage::Sending:
            say(u"Interrupted while Slurm has the script: waiting up to %1 s for its answer (interrupt again to stop waiting)."_s
                    .arg(lastWaitMs / 1000));
            m_lastWait.start(lastWaitMs);
            break;
        case SubmitState::Stage::Submitted: endInterrupted(); break;
        case SubmitState::Stage::Unknown: endUndecided(); break;
        case SubmitState::Stage::Recovering:
            if (!flow.entryId().isEmpty()) {
                endUndecided();
                break;
            }
            [[fallthrough]];
        default:
            disconnect(&flow, nullptr, this, nullptr);
            flow.stop();
            say(u"Interrupted; nothing was submitted now."_s);
            end(ExitNo, {});
        }
    }

    void endInterrupted()
    {
        m_isOver = true;
        m_lastWait.stop();
        m_compareWait.stop();
        const QString cluster = m_login.session().profile().name;
        say(u"Interrupted; job %1 goes on. Follow it by rankwright-cli watch %2 %1, end it by rankwright-cli cancel %2 %1."_s
                .arg(m_state.job, cluster));
        end(ExitNo, {});
    }

    void endUndecided()
    {
        disconnect(&m_login.session().submitFlow(), nullptr, this, nullptr);
        say(u"Interrupted; it is not known yet whether Slurm took the job. Submitting the same design again, or "
            "rankwright-cli jobs %1, looks for it first; it is never sent twice."_s.arg(
                m_login.session().profile().name));
        end(ExitUnreachable, {});
    }

    void say(const QString& text)
    {
        m_login.context().err << text << u'\n';
        m_login.context().err.flush();
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
        connect(&watch, &JobWatch::jobEnded, this,
            [this](const JobRecord& record) { end(record.state == JobState::Completed ? ExitDone : ExitNo, record); });
    }

    void end(int code, const std::optional<JobRecord>& record)
    {
        const CliContext& context = m_login.context();
        const bool submitted = m_state.stage == SubmitState::Stage::Submitted;
        // This is not a refusal: no connection, a controller that does not answer.
        const bool isRefusal = m_state.stage == SubmitState::Stage::Refused && m_state.error.fault != Fault::Offline;
        if (context.json) {
            QJsonObject answer{
                {u"jobId"_s, submitted ? QJsonValue(m_state.job) : QJsonValue()},
                {u"token"_s,
                    orNull(m_login.session().submitFlow().entryId().isEmpty()
                            ? QString()
                            : m_login.session().submitFlow().token())},
                {u"script"_s, m_script},
                {u"found"_s, m_state.wasFound},
                {u"differences"_s,
                    m_state.wasCompared ? QJsonValue(QJsonArray::fromStringList(m_state.differences)) : QJsonValue()},
                {u"startEstimate"_s, timeJson(m_state.forecast.start)},
                {u"forecast"_s, orNull(m_state.forecast.text)},
                {u"forecastNote"_s, orNull(m_state.forecast.note)},
                {u"refusal"_s, isRefusal ? QJsonValue(m_state.error.what) : QJsonValue()},
            };
            if (m_uploaded)
                answer.insert(u"uploaded"_s,
                    QJsonObject{{u"files"_s, m_uploaded->files}, {u"bytes"_s, m_uploaded->bytes},
                        {u"unchanged"_s, m_uploaded->unchanged}});
            if (m_isArray) {
                QJsonArray tasks;
                for (const JobRecord& task : m_tasks)
                    tasks.append(jobRecordJson(task));
                answer.insert(u"tasks"_s, tasks);
            }
            if (record)
                answer.insert(u"job"_s, jobRecordJson(*record));
            printJson(context.out, answer);
        } else if (submitted) {
            context.out << m_state.job << u'\n';
        } else if (m_state.stage == SubmitState::Stage::Rehearsed) {
            context.out << m_state.text << u'\n';
        }
        context.out.flush();
        if (submitted) // reported now, and not before
            m_login.session().submitFlow().acknowledge();
        m_login.finish(code);
    }

    static constexpr int lastWaitMs = 5000;
    static constexpr int askAgainMs = 3000;
    static constexpr qint64 unansweredMs = 10 * 60 * 1000; // the controller may be restarted meanwhile
    static constexpr int compareMs = 15000; // Slurm's answer; the job is submitted either way
    CliLogin& m_login;
    bool m_isArray = false;
    QList<JobRecord> m_tasks; ///< of an array that is waited for
    qsizetype m_ended = -1;
    QElapsedTimer m_unanswered; ///< valid while the tasks are asked for in vain
    QTimer m_compareWait;
    bool m_isOver = false; ///< what became of the submission has been said
    QTimer m_lastWait; ///< of the interrupted program for sbatch's answer
    QString m_script;
    SubmitState m_state;
    std::unique_ptr<Upload> m_upload;
    std::optional<UploadSummary> m_uploaded;
    int m_tenth = 0;
    JobState m_reported = JobState::Unknown;
};

/// What the model made of an open size is said; what cannot fit is named with its ways out.
void noteFit(const CliContext& context, SubmitOrder& order)
{
    for (Finding& finding : order.findings) {
        if (finding.slug == slug::sizeByModel)
            context.err << finding.text << u'\n';
        if (finding.slug == slug::memoryDoesNotFit)
            finding.otherFixes.append(Fix{u"--force, if you know better"_s, {}});
    }
    if (context.has(u"force"_s)) {
        for (const Finding& finding : letPassUnfitting(order))
            context.err << finding.text << u" Submitted all the same (--force).\n"_s;
    }
}

int runSubmit(const CliContext& context)
{
    const QStringList uploads = context.all(u"upload"_s);
    if (const auto listed = listUpload(uploads); !listed) // before anybody is asked to log in
        return report(context, listed.error());
    const auto design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    CliLogin login(context);
    if (const auto failed = login.connectTo(design->profile->name)) {
        if (Interruption::received() != 0)
            report(context, {Fault::Cancelled, u"Nothing was submitted."_s, {}, {}});
        return *failed;
    }
    JobSpec spec = design->resolved.spec;
    if (login.practice())
        fillFromPractice(spec, *login.practice());
    const auto reported = profileWithLimits(login, *design->profile);
    if (!reported)
        return report(context, reported.error(), ExitNo);
    const ClusterProfile profile = *reported;
    const Derived derived = derive(spec, profile, login.measuredRuns());
    SubmitOrder order = submitOrder(
        spec, derived, context.has(u"test-only"_s) ? SubmitPurpose::Rehearsal : SubmitPurpose::Submission);
    order.asked = login.jobLog().openedAt(); // the login and an upload take their time
    noteFit(context, order);
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
            {.name = "force", .text = "also what is expected not to fit into the GPUs' memory"},
            {.name = "wait", .text = "until the job has ended"},
            {.name = "uncorrected", .text = "checked by published figures alone, without what your own runs measured"},
        }),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
