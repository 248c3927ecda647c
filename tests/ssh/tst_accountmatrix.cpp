// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/listener.h"
#include "tests/ssh/support/logincase.h"
#include "tests/ssh/support/serverchannel.h"
#include "tests/support/testbase.h"

#include <poll.h>
#include <sys/socket.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

using Endpoint = std::function<Result<SshEndpoint>(LoginScene&)>;
constexpr LinkState offline = LinkState::Offline;
const QByteArray right = sshdPassword;
const QByteArray wrong = "wrong horse";
const QByteArray code = "424242";

/// Accounts of the server's own, which ask for their passwords.
SshdWorld passwords(const QByteArray& more = {})
{
    return {.config = "PasswordAuthentication yes\n" + more, .accounts = true};
}

/// PAM decides. `auth` and `account` are lines of its service; scripts are programs that pam_exec calls.
SshdWorld pam(const QByteArray& auth, const QByteArray& account, const QByteArray& config,
    const QList<std::pair<QString, QByteArray>>& scripts = {})
{
    return {.config = "UsePAM yes\n" + config,
        // pam_exec alone sets no credentials, and without them sshd lets nobody in.
        .pam = auth + "\nauth required pam_permit.so\n" + account
            + "\nsession required pam_permit.so\npassword required pam_deny.so\n",
        .accounts = true,
        .scripts = scripts};
}

const QByteArray permitted = "account required pam_permit.so";
const QByteArray asksCode = "auth required pam_exec.so quiet expose_authtok @FOLDER@/code";
/// What pam_exec hands over ends with a NUL.
const std::pair<QString, QByteArray> codeScript{u"code"_s, "#!/bin/sh\n[ \"$(tr -d '\\000')\" = 424242 ]\n"};
const QByteArray rings = "auth required pam_exec.so quiet stdout @FOLDER@/push";

std::pair<QString, QByteArray> pushScript(int seconds, int status)
{
    return {u"push"_s,
        "#!/bin/sh\necho rung >> @FOLDER@/rung\necho 'A push was sent to your telephone.'\nsleep "
            + QByteArray::number(seconds) + "\nexit " + QByteArray::number(status) + '\n'};
}

SshdWorld codeWorld(const QByteArray& config = "KbdInteractiveAuthentication yes\nPubkeyAuthentication no\n")
{
    return pam(asksCode, permitted, config, {codeScript});
}

SshdWorld pushWorld(int seconds, int status)
{
    return pam(
        rings, permitted, "KbdInteractiveAuthentication yes\nPubkeyAuthentication no\n", {pushScript(seconds, status)});
}

Endpoint at(const SshdWorld& world, const QString& user = u"ada"_s, const QString& key = {})
{
    return [=](LoginScene& scene) -> Result<SshEndpoint> {
        SshEndpoint endpoint = scene.to(scene.server(world), {scene.key(key.isEmpty() ? u"rsa-stranger"_s : key)});
        endpoint.user = user;
        return endpoint;
    };
}

QList<LoginCase> passwordRows()
{
    SshTuning hasty = patientTuning();
    hasty.promptMs = 1000;
    const auto refused = Fault::LoginRefused;
    QList<LoginCase> rows = {
        {.name = "right",
            .endpoint = at(passwords()),
            .word = u"ada"_s,
            .prompts = 1,
            .answers = {right},
            .command = u"id -un; ls -d /"_s},
        {.name = "wrong once", .endpoint = at(passwords()), .prompts = 2, .answers = {wrong, right}},
        {.name = "wrong",
            .endpoint = at(passwords()),
            .state = offline,
            .fault = refused,
            .word = u"password"_s,
            .prompts = 3,
            .answers = {wrong, wrong, wrong}},
        {.name = "empty",
            .endpoint = at(passwords()),
            .state = offline,
            .fault = refused,
            .prompts = 3,
            .answers = {QByteArray(), QByteArray(), QByteArray()}},
        {.name = "of 10 kB",
            .endpoint = at(passwords()),
            .state = offline,
            .fault = refused,
            .prompts = 3,
            .answers = {QByteArray(10240, 'x'), QByteArray(10240, 'x'), QByteArray(10240, 'x')}},
        {.name = "cancelled",
            .endpoint = at(passwords()),
            .state = offline,
            .fault = Fault::Cancelled,
            .word = u"cancelled"_s,
            .prompts = 1,
            .answers = {std::nullopt}},
        {.name = "nobody answers",
            .endpoint = at(passwords()),
            .state = offline,
            .fault = Fault::Cancelled,
            .word = u"answered"_s,
            .prompts = 1,
            .tuning = hasty},
        {.name = "nobody there",
            .endpoint = at(passwords()),
            .state = offline,
            .fault = refused,
            .word = u"needs you"_s,
            .attended = false},
        {.name = "of a user that is not there",
            .endpoint = at(passwords(), u"eve"_s),
            .state = offline,
            .fault = refused,
            .word = u"eve"_s,
            .prompts = 3,
            .answers = {right, right, right}},
        {.name = "after the key",
            .endpoint = at(passwords("AuthenticationMethods publickey,password\n"), u"ada"_s, u"ed25519"_s),
            .prompts = 1,
            .answers = {right}},
        {.name = "after the key, wrong",
            .endpoint = at(passwords("AuthenticationMethods publickey,password\n"), u"ada"_s, u"ed25519"_s),
            .state = offline,
            .fault = refused,
            .word = u"password"_s,
            .prompts = 3,
            .answers = {wrong, wrong, wrong}},
        {.name = "after a key that is not registered",
            .endpoint = at(passwords("AuthenticationMethods publickey,password\n")),
            .state = offline,
            .fault = refused},
    };
    for (LoginCase& row : rows)
        row.name = "password: " + row.name;
    return rows;
}

