// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/listener.h"
#include "tests/ssh/support/logincase.h"
#include "tests/support/testbase.h"

#include <QStandardPaths>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

using Endpoint = std::function<Result<SshEndpoint>(LoginScene&)>;
constexpr QFile::Permissions ownerAlone = QFile::ReadOwner | QFile::WriteOwner;
constexpr LinkState offline = LinkState::Offline;
const QByteArray right = LoginScene::passphrase;
const QByteArray wrong = "open barley";

/// With one key file alone.
Endpoint withKey(const QString& name)
{
    return [name](LoginScene& scene) { return scene.to(scene.server(), {scene.key(name)}); };
}

/// With the agent, which holds `held`, and the identities that the configuration names.
Endpoint withAgent(const QStringList& held, bool locked, const QStringList& named, bool only)
{
    return [=](LoginScene& scene) -> Result<SshEndpoint> {
        const auto files = [&scene](const QStringList& names) {
            QStringList paths;
            for (const QString& name : names)
                paths << scene.key(name);
            return paths;
        };
        SshEndpoint endpoint = scene.to(scene.server());
        endpoint.identities = files(named);
        endpoint.identitiesOnly = only;
        endpoint.agentSocket = scene.agent(files(held), locked);
        return endpoint;
    };
}

QList<LoginCase> keyRows(const QString& kind)
{
    const QString locked = kind + u"-locked"_s;
    const QString stranger = kind + u"-stranger"_s;
    const auto copied = [](const QString& name, bool withPublic, QFile::Permissions permissions) {
        return [=](LoginScene& scene) -> Result<SshEndpoint> {
            return scene.to(scene.server(), {scene.copyOf(name, withPublic, permissions)});
        };
    };
    QList<LoginCase> rows = {
        {.name = "plain key", .endpoint = withKey(kind), .word = u"42"_s, .command = u"echo 42"_s},
        {.name = "passphrase, right", .endpoint = withKey(locked), .prompts = 1, .answers = {right}},
        {.name = "passphrase, wrong once", .endpoint = withKey(locked), .prompts = 2, .answers = {wrong, right}},
        {.name = "passphrase, wrong",
            .endpoint = withKey(locked),
            .state = offline,
            .fault = Fault::LoginRefused,
            .word = u"passphrase"_s,
            .prompts = 3,
            .answers = {wrong, wrong, wrong}},
        {.name = "passphrase, cancelled",
            .endpoint = withKey(locked),
            .state = offline,
            .fault = Fault::Cancelled,
            .word = u"cancelled"_s,
            .prompts = 1,
            .answers = {std::nullopt}},
        {.name = "passphrase, left empty",
            .endpoint = withKey(locked),
            .state = offline,
            .fault = Fault::LoginRefused,
            .prompts = 1,
            .answers = {QByteArray()}},
        {.name = "passphrase, nobody there",
            .endpoint = withKey(locked),
            .state = offline,
            .fault = Fault::LoginRefused,
            .attended = false},
        {.name = "public half missing", .endpoint = copied(kind, false, ownerAlone)},
        {.name = "passphrase, public half missing",
            .endpoint = copied(locked, false, ownerAlone),
            .prompts = 1,
            .answers = {right}},
        {.name = "readable by others",
            .endpoint = copied(kind, true, ownerAlone | QFile::ReadGroup | QFile::ReadOther)},
        {.name = "not registered",
            .endpoint = withKey(stranger),
            .state = offline,
            .fault = Fault::LoginRefused,
            .word = stranger},
        {.name = "file missing",
            .endpoint = withKey(kind + u"-nowhere"_s),
            .state = offline,
            .fault = Fault::LoginRefused,
            .word = u"cannot be read"_s},
        {.name = "in the agent", .endpoint = withAgent({kind}, false, {}, false)},
        {.name = "in the agent, behind others",
            .endpoint = withAgent({stranger, u"rsa-stranger"_s, kind}, false, {}, false)},
        {.name = "in the agent, IdentitiesOnly", .endpoint = withAgent({stranger, kind}, false, {kind}, true)},
        {.name = "another in the agent, IdentitiesOnly",
            .endpoint = withAgent({kind}, false, {stranger}, true),
            .state = offline,
            .fault = Fault::LoginRefused,
            .word = stranger},
        {.name = "agent locked",
            .endpoint = withAgent({kind}, true, {}, false),
            .state = offline,
            .fault = Fault::LoginRefused,
            .word = u"agent"_s},
        {.name = "agent locked, file there", .endpoint = withAgent({kind}, true, {kind}, false)},
    };
    for (LoginCase& row : rows)
        row.name = kind.toLatin1() + ": " + row.name;
    return rows;
}

