// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/login/logincheck.h"
#include "tests/app/support/clirun.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A first login against OpenSSH's own server: each of the usual mistakes stops it at its step, and is named.
class LoginCheckTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void everythingUpToTheShell();
    void noKey();
    void keyNotRegistered();
    void changedHostKey();
    void unknownHostKeyIsAsked();
    void expiredCertificate();
    void openKeyFile();
    void noisyStartUp_data();
    void noisyStartUp();
    void nameUnknown();
    void portClosed();
    void stoppedAndStartedAgain();
    void commandLine();
    void commandLineMakesAKey();

private:
    SshRequest request() const;
    /// Runs to the end; prompts get `accepted`.
    void run(LoginCheck& check, const SshRequest& request, bool accepted = false);
    static Light lightOf(const LoginCheck& check, LoginStepKind kind) { return check.steps().outcome(kind).light; }
    static ClusterProfile profile()
    {
        ClusterProfile made;
        made.name = u"test"_s;
        made.login.takesKeys = true;
        made.login.keyRegistration = {u"the portal"_s, u"https://portal.example.org"_s, {}};
        return made;
    }

    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<RealSshd> m_sshd;
    int m_prompts = 0;
};

void LoginCheckTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    m_sshd = std::make_unique<RealSshd>();
    if (!m_sshd->problem().isEmpty())
        QSKIP(qPrintable(m_sshd->problem()));
    SshClient probe(m_sshd->endpoint());
    if (probe.connectNow() == LinkState::Offline && probe.shell().lastError()->fault == Fault::LoginRefused)
        QSKIP("this account may not log in by SSH (it may be locked)");
    SshHome::write(m_home->path(u"config"_s), "# nothing\n");
}

void LoginCheckTest::cleanup() { QFile::remove(m_sshd->path(u".bashrc"_s)); }

SshRequest LoginCheckTest::request() const
{
    const SshEndpoint endpoint = m_sshd->endpoint(); // writes its known_hosts file
    SshRequest request;
    request.host = endpoint.host;
    request.port = endpoint.port;
    request.user = endpoint.user;
    request.identities = endpoint.identities;
    request.knownHosts = endpoint.knownHosts;
    request.configFile = m_home->path(u"config"_s);
    return request;
}

void LoginCheckTest::run(LoginCheck& check, const SshRequest& request, bool accepted)
{
    QSignalSpy finished(&check, &LoginCheck::finished);
    m_prompts = 0;
    const auto connection = connect(&check, &LoginCheck::promptRaised, this, [&](const LoginPrompt& prompt) {
        ++m_prompts;
        check.answer(prompt.id, {accepted, {}});
    });
    check.start(request);
    QVERIFY(check.isRunning());
    QTRY_COMPARE(finished.size(), 1);
    QVERIFY(!check.isRunning() && !check.current());
    disconnect(connection);
}

void LoginCheckTest::everythingUpToTheShell()
{
    LoginCheck check(profile());
    QSignalSpy changes(&check, &LoginCheck::changed);
    run(check, request());
    for (const LoginStepKind kind : {LoginStepKind::Key, LoginStepKind::Name, LoginStepKind::Port,
             LoginStepKind::HostKey, LoginStepKind::Method, LoginStepKind::Login, LoginStepKind::StartUp})
        QVERIFY2(lightOf(check, kind) == Light::Ok,
            qPrintable(stepWord(kind) + u": "_s + check.steps().outcome(kind).evidence));
    // What this machine has of the rest is its own affair; nothing is left untested.
    for (const LoginStep& step : check.steps().all())
        QVERIFY2(step.outcome.light != Light::Pending, qPrintable(stepWord(step.kind)));
    QVERIFY(changes.size() > 6);
    QCOMPARE(m_prompts, 0);
}

void LoginCheckTest::noKey()
{
    SshRequest none = request();
    none.identities.clear();
    LoginCheck check(profile());
    run(check, none);
    QCOMPARE(lightOf(check, LoginStepKind::Key), Light::Failed);
    QCOMPARE(lightOf(check, LoginStepKind::HostKey), Light::Ok);
    QCOMPARE(lightOf(check, LoginStepKind::Method), Light::Failed); // it takes keys only
    QCOMPARE(lightOf(check, LoginStepKind::Login), Light::Pending);
    QVERIFY(check.steps().outcome(LoginStepKind::Key).advice.contains(u"https://portal.example.org"_s));
}

