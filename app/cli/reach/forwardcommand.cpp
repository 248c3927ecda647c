// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/cli/reach/joboncluster.h"
#include "app/forward/portforwards.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr int askMs = 20000; ///< whether the job still runs

QString wordOf(PortForward::Way way)
{
    switch (way) {
    case PortForward::Way::Unknown: break;
    case PortForward::Way::Login: return u"login"_s;
    case PortForward::Way::Relay: return u"step"_s;
    case PortForward::Way::Bash: return u"step-bash"_s;
    }
    return {};
}

/// Says what happens to one forwarded port: where it is once, then each change of way or trouble, then the end.
class ForwardPrinter {
public:
    ForwardPrinter(const CliContext& context, const PortForward& forward, int wanted)
        : m_context(context), m_forward(forward), m_wanted(wanted)
    { }

    void update()
    {
        if (!m_forward.isTried())
            return;
        if (!std::exchange(m_printed, true))
            printPlace();
        if (m_forward.way() != m_way && m_forward.way() != PortForward::Way::Unknown) {
            m_way = m_forward.way();
            say(u"connections go "_s + wayText(m_way, m_forward.step().node));
        }
        if (m_forward.trouble() != m_trouble) {
            m_trouble = m_forward.trouble();
            if (!m_trouble.isEmpty())
                say(m_trouble);
        }
    }

private:
    void say(const QString& text)
    {
        m_context.err << u"rankwright-cli: "_s << text << u'\n';
        m_context.err.flush();
    }
    void printPlace()
    {
        const QString address = u"127.0.0.1:%1"_s.arg(m_forward.localPort());
        if (m_forward.localPort() != m_wanted)
            say(u"port %1 is in use or reserved here; it is %2"_s.arg(m_wanted).arg(m_forward.localPort()));
        if (m_context.json)
            printJson(m_context.out,
                QJsonObject{{u"jobId"_s, m_forward.step().job}, {u"node"_s, m_forward.step().node},
                    {u"port"_s, m_forward.port()}, {u"localAddress"_s, u"127.0.0.1"_s},
                    {u"localPort"_s, m_forward.localPort()},
                    {u"way"_s,
                        m_forward.way() == PortForward::Way::Unknown ? QJsonValue()
                                                                     : QJsonValue(wordOf(m_forward.way()))}});
        else
            m_context.out << address << u" is port "_s << m_forward.port() << u" of "_s << m_forward.step().node
                          << u": http://"_s << address << u"/\n"_s;
        m_context.out.flush();
        say(everyLocalUserText() + u" Ctrl-C ends it."_s);
    }

    const CliContext& m_context;
    const PortForward& m_forward;
    const int m_wanted;
    PortForward::Way m_way = PortForward::Way::Unknown;
    QString m_trouble;
    bool m_printed = false;
};

int runForward(const CliContext& context)
{
    const auto place = NodeChoice::read(context);
    const auto port = portOf(context.positional.value(2));
    const auto wanted = context.has(u"local-port"_s) ? portOf(context.option(u"local-port"_s)) : port;
    if (!place || !port || !wanted)
        return report(context, !place ? place.error() : !port ? port.error() : wanted.error());
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    PortForwards forwards(login.session().shell());
    std::unique_ptr<ForwardPrinter> printer;
    QTimer clock;
    findNode(login, *place, [&](const JobRecord& job, const NodeStep& step) {
        const auto id = forwards.start(job, step.node, *port, *wanted);
        if (!id) {
            login.finish(id.error());
            return;
        }
        const PortForward* forward = forwards.find(*id);
        printer = std::make_unique<ForwardPrinter>(context, *forward, *wanted);
        QObject::connect(&forwards, &PortForwards::changed, &login, [&, forward] {
            if (forward->isActive()) {
                printer->update();
                return;
            }
            context.err << u"rankwright-cli: "_s << forward->ending() << u'\n';
            context.err.flush();
            login.finish(ExitDone);
        });
    });
    QObject::connect(&clock, &QTimer::timeout, &login, [&] {
        if (!login.session().isOnline())
            return;
        login.session().client().job(place->job, &login, [&](const Result<JobRecord>& record) {
            if (record)
                forwards.update(place->job, *record);
            else if (record.error().fault == Fault::Invalid) // Slurm has forgotten it
                forwards.update(place->job, std::nullopt);
        });
    });
    clock.start(askMs);
    return login.wait();
}

} // namespace

CliCommand forwardCommand()
{
    return {
        .name = "forward",
        .summary = "Bring a port of a job's node to this computer: TensorBoard, Jupyter, any service",
        .words = "CLUSTER JOB PORT",
        .run = runForward,
        .options = loginOptions({
            {.name = "node", .value = "NODE", .text = "which of the job's nodes; without it the first"},
            {.name = "rank", .value = "N", .text = "the node of this rank"},
            {.name = "local-port", .value = "PORT", .text = "the port here; without it the same, or the next free"},
        }),
        .minimumWords = 3,
        .maximumWords = 3,
    };
}

} // namespace rankwright