QList<LoginCase> otherKeyRows()
{
    const auto certified = [](const QString& validity) {
        return [validity](LoginScene& scene) -> Result<SshEndpoint> {
            RealSshd& sshd = scene.server();
            const QString key = scene.copyOf(u"ed25519-stranger"_s, true, ownerAlone);
            QStringList words = {u"-q"_s, u"-s"_s, sshd.path(u"ca"_s), u"-I"_s, u"t"_s, u"-n"_s, sshd.endpoint().user};
            if (!validity.isEmpty())
                words << u"-V"_s << validity;
            QProcess::execute(u"ssh-keygen"_s, words << QString(key + u".pub"_s));
            return scene.to(sshd, {key});
        };
    };
    const auto brokenFile = [](const QByteArray& content) {
        return [content](LoginScene& scene) -> Result<SshEndpoint> {
            return scene.to(scene.server(), {scene.file(u"broken"_s, content)});
        };
    };
    const auto first = [](const QString& name) {
        return [name](LoginScene& scene) -> Result<SshEndpoint> {
            return scene.to(scene.server(), {scene.key(name), scene.key(u"ed25519"_s)});
        };
    };
    const auto noAgent = [](LoginScene& scene) -> Result<SshEndpoint> {
        SshEndpoint endpoint = scene.to(scene.server());
        endpoint.agentSocket = scene.key(u"no-agent-here"_s);
        return endpoint;
    };
    return {
        {.name = "certificate", .endpoint = certified({})},
        {.name = "certificate, expired",
            .endpoint = certified(u"20200101:20200301"_s),
            .state = offline,
            .fault = Fault::LoginRefused,
            .word = u"expired"_s},
        {.name = "certificate, not yet",
            .endpoint = certified(u"20990101:20990301"_s),
            .state = offline,
            .fault = Fault::LoginRefused},
        {.name = "key file is garbage",
            .endpoint = brokenFile("\x01\xff garbage"),
            .state = offline,
            .fault = Fault::LoginRefused,
            .word = u"cannot be read"_s},
        {.name = "key file is empty", .endpoint = brokenFile({}), .state = offline, .fault = Fault::LoginRefused},
        {.name = "key file is cut off",
            .endpoint = brokenFile("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n"),
            .state = offline,
            .fault = Fault::LoginRefused},
        {.name = "stranger first, then the right one", .endpoint = first(u"rsa-stranger"_s)},
        {.name = "locked one first, left empty",
            .endpoint = first(u"ed25519-locked"_s),
            .prompts = 1,
            .answers = {QByteArray()}},
        {.name = "agent's socket is not there", .endpoint = noAgent},
    };
}

/// A server whose host key `known` gives the line of known_hosts for ("@KEY@", "@HOST@" and "@OTHER@", a key that it
/// does not have, stand in it), and changes of the endpoint.
Endpoint hostKey(const QByteArray& known, const std::function<void(LoginScene&, RealSshd&, SshEndpoint&)>& more = {})
{
    return [known, more](LoginScene& scene) -> Result<SshEndpoint> {
        RealSshd& sshd = scene.server();
        SshEndpoint endpoint = scene.to(sshd, {scene.key(u"ed25519"_s)});
        QByteArray text = known;
        text.replace("@KEY@", SshHome::read(sshd.path(u"host.pub"_s)).trimmed());
        text.replace("@OTHER@", SshHome::read(scene.key(u"ed25519-stranger"_s) + u".pub"_s).trimmed());
        text.replace("@RSA@", SshHome::read(scene.key(u"rsa-stranger"_s) + u".pub"_s).trimmed());
        text.replace("@PORT@", QByteArray::number(endpoint.port));
        text.replace("@HOST@", endpoint.keyName().toLatin1());
        endpoint.knownHosts = scene.file(u"known_hosts"_s, text);
        if (more)
            more(scene, sshd, endpoint);
        return endpoint;
    };
}

