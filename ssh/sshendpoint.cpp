// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshendpoint.h"

#include "models/core/logging.h"
#include "models/core/shellquote.h"
#include "ssh/controlpath.h"
#include "ssh/sshconfighosts.h"

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

/// `ssh -G` lists OpenSSH's default names when none are configured.
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

QStringList clientArguments(const SshRequest& request)
{
    QStringList arguments = {u"-G"_s};
    if (!request.configFile.isEmpty())
        arguments << u"-F"_s << request.configFile;
    if (request.port)
        arguments << u"-p"_s << QString::number(*request.port);
    if (!request.user.isEmpty())
        arguments << u"-l"_s << request.user;
    for (const QString& identity : request.identities)
        arguments << u"-i"_s << identity;
    if (!request.knownHosts.isEmpty())
        arguments << u"-o"_s << QString(u"UserKnownHostsFile=\""_s + request.knownHosts + u'"');
    if (!request.jump.isEmpty())
        arguments << u"-o"_s << QString(u"ProxyJump="_s + request.jump);
    arguments << request.host;
    return arguments;
}

Result<QByteArray> askClient(const QString& client, const SshRequest& request)
{
    QProcess process;
    process.start(client, clientArguments(request), QIODevice::ReadOnly);
    if (!process.waitForFinished(clientTimeoutMs)) {
        process.kill();
        process.waitForFinished(1000);
        return fail(Fault::TimedOut, u"Reading the SSH configuration took too long."_s, process.errorString(),
            u"Check the Match exec lines of ~/.ssh/config."_s);
    }
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        return fail(Fault::Invalid, u"The SSH configuration for %1 cannot be read."_s.arg(request.host),
            QString::fromLocal8Bit(process.readAllStandardError()).trimmed(),
            u"Run: ssh -G %1"_s.arg(shellQuote(request.host)));
    }
    return process.readAllStandardOutput();
}

QString domainOf(const QString& host)
{
    const QString domain = host.section(u'.', 1).toLower();
    return domain.contains(u'.') ? domain : QString();
}

/// Under which name the user's configuration knows the host: people write "Host lumi" for lumi.csc.fi. An alias that
/// leads to a host of another domain is something else of the same name.
SshRequest byConfiguredName(const SshRequest& request)
{
    const QString client = QStandardPaths::findExecutable(u"ssh"_s);
    if (request.alias.isEmpty() || client.isEmpty() || isConfiguredHost(request.host, request.configFile)
        || !isConfiguredHost(request.alias, request.configFile))
        return request;
    SshRequest known = request;
    known.host = request.alias;
    QString jumps;
    const Result<QByteArray> printed = askClient(client, known);
    const Result<SshEndpoint> endpoint = printed ? parseResolved(*printed, &jumps) : fail(printed.error());
    const bool isSame = endpoint
        && (endpoint->host.compare(request.host, Qt::CaseInsensitive) == 0
            || (!domainOf(request.host).isEmpty() && domainOf(endpoint->host) == domainOf(request.host)));
    return isSame ? known : request;
}

/// Without the client only the request counts.
SshEndpoint fromRequest(const SshRequest& request)
{
    SshEndpoint endpoint;
    endpoint.host = request.host;
    endpoint.port = request.port.value_or(22);
    endpoint.user = request.user.isEmpty() ? localUser() : request.user;
    return endpoint;
}

Result<SshEndpoint> resolve(const SshRequest& request, int depth);

/// The list is complete: only its first host may have jumps of its own before it, as with the OpenSSH client.
Result<QList<SshEndpoint>> resolveJumps(const QString& list, const SshRequest& request, int depth)
{
    QList<SshEndpoint> jumps;
    for (const QString& each : list.split(u',', Qt::SkipEmptyParts)) {
        std::optional<SshRequest> jump = parseJump(each.trimmed());
        if (!jump)
            return fail(Fault::Invalid, u"“%1” is not a jump host."_s.arg(each), {},
                u"Write [user@]host[:port], several separated by commas."_s);
        jump->configFile = request.configFile;
        jump->knownHosts = request.knownHosts;
        if (!jumps.isEmpty())
            jump->jump = u"none"_s;
        Result<SshEndpoint> endpoint = resolve(*jump, depth + 1);
        if (!endpoint)
            return fail(endpoint.error().within(u"Jump host %1"_s.arg(jump->host)));
        // by the name that it really has, not by an alias of the configuration
        if (!request.publishedJump.isEmpty()
            && endpoint.value().host.compare(request.publishedJump, Qt::CaseInsensitive) == 0)
            endpoint.value().published = request.publishedForJump;
        // One form asks for one key: it is meant for the way there as well, unless the configuration says otherwise.
        if (endpoint.value().identities.isEmpty()) {
            for (const QString& identity : request.identities)
                endpoint.value().identities << expandHome(identity);
        }
        const QList<SshEndpoint> before = std::exchange(endpoint.value().jumps, {});
        jumps += before;
        jumps += endpoint.value();
    }
    return jumps;
}