QList<LoginCase> factorRows()
{
    const auto refused = Fault::LoginRefused;
    const QByteArray keyAndCode = "KbdInteractiveAuthentication yes\n"
                                  "AuthenticationMethods publickey,keyboard-interactive:pam\n";
    const QByteArray either
        = "KbdInteractiveAuthentication yes\nAuthenticationMethods publickey keyboard-interactive\n";
    const SshdWorld keyThenPush = pam(rings, permitted, keyAndCode, {pushScript(0, 0)});
    const SshdWorld codeAndPush
        = pam(asksCode + '\n' + rings, permitted, "KbdInteractiveAuthentication yes\n", {codeScript, pushScript(0, 0)});
    return {
        {.name = "code",
            .endpoint = at(codeWorld()),
            .word = u"ada"_s,
            .prompts = 1,
            .answers = {code},
            .command = u"id -un; ls -d /"_s},
        {.name = "code, wrong once", .endpoint = at(codeWorld()), .prompts = 2, .answers = {wrong, code}},
        {.name = "code, wrong",
            .endpoint = at(codeWorld()),
            .state = offline,
            .fault = refused,
            .prompts = 3,
            .answers = {wrong, wrong, wrong}},
        {.name = "code, cancelled",
            .endpoint = at(codeWorld()),
            .state = offline,
            .fault = Fault::Cancelled,
            .prompts = 1,
            .answers = {std::nullopt}},
        {.name = "code, nobody there",
            .endpoint = at(codeWorld()),
            .state = offline,
            .fault = refused,
            .word = u"needs you"_s,
            .attended = false},
        {.name = "code by the password method",
            .endpoint = at(codeWorld("PasswordAuthentication yes\nPubkeyAuthentication no\n")),
            .prompts = 1,
            .answers = {code}},
        {.name = "push", .endpoint = at(pushWorld(0, 0))},
        {.name = "push, taken after 2 s", .endpoint = at(pushWorld(2, 0))},
        {.name = "push, declined", .endpoint = at(pushWorld(0, 1)), .state = offline, .fault = refused},
        {.name = "push, nobody there",
            .endpoint = at(pushWorld(0, 0)),
            .state = offline,
            .fault = refused,
            .word = u"needs you"_s,
            .attended = false},
        {.name = "code, then push", .endpoint = at(codeAndPush), .prompts = 1, .answers = {code}},
        {.name = "key, then code",
            .endpoint = at(codeWorld(keyAndCode), u"ada"_s, u"ed25519"_s),
            .prompts = 1,
            .answers = {code}},
        {.name = "key with passphrase, then code",
            .endpoint = at(codeWorld(keyAndCode), u"ada"_s, u"ed25519-locked"_s),
            .prompts = 2,
            .answers = {LoginScene::passphrase, code}},
        {.name = "key, then code, wrong",
            .endpoint = at(codeWorld(keyAndCode), u"ada"_s, u"ed25519"_s),
            .state = offline,
            .fault = refused,
            .prompts = 3,
            .answers = {wrong, wrong, wrong}},
        {.name = "key, then push", .endpoint = at(keyThenPush, u"ada"_s, u"ed25519"_s)},
        {.name = "key, then push, nobody there",
            .endpoint = at(keyThenPush, u"ada"_s, u"ed25519"_s),
            .state = offline,
            .fault = refused,
            .word = u"needs you"_s,
            .attended = false},
        {.name = "key or code, with the key", .endpoint = at(codeWorld(either), u"ada"_s, u"ed25519"_s)},
        {.name = "key or code, with the code", .endpoint = at(codeWorld(either)), .prompts = 1, .answers = {code}},
        {.name = "key that is not registered, then code",
            .endpoint = at(codeWorld(keyAndCode)),
            .state = offline,
            .fault = refused,
            .word = u"rsa-stranger"_s},
    };
}