void hashNames(LoginScene&, RealSshd&, SshEndpoint& endpoint)
{
    QProcess client;
    client.setProcessChannelMode(QProcess::MergedChannels); // it says that the old file is kept
    client.start(u"ssh-keygen"_s, {u"-H"_s, u"-f"_s, endpoint.knownHosts});
    client.waitForFinished(longWaitMs);
}

/// A server whose host key an authority has signed, and the authority's line on record.
Endpoint authority(const QString& validity, const QString& names)
{
    return [=](LoginScene& scene) -> Result<SshEndpoint> {
        const QString key = scene.copyOf(u"ed25519-stranger"_s, true, ownerAlone);
        QProcess::execute(u"ssh-keygen"_s,
            {u"-q"_s, u"-s"_s, scene.key(u"ecdsa-stranger"_s), u"-I"_s, u"host"_s, u"-h"_s, u"-n"_s, names, u"-V"_s,
                validity, key + u".pub"_s});
        const QByteArray file = key.toLocal8Bit();
        SshEndpoint endpoint
            = scene.to(scene.server({.config = "HostKey " + file + "\nHostCertificate " + file + "-cert.pub\n"}),
                {scene.key(u"ed25519"_s)});
        endpoint.knownHosts = scene.file(
            u"known_hosts"_s, "@cert-authority * " + SshHome::read(scene.key(u"ecdsa-stranger"_s) + u".pub"_s));
        return endpoint;
    };
}

QList<LoginCase> hostKeyRows()
{
    const auto unknownIs = [](UnknownHosts strictness) {
        return [strictness](LoginScene&, RealSshd&, SshEndpoint& endpoint) { endpoint.unknownHosts = strictness; };
    };
    const auto revokedIn = [](bool krl) {
        return [krl](LoginScene& scene, RealSshd& sshd, SshEndpoint& endpoint) {
            endpoint.revokedHostKeys
                = krl ? sshd.path(u"krl"_s) : scene.file(u"revoked"_s, SshHome::read(sshd.path(u"host.pub"_s)));
            if (krl)
                QProcess::execute(
                    u"ssh-keygen"_s, {u"-q"_s, u"-k"_s, u"-f"_s, endpoint.revokedHostKeys, sshd.path(u"host.pub"_s)});
        };
    };
    const auto publishedIs = [](const QString& fingerprint) {
        return [fingerprint](LoginScene&, RealSshd&, SshEndpoint& endpoint) { endpoint.published = {fingerprint}; };
    };
    const auto aliased = [](LoginScene&, RealSshd&, SshEndpoint& endpoint) { endpoint.hostKeyAlias = u"cluster"_s; };
    const auto unreadable = [](LoginScene& scene, RealSshd&, SshEndpoint& endpoint) {
        endpoint.revokedHostKeys = scene.key(u"not-there"_s);
    };
    const auto second = [](LoginScene& scene, RealSshd&, SshEndpoint& endpoint) {
        endpoint.otherKnownHosts = {std::exchange(endpoint.knownHosts, scene.file(u"empty"_s, {}))};
    };
    const QList<LoginCase> refusals = {
        {.name = "changed", .endpoint = hostKey("@HOST@ @OTHER@\n"), .word = u"has changed"_s},
        {.name = "changed, hashed", .endpoint = hostKey("@HOST@ @OTHER@\n", hashNames), .word = u"has changed"_s},
        {.name = "changed, StrictHostKeyChecking no",
            .endpoint = hostKey("@HOST@ @OTHER@\n", unknownIs(UnknownHosts::AcceptNew)),
            .word = u"has changed"_s},
        {.name = "another algorithm on record", .endpoint = hostKey("@HOST@ @RSA@\n"), .word = u"another kind"_s},
        {.name = "@revoked", .endpoint = hostKey("@revoked @HOST@ @KEY@\n"), .word = u"revoked"_s},
        {.name = "@revoked for all, known",
            .endpoint = hostKey("@HOST@ @KEY@\n@revoked * @KEY@\n"),
            .word = u"revoked"_s},
        {.name = "RevokedHostKeys, plain",
            .endpoint = hostKey("@HOST@ @KEY@\n", revokedIn(false)),
            .word = u"revoked"_s},
        {.name = "RevokedHostKeys, KRL", .endpoint = hostKey("@HOST@ @KEY@\n", revokedIn(true)), .word = u"revoked"_s},
        {.name = "RevokedHostKeys cannot be read",
            .endpoint = hostKey("@HOST@ @KEY@\n", unreadable),
            .word = u"cannot be read"_s},
        {.name = "new, StrictHostKeyChecking yes",
            .endpoint = hostKey({}, unknownIs(UnknownHosts::Refuse)),
            .word = u"StrictHostKeyChecking"_s},
        {.name = "new, not the published one",
            .endpoint = hostKey({}, publishedIs(u"SHA256:another"_s)),
            .word = u"publish"_s},
        {.name = "certificate of an authority, expired",
            .endpoint = authority(u"20200101:20200301"_s, u"127.0.0.1"_s),
            .word = u"certificate"_s},
        {.name = "certificate of an authority, for another name",
            .endpoint = authority(u"-1h:+1h"_s, u"elsewhere"_s),
            .word = u"certificate"_s},
        {.name = "new, nobody there", .endpoint = hostKey({}), .word = u"on record"_s, .attended = false},
    };
    QList<LoginCase> rows = {
        {.name = "new, accepted", .endpoint = hostKey({}), .prompts = 1, .answers = {"yes"}},
        {.name = "new, StrictHostKeyChecking accept-new", .endpoint = hostKey({}, unknownIs(UnknownHosts::AcceptNew))},
        {.name = "new, declined",
            .endpoint = hostKey({}),
            .state = offline,
            .fault = Fault::HostKeyRefused,
            .word = u"not accepted"_s,
            .prompts = 1,
            .answers = {std::nullopt}},
        {.name = "known under another port",
            .endpoint = hostKey("127.0.0.1 @OTHER@\n[127.0.0.1]:1 @OTHER@\n"),
            .prompts = 1,
            .answers = {"yes"}},
        {.name = "known, hashed", .endpoint = hostKey("@HOST@ @KEY@\n", hashNames)},
        {.name = "known, by a pattern", .endpoint = hostKey("[127.0.*]:@PORT@ @KEY@\n")},
        {.name = "known, by its alias", .endpoint = hostKey("cluster @KEY@\n", aliased)},
        {.name = "known, in the second file", .endpoint = hostKey("@HOST@ @KEY@\n", second)},
        {.name = "certificate of an authority", .endpoint = authority(u"-1h:+1h"_s, u"127.0.0.1"_s)},
        {.name = "known, old key beside it", .endpoint = hostKey("@HOST@ @OTHER@\n@HOST@ @KEY@\n")},
        {.name = "known, among broken lines",
            .endpoint = hostKey("@HOST@ ssh-ed25519 AAAA\n\xff\xfe\x01\n@HOST@\n|1|x|y ssh-rsa z\n@HOST@ @KEY@\n")},
    };
    for (LoginCase row : refusals) {
        row.state = offline;
        row.fault = Fault::HostKeyRefused;
        rows << row;
    }
    for (LoginCase& row : rows)
        row.name = "host key: " + row.name;
    return rows;
}

