// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "ssh/mux/muxserver.h"

#include <csignal>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

Wakeup* resized = nullptr;

/// `ssh` hands on that its terminal has another size by this signal to the process that serves it.
extern "C" void wakeForSize(int)
{
    if (resized)
        resized->wake();
}

void sayWhere(const CliContext& context, const QString& socket, bool isConfigured)
{
    if (context.json) {
        printJson(context.out, QJsonObject{{u"socket"_s, socket}, {u"configured"_s, isConfigured}});
    } else {
        context.out << u"shared at "_s << socket << u'\n';
        if (isConfigured)
            context.out << u"ssh, scp, sftp and rsync find it by the ControlPath of your configuration\n"_s;
        else
            context.out << u"use it with: ssh -S %1, scp -o ControlPath=%1, rsync -e 'ssh -S %1'\n"_s.arg(socket);
    }
    context.out.flush();
}

int runShare(const CliContext& context)
{
    QString socket = context.option(u"socket"_s);
    const bool isConfigured = socket.isEmpty();
    CliLogin login(context);
    login.insistOnOwn([&socket](const SshEndpoint& endpoint) -> Result<void> {
        if (socket.isEmpty())
            socket = endpoint.controlPath;
        if (socket.isEmpty())
            return fail(Fault::Invalid, u"Your SSH configuration has no ControlPath for this host."_s, {},
                u"Write ControlPath ~/.ssh/%C below its Host line in ~/.ssh/config, or give --socket PATH."_s);
        return MuxServer::check(socket);
    });
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    auto* link = qobject_cast<ClusterLink*>(&login.session().shell());
    MuxServer server(*link);
    if (const auto listening = server.listen(socket); !listening)
        return report(context, listening.error(), ExitNo);
    Wakeup wakeup;
    resized = &wakeup;
    struct sigaction action { };
    action.sa_handler = wakeForSize;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGWINCH, &action, nullptr);
    QSocketNotifier sizes(wakeup.descriptor(), QSocketNotifier::Read);
    QObject::connect(&sizes, &QSocketNotifier::activated, &server, [&] {
        wakeup.consume();
        server.updateSizes();
    });
    QObject::connect(&server, &MuxServer::exitAsked, &login, [&login] { login.finish(ExitDone); });
    login.onInterruption([&login] { login.finish(ExitDone); });
    sayWhere(context, socket, isConfigured);
    const int code = login.wait();
    std::signal(SIGWINCH, SIG_DFL);
    resized = nullptr;
    return code;
}

} // namespace

CliCommand shareCommand()
{
    return {
        .name = "share",
        .summary = "Log in once and let ssh, scp, sftp and rsync use the connection (a ControlPath of OpenSSH)",
        .words = "CLUSTER",
        .run = runShare,
        .options = loginOptions({
            {.name = "socket",
                .value = "PATH",
                .text = "the control socket; without it the configuration's ControlPath"},
        }),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