void LoginCheckTest::keyNotRegistered()
{
    SshRequest other = request();
    other.identities = {m_sshd->newKey(u"stranger"_s)};
    LoginCheck check(profile());
    run(check, other);
    QCOMPARE(lightOf(check, LoginStepKind::Key), Light::Ok);
    QCOMPARE(lightOf(check, LoginStepKind::Method), Light::Ok);
    QCOMPARE(lightOf(check, LoginStepKind::Login), Light::Failed);
    const StepOutcome& login = check.steps().outcome(LoginStepKind::Login);
    QVERIFY(login.mistakes.contains(u"key_not_registered"_s) && login.mistakes.contains(u"wrong_user"_s));
    QVERIFY2(login.advice.contains(u"the portal"_s), qPrintable(login.advice));
    QCOMPARE(check.keys().size(), 1);
    QVERIFY(check.keys().first().publicLine.startsWith("ssh-ed25519 "));
}

void LoginCheckTest::changedHostKey()
{
    const SshRequest usual = request();
    const QByteArray line = SshHome::read(usual.knownHosts);
    const QByteArrayList words = line.split(' ');
    SshHome::write(usual.knownHosts, words.at(0) + ' ' + SshHome::read(m_sshd->newKey(u"otherhost"_s) + u".pub"_s));
    LoginCheck check(profile());
    run(check, usual, true);
    QCOMPARE(lightOf(check, LoginStepKind::HostKey), Light::Failed);
    QCOMPARE(check.steps().mistakes(), QStringList{u"host_key_changed"_s});
    QCOMPARE(lightOf(check, LoginStepKind::Method), Light::Pending);
    QCOMPARE(m_prompts, 0); // there is nothing to accept
}

void LoginCheckTest::unknownHostKeyIsAsked()
{
    SshRequest fresh = request();
    fresh.knownHosts = m_home->path(u"fresh"_s);
    LoginCheck refusing(profile());
    run(refusing, fresh, false);
    QCOMPARE(m_prompts, 1);
    QCOMPARE(lightOf(refusing, LoginStepKind::HostKey), Light::Failed);
    LoginCheck accepting(profile());
    run(accepting, fresh, true);
    QCOMPARE(m_prompts, 1);
    QCOMPARE(lightOf(accepting, LoginStepKind::HostKey), Light::Ok);
    QCOMPARE(lightOf(accepting, LoginStepKind::Login), Light::Ok);
}

void LoginCheckTest::expiredCertificate()
{
    SshRequest certified = request();
    const QString key = m_sshd->newKey(u"expired"_s);
    QProcess::execute(u"ssh-keygen"_s,
        {u"-q"_s, u"-s"_s, m_sshd->path(u"ca"_s), u"-I"_s, u"test"_s, u"-n"_s, certified.user, u"-V"_s,
            u"20200101:20200301"_s, key + u".pub"_s});
    certified.identities = {key};
    LoginCheck check(profile());
    run(check, certified);
    const StepOutcome& keys = check.steps().outcome(LoginStepKind::Key);
    QCOMPARE(keys.light, Light::Failed);
    QVERIFY2(keys.evidence.contains(u"expired"_s) && keys.evidence.contains(u"2020-"_s), qPrintable(keys.evidence));
    QCOMPARE(lightOf(check, LoginStepKind::Login), Light::Failed);
    QCOMPARE(check.steps().mistakes().first(), u"expired"_s);
}

void LoginCheckTest::openKeyFile()
{
    SshRequest open = request();
    open.identities = {m_sshd->newKey(u"open"_s)};
    QFile::setPermissions(
        open.identities.first(), QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther);
    LoginCheck check(profile());
    run(check, open);
    QCOMPARE(lightOf(check, LoginStepKind::Key), Light::Failed);
    QCOMPARE(check.steps().mistakes().first(), u"key_permissions"_s);
}

void LoginCheckTest::noisyStartUp_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<Light>("light");
    QTest::addColumn<QString>("words");
    QTest::newRow("prints") << QByteArray("echo Welcome, Ada!\n") << Light::Failed << u"Welcome, Ada!"_s;
    QTest::newRow("exits") << QByteArray("exit 0\n") << Light::Failed << u"ends the shell"_s;
    QTest::newRow("guarded") << QByteArray("case $- in *i*) ;; *) return ;; esac\necho Welcome\n") << Light::Ok
                             << QString();
}

void LoginCheckTest::noisyStartUp()
{
    QFETCH(QByteArray, file);
    QFETCH(Light, light);
    QFETCH(QString, words);
    if (!QByteArray(::getpwuid(::getuid())->pw_shell).endsWith("bash"))
        QSKIP("the account's shell is not bash");
    SshHome::write(m_sshd->path(u".bashrc"_s), file);
    LoginCheck check(profile());
    run(check, request());
    const StepOutcome& startUp = check.steps().outcome(LoginStepKind::StartUp);
    if (light == Light::Failed && startUp.light == Light::Ok)
        QSKIP("this bash reads no .bashrc for SSH (SSH_SOURCE_BASHRC)");
    QVERIFY2(startUp.light == light, qPrintable(startUp.evidence));
    QVERIFY2(startUp.evidence.contains(words), qPrintable(startUp.evidence));
    if (light == Light::Failed)
        QVERIFY(startUp.mistakes.contains(u"noisy_startup"_s));
}