/// Hops are servers of their own; `wayTo` changes hops and target, which are all fine before.
Endpoint jump(int hops, const std::function<void(LoginScene&, SshEndpoint&)>& change = {}, const QByteArray& gate = {})
{
    return [=](LoginScene& scene) -> Result<SshEndpoint> {
        SshEndpoint target = scene.to(scene.server());
        for (int i = 0; i < hops; ++i) {
            SshdWorld world;
            world.config = "PermitUserEnvironment no\nMaxSessions " + QByteArray::number(7 + i) + '\n' + gate;
            target.jumps << scene.to(scene.server(world));
        }
        if (change)
            change(scene, target);
        return target;
    };
}

QList<LoginCase> jumpRows()
{
    const auto strangerAt = [](int hop) {
        return [hop](LoginScene& scene, SshEndpoint& target) {
            SshEndpoint& host = hop < target.jumps.size() ? target.jumps[hop] : target;
            host.identities = {scene.key(u"ed25519-stranger"_s)};
        };
    };
    const auto keyChangedAt = [](int hop) {
        return [hop](LoginScene& scene, SshEndpoint& target) {
            SshEndpoint& host = hop < target.jumps.size() ? target.jumps[hop] : target;
            host.knownHosts = scene.file(u"known"_s,
                host.keyName().toLatin1() + ' ' + SshHome::read(scene.key(u"ed25519-stranger"_s) + u".pub"_s));
        };
    };
    const auto lockedAt = [](int hop) {
        return [hop](LoginScene& scene, SshEndpoint& target) {
            SshEndpoint& host = hop < target.jumps.size() ? target.jumps[hop] : target;
            host.identities = {scene.key(u"ecdsa-locked"_s)};
        };
    };
    const auto deadTarget = [](LoginScene&, SshEndpoint& target) { target.port = Listener::freePort(); };
    const auto noSuchName = [](LoginScene&, SshEndpoint& target) { target.host = u"nowhere.invalid"_s; };
    const auto deadHop = [](LoginScene&, SshEndpoint& target) { target.jumps[0].port = Listener::freePort(); };
    const auto refused = Fault::LoginRefused;
    const auto hop = u"Jump host 127.0.0.1"_s;
    return {
        {.name = "one hop", .endpoint = jump(1), .word = u"42"_s, .command = u"echo 42"_s},
        {.name = "two hops", .endpoint = jump(2), .word = u"42"_s, .command = u"echo 42"_s},
        {.name = "passphrase at the hop", .endpoint = jump(1, lockedAt(0)), .prompts = 1, .answers = {right}},
        {.name = "passphrase behind two hops", .endpoint = jump(2, lockedAt(2)), .prompts = 1, .answers = {right}},
        {.name = "refused at the first hop",
            .endpoint = jump(2, strangerAt(0)),
            .state = offline,
            .fault = refused,
            .word = hop},
        {.name = "refused at the second hop",
            .endpoint = jump(2, strangerAt(1)),
            .state = offline,
            .fault = refused,
            .word = hop},
        {.name = "refused behind one hop",
            .endpoint = jump(1, strangerAt(1)),
            .state = offline,
            .fault = refused,
            .word = u"127.0.0.1 did not accept"_s},
        {.name = "refused behind two hops",
            .endpoint = jump(2, strangerAt(2)),
            .state = offline,
            .fault = refused,
            .word = u"127.0.0.1 did not accept"_s},
        {.name = "host key changed at the hop",
            .endpoint = jump(1, keyChangedAt(0)),
            .state = offline,
            .fault = Fault::HostKeyRefused,
            .word = hop},
        {.name = "host key changed behind the hop",
            .endpoint = jump(1, keyChangedAt(1)),
            .state = offline,
            .fault = Fault::HostKeyRefused,
            .word = u"has changed"_s},
        {.name = "nobody listens behind the hop",
            .endpoint = jump(1, deadTarget),
            .state = offline,
            .fault = Fault::Offline,
            .word = u"jump host"_s},
        {.name = "no such name behind the hop",
            .endpoint = jump(1, noSuchName),
            .state = offline,
            .fault = Fault::Offline,
            .word = u"nowhere.invalid"_s},
        {.name = "hop cannot be reached",
            .endpoint = jump(1, deadHop),
            .state = offline,
            .fault = Fault::Offline,
            .word = hop},
        {.name = "hop forbids forwarding",
            .endpoint = jump(1, {}, "AllowTcpForwarding no\n"),
            .state = offline,
            .fault = Fault::Offline,
            .word = u"jump host"_s},
        {.name = "hop permits another target",
            .endpoint = jump(1, {}, "PermitOpen 127.0.0.1:1\n"),
            .state = offline,
            .fault = Fault::Offline,
            .word = u"jump host"_s},
    };
}

