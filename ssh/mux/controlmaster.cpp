// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/controlmaster.h"

#include "ssh/mux/muxsocket.h"

#include <QFile>

#include <sys/stat.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

bool isSocket(const QString& path)
{
    struct stat found { };
    return ::stat(QFile::encodeName(path).constData(), &found) == 0 && S_ISSOCK(found.st_mode);
}

bool isSamePlace(const SshEndpoint& one, const SshEndpoint& other)
{
    return one.host == other.host && one.port == other.port && one.user == other.user;
}

} // namespace

ControlMaster findControlMaster(const SshRequest& request, const SshEndpoint& endpoint)
{
    const QString& path = endpoint.controlPath;
    if (path.isEmpty() || !isSocket(path))
        return {};
    if (endpoint.controlMasterAsks)
        return {{}, u"The configuration has ControlMaster ask: a person would be asked for every command."_s};
    if (QFile::encodeName(path).size() > MuxSocket::longestPath())
        return {{}, u"The ControlPath is longer than a socket's name may be."_s};
    // A name that no configuration has: what it leads to, all hosts lead to.
    SshRequest other;
    other.host = u"no-host-of-yours.invalid"_s;
    other.configFile = request.configFile;
    const auto elsewhere = resolveEndpoint(other);
    if (!elsewhere || elsewhere->controlPath == path)
        return {{},
            u"The configuration gives every host the same ControlPath (%1): it may lead to another one."_s.arg(path)};
    SshRequest bare = request;
    bare.user.clear();
    bare.port.reset();
    bare.jump.clear();
    bare.identities.clear();
    const auto configured = resolveEndpoint(bare);
    if (!configured || (configured->controlPath == path && !isSamePlace(*configured, endpoint)))
        return {{},
            u"Neither the user name nor the port is in the ControlPath (%1): it may lead to another account."_s.arg(
                path)};
    return {path, {}};
}

} // namespace rankwright