void LoginCheckTest::nameUnknown()
{
    SshRequest nowhere = request();
    nowhere.host = u"no-such-host.invalid"_s;
    LoginCheck check(profile());
    run(check, nowhere);
    QCOMPARE(lightOf(check, LoginStepKind::Name), Light::Failed);
    QCOMPARE(lightOf(check, LoginStepKind::Port), Light::Pending);
    SshRequest odd = request();
    odd.host = u"two words"_s;
    run(check, odd);
    QCOMPARE(lightOf(check, LoginStepKind::Name), Light::Failed);
}

void LoginCheckTest::portClosed()
{
    SshRequest closed = request();
    closed.port = 1;
    LoginCheck check(profile());
    run(check, closed);
    QCOMPARE(lightOf(check, LoginStepKind::Port), Light::Failed);
    QVERIFY(check.steps().outcome(LoginStepKind::Port).evidence.contains(u"refused"_s));
}

/// Whoever stops, or starts again, hears nothing more of the first attempt.
void LoginCheckTest::stoppedAndStartedAgain()
{
    LoginCheck check(profile());
    QSignalSpy finished(&check, &LoginCheck::finished);
    check.start(request());
    check.stop();
    QVERIFY(!check.isRunning());
    check.start(request());
    check.start(request());
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(lightOf(check, LoginStepKind::Login), Light::Ok);
    test::quietFor(200);
    QCOMPARE(finished.size(), 1);
}

void LoginCheckTest::commandLine()
{
    const SshRequest usual = request();
    const QStringList words{u"login-help"_s, u"lumi"_s, u"--json"_s, u"--host"_s, usual.host, u"--port"_s,
        QString::number(*usual.port), u"--user"_s, usual.user, u"--known-hosts"_s, usual.knownHosts, u"--config"_s,
        usual.configFile};
    const Answer good = test::run(words + QStringList{u"--identity"_s, usual.identities.first()});
    QVERIFY(good.code == 0 || good.code == 1); // what this machine has of Slurm is its own affair
    QCOMPARE(good.json().value(u"steps"_s).toArray().size(), 11);
    QCOMPARE(good.json().value(u"steps"_s).toArray().at(5).toObject().value(u"light"_s).toString(), u"ok"_s);
    const Answer refused = test::run(words + QStringList{u"--identity"_s, m_sshd->newKey(u"nobody"_s)});
    QCOMPARE(refused.code, 3);
    QCOMPARE(refused.json().value(u"ok"_s).toBool(true), false);
    QVERIFY(!refused.json().value(u"mistakes"_s).toArray().isEmpty());
    QCOMPARE(refused.json().value(u"registration"_s).toObject().value(u"url"_s).toString(),
        u"https://mms.myaccessid.org/profile/"_s);
    QStringList plain = words;
    plain.removeAll(u"--json"_s);
    const Answer text = test::run(plain + QStringList{u"--identity"_s, m_sshd->path(u"nobody"_s)});
    QVERIFY2(text.out.contains(u"✕ failed"_s) && text.out.contains(u"ssh-ed25519 AAAA"_s)
            && text.out.contains(u"MyAccessID"_s),
        qPrintable(text.out));
}

/// Two lines of a descriptor are the passphrase and the same again; it is then asked for nowhere but to open the key.
void LoginCheckTest::commandLineMakesAKey()
{
    const SshRequest usual = request();
    const QString path = m_home->path(u"made"_s);
    SshHome::write(m_home->path(u"words"_s), "correct horse\ncorrect horse\n");
    const int descriptor = ::open(m_home->path(u"words"_s).toLocal8Bit().constData(), O_RDONLY);
    const Answer made = test::run({u"login-help"_s, u"lumi"_s, u"--make-key"_s, u"--identity"_s, path, u"--host"_s,
        usual.host, u"--port"_s, QString::number(*usual.port), u"--user"_s, usual.user, u"--known-hosts"_s,
        usual.knownHosts, u"--config"_s, usual.configFile, u"--password-fd"_s, QString::number(descriptor)});
    ::close(descriptor);
    QCOMPARE(made.code, 3); // it is not registered yet
    QVERIFY2(made.err.contains(u"made "_s + path), qPrintable(made.err));
    QVERIFY(QFile::exists(path) && QFile::exists(path + u".pub"_s));
    QVERIFY(made.out.contains(QString::fromUtf8(SshHome::read(path + u".pub"_s)).trimmed()));
    QVERIFY(!made.out.contains(u"correct horse"_s) && !made.err.contains(u"correct horse"_s));
}

RANKWRIGHT_TEST_MAIN(LoginCheckTest)
#include "tst_logincheck.moc"