QList<LoginCase> addressRows()
{
    const auto six
        = [](LoginScene& scene) -> Result<SshEndpoint> { return scene.to(scene.server({.address = "::1"})); };
    const auto byName = [](LoginScene& scene) -> Result<SshEndpoint> {
        SshEndpoint endpoint = scene.to(scene.server()); // ::1, where the system has it, refuses
        endpoint.host = u"localhost"_s;
        endpoint.hostKeyAlias = u"[127.0.0.1]:%1"_s.arg(endpoint.port);
        return endpoint;
    };
    const auto elsewhere = [](const QString& host, int port) {
        return [=](LoginScene& scene) -> Result<SshEndpoint> {
            SshEndpoint endpoint = scene.to(scene.server());
            endpoint.host = host;
            endpoint.port = port > 0 ? port : Listener::freePort();
            return endpoint;
        };
    };
    const auto banner = [](LoginScene& scene) -> Result<SshEndpoint> {
        const QString text = scene.file(u"banner"_s, "Maintenance on Tuesday\n");
        return scene.to(scene.server({.config = "Banner " + text.toLocal8Bit() + '\n'}));
    };
    return {
        {.name = "IPv6", .endpoint = six, .word = u"42"_s, .command = u"echo 42"_s},
        {.name = "a name with several addresses", .endpoint = byName},
        {.name = "no such name",
            .endpoint = elsewhere(u"nowhere.invalid"_s, 22),
            .state = offline,
            .fault = Fault::Offline,
            .word = u"nowhere.invalid"_s},
        {.name = "nobody listens",
            .endpoint = elsewhere(u"127.0.0.1"_s, 0),
            .state = offline,
            .fault = Fault::Offline,
            .word = u"refused"_s},
        {.name = "banner", .endpoint = banner},
    };
}