/// A server that has no place left: one caller hangs before its login.
Result<SshEndpoint> crowded(LoginScene& scene)
{
    RealSshd& sshd = scene.server({.config = "MaxStartups 1:100:1\n"});
    // Whoever is greeted has been counted. Before that the server must forget who asked whether it is there.
    (void)test::comes([&scene, &sshd] {
        Descriptor caller = ServerChannel::connectTo(sshd.port());
        pollfd entry{caller.get(), POLLIN, 0};
        char greeting[4] = {};
        const bool isHeld = ::poll(&entry, 1, longWaitMs) > 0
            && ::recv(caller.get(), greeting, sizeof greeting, 0) == sizeof greeting
            && QByteArray(greeting, sizeof greeting) == "SSH-";
        if (isHeld)
            scene.hold(std::move(caller));
        return isHeld;
    });
    return scene.to(sshd);
}

/// Somebody who is not an SSH server.
Endpoint answering(const QByteArray& words)
{
    return [words](LoginScene& scene) -> Result<SshEndpoint> {
        SshEndpoint endpoint = scene.to(scene.server());
        endpoint.port = scene.listen(words);
        return endpoint;
    };
}

Endpoint own(const QByteArray& config, const QString& key = u"ed25519"_s)
{
    return [=](LoginScene& scene) -> Result<SshEndpoint> {
        return scene.to(scene.server({.config = config}), {scene.key(key)});
    };
}

Result<SshEndpoint> manyStrangers(LoginScene& scene)
{
    return scene.to(scene.server({.config = "MaxAuthTries 2\n"}),
        {scene.key(u"rsa-stranger"_s), scene.key(u"ecdsa-stranger"_s), scene.key(u"ed25519-stranger"_s),
            scene.key(u"ed25519"_s)});
}

