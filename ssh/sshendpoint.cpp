// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshendpoint.h"

#include "models/core/logging.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int clientTimeoutMs = 5000;
constexpr int deepestJump = 8; // a configuration whose hosts name each other as jumps must end somewhere

QString expandHome(const QString& path)
{
    return path.startsWith(u"~/"_s) ? QString(QDir::homePath() + path.mid(1)) : path;
}

/// `ssh -G` lists OpenSSH's default names when nobody configured any.
bool isDefaultIdentity(const QString& path)
{
    static const QRegularExpression name(u"^(~|%1)/\\.ssh/id_(rsa|dsa|ecdsa|ecdsa_sk|ed25519|ed25519_sk|xmss)$"_s.arg(
        QRegularExpression::escape(QDir::homePath())));
    return name.match(path).hasMatch();
}

QString localUser()
{
    const QString user = qEnvironmentVariable("USER");
    return user.isEmpty() ? qEnvironmentVariable("LOGNAME") : user;
}

QStringList clientArguments(const SshWish& wish)
{
    QStringList arguments = {u"-G"_s};
    if (!wish.configFile.isEmpty())
        arguments << u"-F"_s << wish.configFile;
    if (wish.port)
        arguments << u"-p"_s << QString::number(*wish.port);
    if (!wish.user.isEmpty())
        arguments << u"-l"_s << wish.user;
    for (const QString& identity : wish.identities)
        arguments << u"-i"_s << identity;
    if (!wish.knownHosts.isEmpty())
        arguments << u"-o"_s << QString(u"UserKnownHostsFile=\""_s + wish.knownHosts + u'"');
    if (!wish.jump.isEmpty())
        arguments << u"-o"_s << QString(u"ProxyJump="_s + wish.jump);
    arguments << wish.host;
    return arguments;
}

Result<QByteArray> askClient(const QString& client, const SshWish& wish)
{
    QProcess process;
    process.start(client, clientArguments(wish), QIODevice::ReadOnly);
    if (!process.waitForFinished(clientTimeoutMs)) {
        process.kill();
        process.waitForFinished(1000);
        return fail(Fault::TimedOut, u"Reading the SSH configuration took too long."_s, process.errorString(),
            u"Check the Match exec lines of ~/.ssh/config."_s);
    }
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        return fail(Fault::Invalid, u"The SSH configuration for %1 cannot be read."_s.arg(wish.host),
            QString::fromLocal8Bit(process.readAllStandardError()).trimmed(), u"Run: ssh -G %1"_s.arg(wish.host));
    }
    return process.readAllStandardOutput();
}

/// Without the client only the wish counts.
SshEndpoint fromWish(const SshWish& wish)
{
    SshEndpoint endpoint;
    endpoint.host = wish.host;
    endpoint.port = wish.port.value_or(22);
    endpoint.user = wish.user.isEmpty() ? localUser() : wish.user;
    return endpoint;
}

Result<SshEndpoint> resolve(const SshWish& wish, int depth);

/// The list is complete: only its first host may have jumps of its own before it, as with the OpenSSH client.
Result<QList<SshEndpoint>> resolveJumps(const QString& list, const SshWish& wish, int depth)
{
    QList<SshEndpoint> jumps;
    for (const QString& each : list.split(u',', Qt::SkipEmptyParts)) {
        std::optional<SshWish> jump = parseJump(each.trimmed());
        if (!jump)
            return fail(Fault::Invalid, u"“%1” is not a jump host."_s.arg(each), {},
                u"Write [user@]host[:port], several separated by commas."_s);
        jump->configFile = wish.configFile;
        jump->knownHosts = wish.knownHosts;
        if (!jumps.isEmpty())
            jump->jump = u"none"_s;
        Result<SshEndpoint> endpoint = resolve(*jump, depth + 1);
        if (!endpoint)
            return fail(endpoint.error().within(u"Jump host %1"_s.arg(jump->host)));
        // by the name that it really has, not by an alias of the configuration
        if (!wish.publishedJump.isEmpty()
            && endpoint.value().host.compare(wish.publishedJump, Qt::CaseInsensitive) == 0)
            endpoint.value().published = wish.publishedForJump;
        // One form asks for one key: it is meant for the way there as well, unless the configuration says otherwise.
        if (endpoint.value().identities.isEmpty()) {
            for (const QString& identity : wish.identities)
                endpoint.value().identities << expandHome(identity);
        }
        const QList<SshEndpoint> before = std::exchange(endpoint.value().jumps, {});
        jumps += before;
        jumps += endpoint.value();
    }
    return jumps;
}