/// A configuration of OpenSSH's client: "@PORT@", "@USER@", "@KEY@" (a right key's file) and "@KNOWN@" stand in it.
Endpoint configured(const QString& typed, const QByteArray& text)
{
    return [=](LoginScene& scene) -> Result<SshEndpoint> {
        const SshEndpoint plain = scene.to(scene.server());
        const auto filled = [&](QByteArray config) {
            config.replace("@PORT@", QByteArray::number(plain.port));
            config.replace("@USER@", plain.user.toLocal8Bit());
            config.replace("@KEY@", scene.key(u"ed25519"_s).toLocal8Bit());
            config.replace("@FOLDER@", QString(QFileInfo(scene.key(u"x"_s)).path() + u'/').toLocal8Bit());
            config.replace("@KNOWN@", plain.knownHosts.toLocal8Bit());
            return config;
        };
        SshHome::write(scene.key(u"included"_s), filled("Host inc\n HostName 127.0.0.1\n"));
        SshHome::write(scene.key(u"key_127.0.0.1_"_s + plain.user), SshHome::read(scene.key(u"ed25519"_s)));
        SshHome::write(scene.key(u"key_127.0.0.1_"_s + plain.user + u".pub"_s),
            SshHome::read(scene.key(u"ed25519"_s) + u".pub"_s));
        SshRequest request;
        request.host = typed;
        request.configFile = scene.file(u"config"_s,
            filled(text
                + "\nHost *\n Port @PORT@\n User @USER@\n IdentityFile @KEY@\n IdentitiesOnly yes\n"
                  " IdentityAgent none\n UserKnownHostsFile @KNOWN@\n GlobalKnownHostsFile none\n"));
        return resolveEndpoint(request);
    };
}

