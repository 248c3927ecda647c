// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer.h"
#include "app/cli/designfile.h"
#include "app/cli/netcommands.h"
#include "app/cli/netlogin.h"
#include "app/submitorder.h"
#include "models/document/design.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// One run of `submit`: shows the flow's states on standard error, the answer on standard output, waits when asked.
class SubmitRun final : public QObject {
    Q_DISABLE_COPY_MOVE(SubmitRun)
public:
    SubmitRun(NetLogin& login, QString script) : m_login(login), m_script(std::move(script)) { }

    void start(const SubmitOrder& order)
    {
        SubmitFlow& flow = m_login.session().submitFlow();
        connect(&flow, &SubmitFlow::stateChanged, this, [this](const SubmitState& state) { handleState(state); });
        flow.start(order);
    }

private:
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
            if (record.state == m_told)
                return;
            m_told = record.state;
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
            if (record)
                answer.insert(u"job"_s, jobJson(*record));
            printJson(context.out, answer);
        } else if (submitted) {
            context.out << m_state.job << u'\n';
        } else if (m_state.stage == SubmitState::Stage::Rehearsed) {
            context.out << m_state.forecast.text << u'\n';
        }
        m_login.finish(code);
    }

    NetLogin& m_login;
    QString m_script;
    SubmitState m_state;
    JobState m_told = JobState::Unknown;
};

} // namespace

int runSubmit(const CliContext& context)
{
    if (context.has(u"upload"_s))
        return report(context,
            {Fault::Invalid, u"--upload is not in this version."_s, {}, u"Copy the files with scp or rsync first."_s});
    const auto design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    NetLogin login(context);
    if (const auto failed = login.connectTo(design->profile->name))
        return *failed;
    JobSpec spec = design->resolved.spec;
    if (login.practice())
        fillFromPractice(spec, *login.practice());
    const Derived derived = derive(spec, *design->profile);
    const SubmitOrder order = submitOrder(spec, derived, context.has(u"test-only"_s));
    SubmitRun run(login, QString::fromUtf8(order.script));
    run.start(order);
    return login.wait();
}

} // namespace rankwright