Result<SshEndpoint> resolve(const SshWish& wish, int depth)
{
    if (wish.host.isEmpty() || wish.host.startsWith(u'-') || wish.host.contains(QRegularExpression(u"[\\s\\x00]"_s)))
        return fail(Fault::Invalid, u"“%1” is not a host name."_s.arg(wish.host));
    if (depth > deepestJump)
        return fail(Fault::Invalid, u"The jump hosts of the SSH configuration go round in a circle."_s);

    QString jumpList = wish.jump == u"none"_s ? QString() : wish.jump;
    SshEndpoint endpoint = fromWish(wish);
    const QString client = QStandardPaths::findExecutable(u"ssh"_s);
    if (!client.isEmpty()) {
        const Result<QByteArray> printed = askClient(client, wish);
        if (!printed)
            return fail(printed.error());
        const Result<SshEndpoint> parsed = parseResolved(*printed, &jumpList);
        if (!parsed)
            return fail(parsed.error());
        endpoint = *parsed;
    }
    if (!wish.identities.isEmpty()) {
        endpoint.identities.clear();
        for (const QString& identity : wish.identities)
            endpoint.identities << expandHome(identity);
    }
    if (!wish.knownHosts.isEmpty())
        endpoint.knownHosts = expandHome(wish.knownHosts);
    endpoint.published = wish.published;
    Result<QList<SshEndpoint>> jumps = resolveJumps(jumpList, wish, depth);
    if (!jumps)
        return fail(jumps.error());
    endpoint.jumps = *jumps;
    return endpoint;
}

/// "ssh -W %h:%p gateway", the way of jumping before OpenSSH 7.3. Empty: some other command.
QString hostOfProxyCommand(const QString& command)
{
    static const QRegularExpression spelling(
        u"^(\\S*/)?ssh\\s+(-[qTxa]+\\s+)*-W\\s+\\S+\\s+(-[qTxa]+\\s+)*([^-\\s]\\S*)$"_s);
    return spelling.match(command).captured(4);
}

} // namespace

QString SshEndpoint::label() const
{
    const bool bracketed = host.contains(u':') && port != 22;
    QString text = user.isEmpty() ? QString() : QString(user + u'@');
    text += bracketed ? QString(u'[' + host + u']') : host;
    if (port != 22)
        text += u':' + QString::number(port);
    return text;
}

QString SshEndpoint::keyName() const
{
    if (!hostKeyAlias.isEmpty())
        return hostKeyAlias;
    const QString name = host.toLower();
    return port == 22 ? name : u"[%1]:%2"_s.arg(name).arg(port);
}

Result<SshEndpoint> resolveEndpoint(const SshWish& wish) { return resolve(wish, 0); }

std::optional<SshWish> parseJump(const QString& text)
{
    static const QRegularExpression form(
        u"^(?:ssh://)?(?:([^@\\s/]+)@)?(?:\\[([0-9A-Fa-f:.%a-z]+)\\]|([^\\s:/@\\[\\]-][^\\s:/@\\[\\]]*))(?::(\\d{1,5}))?/?$"_s);
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    SshWish wish;
    wish.user = match.captured(1);
    wish.host = match.captured(2).isEmpty() ? match.captured(3) : match.captured(2);
    if (!match.captured(4).isEmpty()) {
        wish.port = match.captured(4).toInt();
        if (*wish.port < 1 || *wish.port > 65535)
            return std::nullopt;
    }
    return wish;
}

Result<SshEndpoint> parseResolved(const QByteArray& printed, QString* jumps)
{
    SshEndpoint endpoint;
    jumps->clear();
    QString proxyCommand;
    for (const QByteArray& rawLine : printed.split('\n')) {
        const QString line = QString::fromLocal8Bit(rawLine).trimmed();
        const QString key = line.section(u' ', 0, 0);
        const QString value = line.section(u' ', 1);
        if (key == u"hostname")
            endpoint.host = value;
        else if (key == u"port")
            endpoint.port = value.toInt();
        else if (key == u"user")
            endpoint.user = value;
        else if (key == u"identityfile" && value != u"none" && !isDefaultIdentity(value))
            endpoint.identities << expandHome(value);
        else if (key == u"identitiesonly")
            endpoint.identitiesOnly = value == u"yes";
        else if (key == u"identityagent" && value != u"SSH_AUTH_SOCK")
            endpoint.agentSocket = value == u"none" ? value : expandHome(value);
        else if (key == u"hostkeyalias")
            endpoint.hostKeyAlias = value;
        else if (key == u"userknownhostsfile")
            endpoint.knownHosts = expandHome(value.section(u' ', 0, 0));
        else if (key == u"proxyjump" && value != u"none")
            *jumps = value;
        else if (key == u"proxycommand" && value != u"none")
            proxyCommand = value;
    }
    if (endpoint.host.isEmpty() || endpoint.port < 1 || endpoint.port > 65535)
        return fail(Fault::Unreadable, u"The SSH client printed no host and port."_s,
            QString::fromLocal8Bit(printed.left(400)));
    if (!proxyCommand.isEmpty()) {
        *jumps = hostOfProxyCommand(proxyCommand);
        if (jumps->isEmpty())
            return fail(Fault::Invalid,
                u"The SSH configuration of %1 uses a ProxyCommand that is not a jump."_s.arg(endpoint.host),
                proxyCommand, u"Replace it by ProxyJump in ~/.ssh/config."_s);
    }
    return endpoint;
}

} // namespace rankwright