QList<LoginCase> configRows()
{
    const auto invalid = [](const QString& typed, const QByteArray& text, const QString& word) {
        LoginCase row;
        row.endpoint = configured(typed, text);
        row.state = offline;
        row.fault = Fault::Invalid;
        row.word = word;
        return row;
    };
    QList<LoginCase> rows = {
        {.name = "Host alias", .endpoint = configured(u"mine"_s, "Host mine\n HostName 127.0.0.1\n")},
        {.name = "Host pattern", .endpoint = configured(u"login3"_s, "Host login?\n HostName 127.0.0.1\n")},
        {.name = "Host, not that one",
            .endpoint = configured(u"mine"_s, "Host !mine *\n HostName 127.0.0.1\n"),
            .state = offline,
            .fault = Fault::Offline},
        {.name = "Include", .endpoint = configured(u"inc"_s, "Include @FOLDER@included\n")},
        {.name = "Match host", .endpoint = configured(u"127.0.0.1"_s, "Match host 127.0.0.1\n ConnectTimeout 5\n")},
        {.name = "Match originalhost",
            .endpoint = configured(u"mine"_s, "Match originalhost mine\n HostName 127.0.0.1\n")},
        {.name = "Match exec",
            .endpoint = configured(u"mine"_s, "Match originalhost mine exec \"true\"\n HostName 127.0.0.1\n")},
        {.name = "HostName with %h", .endpoint = configured(u"127"_s, "Host 127\n HostName %h.0.0.1\n")},
        {.name = "IdentityFile with %h and %r",
            .endpoint = configured(u"mine"_s, "Host mine\n HostName 127.0.0.1\n IdentityFile @FOLDER@key_%h_%r\n")},
        {.name = "IdentityFile missing, a second there",
            .endpoint = configured(u"mine"_s, "Host mine\n HostName 127.0.0.1\n IdentityFile @FOLDER@nowhere\n")},
        {.name = "HostKeyAlias",
            .endpoint = configured(u"mine"_s, "Host mine\n HostName localhost\n HostKeyAlias [127.0.0.1]:@PORT@\n")},
        {.name = "two UserKnownHostsFiles",
            .endpoint
            = configured(u"mine"_s, "Host mine\n HostName 127.0.0.1\n UserKnownHostsFile @FOLDER@nowhere @KNOWN@\n")},
        {.name = "ProxyJump",
            .endpoint = configured(
                u"mine"_s, "Host gate\n HostName 127.0.0.1\nHost mine\n HostName 127.0.0.1\n ProxyJump gate\n"),
            .word = u"42"_s,
            .command = u"echo 42"_s},
        {.name = "ProxyCommand ssh -W",
            .endpoint = configured(u"mine"_s,
                "Host gate\n HostName 127.0.0.1\nHost mine\n HostName 127.0.0.1\n ProxyCommand ssh -W %h:%p gate\n"),
            .word = u"42"_s,
            .command = u"echo 42"_s},
        {.name = "ProxyCommand none",
            .endpoint = configured(u"mine"_s, "Host mine\n HostName 127.0.0.1\n ProxyCommand none\n")},
    };
    LoginCase other = invalid(u"mine"_s, "Host mine\n HostName 127.0.0.1\n ProxyCommand nc %h %p\n", u"ProxyCommand"_s);
    other.name = "ProxyCommand of another kind";
    LoginCase circle = invalid(u"a"_s, "Host a\n ProxyJump b\nHost b\n ProxyJump a\n", u"circle"_s);
    circle.name = "ProxyJump in a circle";
    LoginCase broken = invalid(u"mine"_s, "Host mine\n Port many\n", u"cannot be read"_s);
    broken.name = "a line that is not a setting";
    LoginCase command = invalid(u"mine"_s, "Host mine\n KnownHostsCommand /bin/true\n", u"KnownHostsCommand"_s);
    command.name = "KnownHostsCommand";
    rows << other << circle << broken << command;
    for (LoginCase& row : rows)
        row.name = "config: " + row.name;
    return rows;
}

} // namespace

/// Every way into OpenSSH's own server that a configuration and a person's answers can take, as one table: what comes
/// of it, what is said, how many questions it takes and how long. Accounts and second factors: tst_accountmatrix.
class LoginMatrixTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup() { m_scene->endRow(); }
    void keys_data();
    void keys() { checkLogin(*m_scene, m_keys); }
    void hostKeys_data() { addRows(m_hostKeys = hostKeyRows()); }
    void hostKeys() { checkLogin(*m_scene, m_hostKeys); }
    void jumps_data() { addRows(m_jumps = jumpRows()); }
    void jumps() { checkLogin(*m_scene, m_jumps); }
    void configurations_data() { addRows(m_configurations = addressRows() + configRows()); }
    void configurations();

private:
    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<LoginScene> m_scene;
    QList<LoginCase> m_keys;
    QList<LoginCase> m_hostKeys;
    QList<LoginCase> m_jumps;
    QList<LoginCase> m_configurations;
};

void LoginMatrixTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    m_scene = std::make_unique<LoginScene>();
    RealSshd& sshd = m_scene->server();
    if (!sshd.problem().isEmpty())
        QSKIP(qPrintable(sshd.problem()));
    SshClient probe(sshd.endpoint());
    if (probe.connectNow() == LinkState::Offline && probe.shell().lastError()->fault == Fault::LoginRefused)
        QSKIP("this account may not log in by SSH (it may be locked)");
}

void LoginMatrixTest::keys_data()
{
    m_keys = keyRows(u"ed25519"_s) + keyRows(u"rsa"_s) + keyRows(u"ecdsa"_s) + otherKeyRows();
    addRows(m_keys);
}

void LoginMatrixTest::configurations()
{
    if (QStandardPaths::findExecutable(u"ssh"_s).isEmpty())
        QSKIP("OpenSSH's client is not installed");
    checkLogin(*m_scene, m_configurations);
}

RANKWRIGHT_TEST_MAIN(LoginMatrixTest)
#include "tst_loginmatrix.moc"