Result<SshEndpoint> resolve(const SshRequest& request, int depth)
{
    if (request.host.isEmpty() || request.host.startsWith(u'-')
        || request.host.contains(QRegularExpression(u"[\\s\\x00]"_s)))
        return fail(Fault::Invalid, u"“%1” is not a host name."_s.arg(request.host));
    if (request.user.startsWith(u'-') || request.user.contains(QRegularExpression(u"[\\s\\x00]"_s)))
        return fail(Fault::Invalid, u"“%1” is not a user name."_s.arg(request.user));
    if (depth > deepestJump)
        return fail(Fault::Invalid, u"The jump hosts of the SSH configuration go round in a circle."_s);

    QString jumpList = request.jump == u"none"_s ? QString() : request.jump;
    SshEndpoint endpoint = fromRequest(request);
    const QString client = QStandardPaths::findExecutable(u"ssh"_s);
    if (!client.isEmpty()) {
        const Result<QByteArray> printed = askClient(client, request);
        if (!printed)
            return fail(printed.error());
        const Result<SshEndpoint> parsed = parseResolved(*printed, &jumpList);
        if (!parsed)
            return fail(parsed.error());
        endpoint = *parsed;
    }
    // A configuration that leads the name elsewhere knows the way there, too.
    if (jumpList.isEmpty() && request.jump.isEmpty() && endpoint.host == request.host)
        jumpList = request.defaultJump;
    if (!request.identities.isEmpty()) {
        endpoint.identities.clear();
        for (const QString& identity : request.identities)
            endpoint.identities << expandHome(identity);
    }
    if (!request.knownHosts.isEmpty()) {
        endpoint.knownHosts = expandHome(request.knownHosts);
        endpoint.otherKnownHosts.clear(); // it stands in place of the user's files
    }
    endpoint.published = request.published;
    Result<QList<SshEndpoint>> jumps = resolveJumps(jumpList, request, depth);
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

/// ssh_config(5): "no" would also accept changed keys, which is never done here; what is new is accepted by both.
UnknownHosts readStrictness(const QString& value)
{
    if (value == u"true" || value == u"yes")
        return UnknownHosts::Refuse;
    if (value == u"accept-new" || value == u"false" || value == u"no" || value == u"off")
        return UnknownHosts::AcceptNew;
    return UnknownHosts::Ask;
}

/// Older clients' `ssh -G` prints names of files as they are written, with "~" and ssh_config(5)'s tokens; newer ones
/// have expanded them: a name that exists as it stands is meant.
Result<QString> expandFileName(const QString& text, const SshEndpoint& endpoint, const QString& typed)
{
    static const QRegularExpression token(u"%(.)|\\$\\{([^}]*)\\}"_s);
    const QString name = expandHome(text);
    if (QFileInfo::exists(name))
        return name;
    QString expanded;
    qsizetype at = 0;
    for (auto each = token.globalMatch(name); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        expanded += name.mid(at, match.capturedStart() - at);
        at = match.capturedEnd();
        const QString letter = match.captured(1);
        if (letter == u"%")
            expanded += u'%';
        else if (letter == u"d")
            expanded += QDir::homePath();
        else if (letter == u"h")
            expanded += endpoint.host;
        else if (letter == u"k")
            expanded += endpoint.hostKeyAlias.isEmpty() ? typed : endpoint.hostKeyAlias;
        else if (letter == u"n" && !typed.isEmpty())
            expanded += typed;
        else if (letter == u"p")
            expanded += QString::number(endpoint.port);
        else if (letter == u"r")
            expanded += endpoint.user;
        else if (letter == u"u")
            expanded += localUser();
        else if (!match.captured(2).isEmpty() && qEnvironmentVariableIsSet(qPrintable(match.captured(2))))
            expanded += qEnvironmentVariable(qPrintable(match.captured(2)));
        else
            return fail(Fault::Invalid,
                u"The SSH configuration of %1 names a file of host keys that is not understood here."_s.arg(
                    endpoint.host),
                text, u"Write the file's name without %1 in ~/.ssh/config."_s.arg(match.captured(0)));
    }
    expanded += name.mid(at);
    return expanded;
}

/// The client prints several names on one line without quotes. A name with blanks counts as one where it exists. Tokens
/// are for the user's files alone (ssh_config(5), TOKENS).
Result<QStringList> readFileNames(
    const QString& line, bool withTokens, const SshEndpoint& endpoint, const QString& typed)
{
    const QStringList words = line.split(u' ', Qt::SkipEmptyParts);
    QStringList files;
    for (qsizetype at = 0; at < words.size();) {
        qsizetype taken = 1;
        const auto expanded = [&](const QString& text) {
            return withTokens ? expandFileName(text, endpoint, typed) : Result<QString>(expandHome(text));
        };
        auto name = expanded(words.at(at));
        for (qsizetype more = words.size() - at; more > 1; --more) {
            auto longer = expanded(words.mid(at, more).join(u' '));
            if (longer && QFileInfo::exists(*longer)) {
                name = longer;
                taken = more;
                break;
            }
        }
        if (!name)
            return fail(name.error());
        if (words.at(at) != u"none")
            files << *name;
        at += taken;
    }
    return files;
}

Result<void> applyKnownHosts(
    SshEndpoint& endpoint, const QString& userFiles, const std::optional<QString>& systemFiles, const QString& typed)
{
    const auto own = readFileNames(userFiles, true, endpoint, typed);
    if (!own)
        return fail(own.error());
    endpoint.knownHosts = own->value(0, userFiles.isEmpty() ? QString() : u"/dev/null"_s);
    endpoint.otherKnownHosts = own->mid(1);
    if (systemFiles) {
        const auto all = readFileNames(*systemFiles, false, endpoint, typed);
        if (!all)
            return fail(all.error());
        endpoint.systemKnownHosts = *all;
    }
    const auto revoked = expandFileName(endpoint.revokedHostKeys, endpoint, typed);
    if (!revoked)
        return fail(revoked.error());
    endpoint.revokedHostKeys = *revoked;
    return {};
}

/// Takes an option of `ssh -G` that is a member of the endpoint as it stands; all others are left alone.
void applyOption(SshEndpoint& endpoint, const QString& key, const QString& value)
{
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
    else if (key == u"certificatefile" && value != u"none")
        endpoint.certificates << expandHome(value);
    else if (key == u"hashknownhosts")
        endpoint.hashKnownHosts = value == u"yes";
    else if (key == u"hostkeyalias")
        endpoint.hostKeyAlias = value;
    else if (key == u"revokedhostkeys" && value != u"none")
        endpoint.revokedHostKeys = value;
    else if (key == u"stricthostkeychecking")
        endpoint.unknownHosts = readStrictness(value);
    else if (key == u"controlmaster")
        endpoint.controlMasterAsks = value.endsWith(u"ask"_s);
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

Result<SshEndpoint> resolveEndpoint(const SshRequest& request) { return resolve(byConfiguredName(request), 0); }

std::optional<SshRequest> parseJump(const QString& text)
{
    static const QRegularExpression form(
        u"^(?:ssh://)?(?:([^@\\s/]+)@)?(?:\\[([0-9A-Fa-f:.%a-z]+)\\]|([^\\s:/@\\[\\]-][^\\s:/@\\[\\]]*))(?::(\\d{1,5}))?/?$"_s);
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    SshRequest request;
    request.user = match.captured(1);
    request.host = match.captured(2).isEmpty() ? match.captured(3) : match.captured(2);
    if (!match.captured(4).isEmpty()) {
        request.port = match.captured(4).toInt();
        if (*request.port < 1 || *request.port > 65535)
            return std::nullopt;
    }
    return request;
}

Result<SshEndpoint> parseResolved(const QByteArray& printed, QString* jumps)
{
    SshEndpoint endpoint;
    jumps->clear();
    QString proxyCommand;
    QString knownHostsCommand;
    QString userFiles;
    std::optional<QString> systemFiles;
    QString typed;
    QString controlPath;
    for (const QByteArray& rawLine : printed.split('\n')) {
        const QString line = QString::fromLocal8Bit(rawLine).trimmed();
        const QString key = line.section(u' ', 0, 0);
        const QString value = line.section(u' ', 1);
        applyOption(endpoint, key, value);
        if (key == u"userknownhostsfile")
            userFiles = value;
        else if (key == u"globalknownhostsfile")
            systemFiles = value;
        else if (key == u"knownhostscommand" && value != u"none")
            knownHostsCommand = value;
        else if (key == u"host")
            typed = value;
        else if (key == u"controlpath" && value != u"none")
            controlPath = value;
        else if (key == u"proxyjump" && value != u"none")
            *jumps = value;
        else if (key == u"proxycommand" && value != u"none")
            proxyCommand = value;
    }
    if (endpoint.host.isEmpty() || endpoint.port < 1 || endpoint.port > 65535)
        return fail(Fault::Unreadable, u"The SSH client printed no host and port."_s,
            QString::fromLocal8Bit(printed.left(400)));
    if (!knownHostsCommand.isEmpty())
        return fail(Fault::Invalid,
            u"The SSH configuration of %1 asks a KnownHostsCommand for host keys, which is not done here."_s.arg(
                endpoint.host),
            knownHostsCommand, u"Write the keys into a file and name it by UserKnownHostsFile in ~/.ssh/config."_s);
    if (const auto files = applyKnownHosts(endpoint, userFiles, systemFiles, typed); !files)
        return fail(files.error());
    if (!proxyCommand.isEmpty()) {
        *jumps = hostOfProxyCommand(proxyCommand);
        if (jumps->isEmpty())
            return fail(Fault::Invalid,
                u"The SSH configuration of %1 uses a ProxyCommand that is not a jump."_s.arg(endpoint.host),
                proxyCommand, u"Replace it by ProxyJump in ~/.ssh/config."_s);
    }
    endpoint.controlPath = expandControlPath(controlPath,
        {.host = endpoint.host,
            .port = endpoint.port,
            .user = endpoint.user,
            .typed = typed,
            .alias = endpoint.hostKeyAlias,
            .jumps = *jumps});
    return endpoint;
}

} // namespace rankwright
