// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/loginwords.h"

#include <QEventLoop>

#include <fcntl.h>

using namespace Qt::StringLiterals;

namespace rankwright {

Result<ConnectOptions> readConnectOptions(const CliContext& context, int* passwordDescriptor)
{
    ConnectOptions options;
    options.host = context.option(u"host"_s);
    options.user = context.option(u"user"_s);
    options.identities = context.all(u"identity"_s);
    options.jump = context.option(u"jump"_s);
    options.knownHosts = context.option(u"known-hosts"_s);
    options.config = context.option(u"config"_s);
    if (context.has(u"port"_s)) {
        bool good = false;
        const int port = context.option(u"port"_s).toInt(&good);
        if (!good || port < 1 || port > 65535)
            return fail(Fault::Invalid, u"--port %1 is not a port."_s.arg(context.option(u"port"_s)), {},
                u"Give 1 to 65535."_s);
        options.port = port;
    }
    int& descriptor = *passwordDescriptor;
    descriptor = -1;
    if (context.has(u"password-fd"_s)) {
        bool good = false;
        descriptor = context.option(u"password-fd"_s).toInt(&good);
        if (!good || descriptor < 0 || ::fcntl(descriptor, F_GETFD) == -1)
            return fail(Fault::Invalid,
                u"--password-fd %1 is not an open descriptor."_s.arg(context.option(u"password-fd"_s)), {},
                u"Open it in the shell, as in --password-fd 3 3<file."_s);
    }
    return options;
}

Result<PracticeStatus> askPractice()
{
    PracticeCluster practice;
    Result<PracticeStatus> status = fail(Fault::Io, u"not asked"_s);
    QEventLoop loop;
    practice.status(&loop, [&](const Result<PracticeStatus>& answer) {
        status = answer;
        loop.quit();
    });
    loop.exec();
    if (status && !status->running)
        return fail(Fault::Offline, u"The practice cluster is not running."_s, {},
            u"Start it with: rankwright-cli practice up"_s);
    return status;
}

} // namespace rankwright
