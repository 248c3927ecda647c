// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/datafolder.h"
#include "app/base/settings.h"
#include "app/cli/clioutput.h"
#include "app/cli/commands/commands.h"
#include "app/cli/interruption.h"
#include "app/keeper/keeperposix.h"
#include "app/keeper/keeperquery.h"
#include "app/keeper/keeperserver.h"
#include "app/keeper/keeperstart.h"
#include "app/session/networkwatch.h"

#include <QDateTime>
#include <QEventLoop>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr int startMs = 15000;
constexpr int retryMs = 50;

QString wordOf(LinkState state)
{
    switch (state) {
    case LinkState::Offline: return u"offline"_s;
    case LinkState::Connecting: return u"connecting"_s;
    case LinkState::NeedsAnswer: return u"asking"_s;
    case LinkState::Online: return u"online"_s;
    case LinkState::Lost: break;
    }
    return u"lost"_s;
}

QJsonValue timeJson(qint64 seconds)
{
    return seconds > 0 ? QJsonValue(QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).toString(Qt::ISODate))
                       : QJsonValue(QJsonValue::Null);
}

QString timeText(qint64 seconds) { return QDateTime::fromSecsSinceEpoch(seconds).toString(u"yyyy-MM-dd HH:mm:ss"_s); }

QJsonObject statusJson(const KeeperStatus& status)
{
    QJsonArray connections;
    for (const KeeperStatus::Connection& each : status.connections)
        connections.append(QJsonObject{{u"endpoint"_s, each.endpoint}, {u"state"_s, wordOf(each.state)},
            {u"openedAt"_s, timeJson(each.openedAt)}, {u"commands"_s, each.commands}, {u"running"_s, each.running},
            {u"programs"_s, each.programs}});
    return {{u"pid"_s, status.pid}, {u"version"_s, status.program}, {u"startedAt"_s, timeJson(status.startedAt)},
        {u"idleSeconds"_s, status.idleSeconds}, {u"connections"_s, connections}};
}

void printStatus(const CliContext& context, const Settings& settings, const std::optional<KeeperStatus>& status)
{
    if (context.json) {
        QJsonObject answer = status ? statusJson(*status) : QJsonObject();
        answer.insert(u"running"_s, status.has_value());
        answer.insert(u"startedByCommands"_s, settings.keeperWanted());
        printJson(context.out, answer);
        return;
    }
    if (!status) {
        context.out << u"No connection agent runs; commands "_s
                    << (settings.keeperWanted() ? u"start one when they need it.\n"_s : u"log in by themselves.\n"_s);
        return;
    }
    context.out << u"The connection agent runs as process %1 since %2 and ends after %3 min without use.\n"_s
                       .arg(status->pid)
                       .arg(timeText(status->startedAt))
                       .arg(status->idleSeconds / 60);
    for (const KeeperStatus::Connection& each : status->connections) {
        context.out << each.endpoint << u": "_s << wordOf(each.state);
        if (each.openedAt > 0)
            context.out << u" since "_s << timeText(each.openedAt);
        context.out << u", commands so far %1, running now %2\n"_s.arg(each.commands).arg(each.running);
    }
}

/// Asks the agent that runs, and waits for it. Fault::Offline: none runs.
Result<KeeperStatus> ask(const QString& folder, bool stops)
{
    Result<KeeperStatus> answer = fail(Fault::Io, u"not asked"_s);
    QEventLoop loop;
    KeeperQuery query(keeperPlace(folder));
    const auto then = [&](const Result<KeeperStatus>& status) {
        answer = status;
        loop.quit();
    };
    if (stops)
        query.stop(then);
    else
        query.ask(then);
    loop.exec();
    return answer;
}

int runStatus(const CliContext& context, const QString& folder)
{
    const Settings settings(folder);
    const auto status = ask(folder, false);
    if (!status && status.error().fault != Fault::Offline)
        return report(context, status.error(), ExitNo);
    printStatus(context, settings, status ? std::optional(*status) : std::nullopt);
    return status ? ExitDone : ExitNo;
}

int runStop(const CliContext& context, const QString& folder)
{
    const auto status = ask(folder, true);
    if (!status)
        return report(context, status.error(), ExitNo);
    int running = 0;
    for (const KeeperStatus::Connection& each : status->connections)
        running += each.running;
    if (context.json)
        printJson(context.out,
            QJsonObject{{u"stopped"_s, true}, {u"pid"_s, status->pid},
                {u"connections"_s, int(status->connections.size())}, {u"commandsEnded"_s, running}});
    else
        context.out << u"The connection agent (process %1) has ended; commands that ran over it: %2\n"_s
                           .arg(status->pid)
                           .arg(running);
    return ExitDone;
}