QList<LoginCase> refusalRows()
{
    const auto refused = Fault::LoginRefused;
    const auto account = [](const QString& user) { return at(passwords(), user, u"ed25519"_s); };
    const QByteArray tells = "account required pam_exec.so quiet stdout @FOLDER@/account";
    const SshdWorld ended = pam("auth required pam_permit.so", tells, {},
        {{u"account"_s, "#!/bin/sh\necho 'Renew your account at the portal.'\nexit 1\n"}});
    const SshdWorld closed = pam("auth required pam_permit.so",
        "account required pam_nologin.so file=@FOLDER@/nologin\naccount required pam_permit.so", {},
        {{u"nologin"_s, "Closed until Tuesday.\n"}});
    SshTuning hasty = patientTuning();
    hasty.connectMs = 1500;
    return {
        {.name = "MaxAuthTries before the right key", .endpoint = manyStrangers, .state = offline, .fault = refused},
        {.name = "MaxStartups", .endpoint = crowded, .state = offline, .word = u"connection"_s},
        {.name = "AllowUsers", .endpoint = own("AllowUsers somebody\n"), .state = offline, .fault = refused},
        {.name = "DenyUsers",
            .endpoint = at(passwords("DenyUsers ada\n"), u"ada"_s, u"ed25519"_s),
            .state = offline,
            .fault = refused,
            .prompts = 3,
            .answers = {right, right, right}},
        {.name = "account expired in shadow",
            .endpoint = account(u"expired"_s),
            .state = offline,
            .fault = refused,
            .prompts = 3,
            .answers = {right, right, right}},
        {.name = "account locked",
            .endpoint = account(u"locked"_s),
            .state = offline,
            .fault = refused,
            .prompts = 3,
            .answers = {right, right, right}},
        {.name = "shell is nologin",
            .endpoint = account(u"nologin"_s),
            .word = u"not available"_s,
            .command = u"echo 42"_s},
        {.name = "shell is false", .endpoint = account(u"falseshell"_s), .word = u"1"_s, .command = u"echo 42"_s},
        {.name = "shell does not exist",
            .endpoint = account(u"noshell"_s),
            .state = offline,
            .fault = refused,
            .prompts = 3,
            .answers = {right, right, right}},
        {.name = "restricted shell",
            .endpoint = account(u"restricted"_s),
            .word = u"restricted"_s,
            .command = u"echo 42"_s},
        {.name = "forced command",
            .endpoint = own("ForceCommand echo forced\n"),
            .word = u"forced"_s,
            .command = u"echo 42"_s},
        {.name = "forced command that fails",
            .endpoint = own("ForceCommand exit 7\n"),
            .word = u"7"_s,
            .command = u"echo 42"_s},
        {.name = "PermitTTY no", .endpoint = own("PermitTTY no\n"), .word = u"42"_s, .command = u"echo 42"_s},
        {.name = "no sessions", .endpoint = own("MaxSessions 0\n"), .word = u"refused"_s, .command = u"echo 42"_s},
        {.name = "no method that is known",
            .endpoint = own("PubkeyAuthentication no\nHostbasedAuthentication yes\n"),
            .state = offline,
            .fault = refused,
            .word = u"host-based"_s},
        {.name = "algorithms that none has",
            .endpoint = own("KexAlgorithms sntrup761x25519-sha512@openssh.com\n"),
            .state = offline,
            // The library may lose its reason to the server's hanging up; what to do is the same.
            .word = u"set up very strictly"_s},
        {.name = "account closed, PAM says why",
            .endpoint = at(ended, u"ada"_s, u"ed25519"_s),
            .state = offline,
            .word = u"Renew your account"_s},
        {.name = "nologin, PAM says until when",
            .endpoint = at(closed, u"ada"_s, u"ed25519"_s),
            .state = offline,
            .word = u"Closed until Tuesday"_s},
        {.name = "a web server",
            .endpoint = answering("HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n\r\n"),
            .state = offline,
            .fault = Fault::Offline,
            .tuning = hasty},
        {.name = "banned before the banner",
            .endpoint = answering("Not allowed at this time\r\n"),
            .state = offline,
            .tuning = hasty},
        {.name = "silent", .endpoint = answering({}), .state = offline, .fault = Fault::Offline, .tuning = hasty},
    };
}

} // namespace

/// What an account may be, what PAM may ask for and why servers refuse, against OpenSSH's own server with accounts and
/// PAM services of its own, as one table. Keys, host keys, jumps and configurations: tst_loginmatrix.
class AccountMatrixTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup() { m_scene->endRow(); }
    void passwords_data() { addRows(m_passwords = passwordRows()); }
    void passwords() { checkLogin(*m_scene, m_passwords); }
    void factors_data() { addRows(m_factors = factorRows()); }
    void factors() { checkLogin(*m_scene, m_factors); }
    void refusals_data() { addRows(m_refusals = refusalRows()); }
    void refusals() { checkLogin(*m_scene, m_refusals); }
    void unattendedRingsNobody();

private:
    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<LoginScene> m_scene;
    QList<LoginCase> m_passwords;
    QList<LoginCase> m_factors;
    QList<LoginCase> m_refusals;
};

void AccountMatrixTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    m_scene = std::make_unique<LoginScene>();
    RealSshd& sshd = m_scene->server();
    if (!sshd.problem().isEmpty())
        QSKIP(qPrintable(sshd.problem()));
}

/// 200 logins that nobody attends, at a server that drops each: the telephone stays quiet.
void AccountMatrixTest::unattendedRingsNobody()
{
    RealSshd& sshd = m_scene->server(pushWorld(0, 0));
    if (!m_scene->problem().isEmpty())
        QSKIP(qPrintable(m_scene->problem()));
    QFile::remove(sshd.path(u"rung"_s));
    SshEndpoint endpoint = m_scene->to(sshd);
    endpoint.user = u"ada"_s;
    for (int i = 0; i < 200; ++i) {
        SshClient client(endpoint);
        client.shell().open(ClusterLink::Attendance::Nobody);
        QTRY_COMPARE(client.shell().state(), LinkState::Offline);
        QCOMPARE(client.prompts.size(), 0);
    }
    QVERIFY2(!QFile::exists(sshd.path(u"rung"_s)), SshHome::read(sshd.path(u"rung"_s)).constData());
}

RANKWRIGHT_TEST_MAIN(AccountMatrixTest)
#include "tst_accountmatrix.moc"