int runInForeground(const CliContext& context, const QString& folder)
{
    const bool isDetached = context.has(u"detached"_s);
    if (isDetached)
        closeInherited();
    forbidInspection();
    KeeperServer::Limits limits;
    limits.idleMs = qint64(Settings(folder).keeperIdleMinutes()) * 60 * 1000;
    limits.emptyMs = qMin(limits.emptyMs, limits.idleMs);
    KeeperServer server(KeeperServer::realParts(), limits);
    if (const auto listens = server.listen(keeperPlace(folder)); !listens)
        return report(context, listens.error(), ExitNo);
    QEventLoop loop;
    Interruption interruption;
    QObject::connect(&interruption, &Interruption::signalArrived, &loop, [&loop] { loop.quit(); });
    QObject::connect(&server, &KeeperServer::ended, &loop, [&loop] { loop.quit(); });
    NetworkWatch network;
    QObject::connect(&network, &NetworkWatch::changed, &server, &KeeperServer::probeAll);
    QObject::connect(&network, &NetworkWatch::machineWoke, &server, &KeeperServer::probeAll);
    if (!isDetached)
        context.err << u"rankwright-cli: the connection agent listens at %1; Ctrl-C ends it\n"_s.arg(
            keeperPlace(folder).socket);
    context.err.flush();
    loop.exec();
    return ExitDone;
}

int runStart(const CliContext& context, const QString& folder)
{
    if (const auto running = ask(folder, false); running || running.error().fault != Fault::Offline) {
        if (!running)
            return report(context, running.error(), ExitNo);
        printStatus(context, Settings(folder), *running);
        return ExitDone;
    }
    // What would keep it from listening is said here: the one in the background has nowhere to say it.
    if (const auto safe = prepareKeeperFolder(keeperPlace(folder)); !safe)
        return report(context, safe.error(), ExitNo);
    if (!startKeeper(folder))
        return report(context, {Fault::Io, u"The connection agent could not be started."_s, {}, {}}, ExitNo);
    QElapsedTimer since;
    since.start();
    for (;;) {
        const auto status = ask(folder, false);
        if (status) {
            printStatus(context, Settings(folder), *status);
            return ExitDone;
        }
        if (status.error().fault != Fault::Offline || since.elapsed() > startMs)
            return report(context,
                {Fault::TimedOut, u"The connection agent did not start."_s, status.error().what,
                    u"Try it by hand: rankwright-cli agent run"_s},
                ExitNo);
        QEventLoop pause;
        QTimer::singleShot(retryMs, &pause, &QEventLoop::quit);
        pause.exec();
    }
}

int runSwitch(const CliContext& context, const QString& folder, bool on)
{
    Settings settings(folder);
    if (on && context.has(u"idle"_s)) {
        bool good = false;
        const int minutes = context.option(u"idle"_s).toInt(&good);
        if (!good || minutes < 1)
            return report(context,
                {Fault::Invalid, u"--idle %1 is not a number of minutes"_s.arg(context.option(u"idle"_s)), {},
                    u"give 1 or more"_s});
        settings.setKeeperIdleMinutes(minutes);
    }
    settings.setKeeperWanted(on);
    const auto status = ask(folder, false);
    printStatus(context, settings, status ? std::optional(*status) : std::nullopt);
    return ExitDone;
}

int runAgent(const CliContext& context)
{
    const QString verb = context.positional.value(0, u"run"_s);
    const auto folder = prepareDataFolder(context.option(u"data-dir"_s));
    if (!folder)
        return report(context, folder.error());
    if (verb == u"run")
        return runInForeground(context, *folder);
    if (verb == u"start")
        return runStart(context, *folder);
    if (verb == u"status")
        return runStatus(context, *folder);
    if (verb == u"stop")
        return runStop(context, *folder);
    if (verb == u"on" || verb == u"off")
        return runSwitch(context, *folder, verb == u"on");
    return report(context,
        {Fault::Invalid, u"“agent %1” is not known"_s.arg(verb), {}, u"give run, start, status, stop, on or off"_s});
}

} // namespace

CliCommand agentCommand()
{
    return {
        .name = "agent",
        .summary = "One connection per cluster for all commands: run the agent that holds them, see it, end it",
        .words = "[run|start|status|stop|on|off]",
        .run = runAgent,
        .options = {
            {.name = "idle", .value = "MINUTES", .text = "with on: the agent ends after this long without use"},
            {.name = "detached", .text = "with run: for programs that start an agent and do not wait for it"},
            {.name = "data-dir", .value = "FOLDER", .text = "whose agent: where the program keeps what it records"},
        },
        .maximumWords = 1,
    };
}

} // namespace rankwright
