// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// The ways of logging in, against the server in this process.
class SshLoginTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_home = std::make_unique<SshHome>(); }
    void keyFile();
    void defaultKeyFile();
    void encryptedKeyAsksForItsPassphrase();
    void wrongPassphraseGoesOnToThePassword();
    void unknownKeyNeedsNoPassphrase();
    void password();
    void wrongPasswordThrice();
    void secondTryIsRight();
    void twoQuestions();
    void emptyRoundAndSecondRound();
    void keyThenCode();
    void wrongCodeThrice();
    void nothingThatIsAcceptedFits();
    void cancelledPrompt();
    void unansweredPromptEnds();
    void hostileTextsAreCleaned();
    void lateAnswersAreDropped();
    void whatTookAPersonIsKnown_data();
    void whatTookAPersonIsKnown();
    void unattendedBeginsNothingThatAsks_data();
    void unattendedBeginsNothingThatAsks();
    void bannersArrive();
    void wrongPasswordIsSaid();

private:
    static std::optional<PromptAnswer> answers(const QList<QByteArray>& all) { return SshClient::with(all); }
    std::unique_ptr<SshHome> m_home;
};

void SshLoginTest::keyFile()
{
    SshServer::Options options;
    QByteArray publicKey;
    const QString file = m_home->newKey(u"key_plain"_s, &publicKey);
    options.authorizedKeys = {publicKey};
    SshServer server(options);
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {m_home->path(u"not_there"_s), file};
    SshClient client(endpoint);
    QCOMPARE(client.connectNow(), LinkState::Online);
    QVERIFY(client.prompts.isEmpty());
    QCOMPARE(client.states, (QList{LinkState::Connecting, LinkState::Online}));
    const Result<CommandOutcome> outcome = client.run(u"echo hello"_s);
    QVERIFY_RESULT(outcome);
    QCOMPARE(outcome->output, QByteArray("hello\n"));
}

void SshLoginTest::defaultKeyFile()
{
    SshServer::Options options;
    QByteArray publicKey;
    const QString file = m_home->newKey(u"key_default"_s, &publicKey);
    options.authorizedKeys = {publicKey};
    QDir().mkpath(m_home->path(u".ssh"_s));
    QFile::rename(file, m_home->path(u".ssh/id_ed25519"_s));
    SshServer server(options);
    SshClient client(m_home->endpoint(server));
    QCOMPARE(client.connectNow(), LinkState::Online);
    QFile::remove(m_home->path(u".ssh/id_ed25519"_s));
}

void SshLoginTest::encryptedKeyAsksForItsPassphrase()
{
    SshServer::Options options;
    QByteArray publicKey;
    const QString file = m_home->newKey(u"key_locked"_s, &publicKey, "open sesame");
    options.authorizedKeys = {publicKey};
    SshServer server(options);
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {file};
    SshClient client(endpoint);
    client.answerer
        = [&client](const LoginPrompt&) { return answers({client.prompts.size() == 1 ? "wrong" : "open sesame"}); };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.size(), 2);
    QCOMPARE(client.prompts[0].kind, LoginPrompt::Kind::Passphrase);
    QVERIFY(client.prompts[0].questions.first().text.contains(file));
    QVERIFY(!client.prompts[0].questions.first().echo);
    QVERIFY(client.prompts[0].notice.isEmpty());
    QVERIFY(!client.prompts[1].notice.isEmpty());
    QVERIFY(client.prompts[0].id != client.prompts[1].id);
}

void SshLoginTest::wrongPassphraseGoesOnToThePassword()
{
    SshServer::Options options;
    QByteArray publicKey;
    const QString file = m_home->newKey(u"key_forgotten"_s, &publicKey, "forgotten");
    options.authorizedKeys = {publicKey};
    options.password = "secret";
    SshServer server(options);
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {file};
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt& prompt) {
        return answers({prompt.kind == LoginPrompt::Kind::Password ? "secret" : "guess"});
    };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.size(), 4); // three guesses, then the password
}

void SshLoginTest::unknownKeyNeedsNoPassphrase()
{
    SshServer::Options options;
    QByteArray publicKey;
    const QString file = m_home->newKey(u"key_other"_s, &publicKey, "x");
    options.authorizedKeys = {"AAAAnotthis"};
    options.password = "secret";
    SshServer server(options);
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {file};
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt&) { return answers({"secret"}); };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.size(), 1);
    QCOMPARE(client.prompts.first().kind, LoginPrompt::Kind::Password);
    QCOMPARE(server.keyOffers(), 1);
}

void SshLoginTest::password()
{
    SshServer server({.password = "geheim ß"});
    SshClient client(m_home->endpoint(server));
    client.answerer = [](const LoginPrompt&) { return answers({"geheim ß"}); };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.size(), 1);
    QCOMPARE(client.prompts.first().kind, LoginPrompt::Kind::Password);
    QCOMPARE(client.prompts.first().questions.size(), 1);
    QVERIFY(client.prompts.first().questions.first().text.contains(u"ada@127.0.0.1"_s));
    QVERIFY(!client.shell().lastError());
}

void SshLoginTest::wrongPasswordThrice()
{
    SshServer server({.password = "secret", .banner = "Authorised users only\n"});
    SshClient client(m_home->endpoint(server));
    client.answerer = [](const LoginPrompt&) { return answers({"wrong"}); };
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.prompts.size(), 3);
    QCOMPARE(server.passwordTries(), 3);
    QVERIFY(client.prompts[0].notice.isEmpty());
    QVERIFY(client.prompts[2].notice.contains(u"try 2 of 3"_s));
    const Error error = client.shell().lastError().value();
    QCOMPARE(error.fault, Fault::LoginRefused);
    QVERIFY(error.detail.contains(u"password"_s));
    QVERIFY(error.detail.contains(u"Authorised users only"_s));
    QVERIFY(!error.detail.contains(u"wrong"_s));
}

void SshLoginTest::secondTryIsRight()
{
    SshServer server({.password = "secret"});
    SshClient client(m_home->endpoint(server));
    client.answerer = [&client](const LoginPrompt&) { return answers({client.prompts.size() < 3 ? "no" : "secret"}); };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(server.passwordTries(), 3);
}

void SshLoginTest::twoQuestions()
{
    SshServer::Options options;
    options.interactive = {{"Login", "Two factors", {{"Password: ", false, "secret"}, {"Code: ", true, "123456"}}}};
    SshServer server(options);
    SshClient client(m_home->endpoint(server));
    client.answerer = [](const LoginPrompt&) { return answers({"secret", "123456"}); };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.size(), 1);
    const LoginPrompt& prompt = client.prompts.first();
    QCOMPARE(prompt.kind, LoginPrompt::Kind::KeyboardInteractive);
    QCOMPARE(prompt.title, u"Login"_s);
    QCOMPARE(prompt.instruction, u"Two factors"_s);
    QCOMPARE(prompt.questions, (QList<LoginPrompt::Question>{{u"Password:"_s, false}, {u"Code:"_s, true}}));
}

void SshLoginTest::emptyRoundAndSecondRound()
{
    SshServer::Options options;
    options.interactive = {{"", "", {{"Password: ", false, "secret"}}}, {"", "A code was sent to your phone.", {}},
        {"", "", {{"Code: ", false, "42"}}}};
    SshServer server(options);
    SshClient client(m_home->endpoint(server));
    client.answerer = [&client](const LoginPrompt&) { return answers({client.prompts.size() == 1 ? "secret" : "42"}); };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.size(), 2);
    QCOMPARE(client.prompts[1].instruction, u"A code was sent to your phone."_s);
}

void SshLoginTest::keyThenCode()
{
    SshServer::Options options;
    QByteArray publicKey;
    const QString file = m_home->newKey(u"key_half"_s, &publicKey);
    options.authorizedKeys = {publicKey};
    options.keyIsNotEnough = true;
    options.interactive = {{"", "", {{"One-time code", false, "31337"}}}};
    SshServer server(options);
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {file};
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt&) { return answers({"31337"}); };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.size(), 1);
    QCOMPARE(client.prompts.first().questions.first().text, u"One-time code"_s);
}

void SshLoginTest::wrongCodeThrice()
{
    SshServer::Options options;
    options.password = "secret"; // offered, but the tries are used up
    options.interactive = {{"", "", {{"Code", false, "1"}}}};
    SshServer server(options);
    SshClient client(m_home->endpoint(server));
    client.answerer = [](const LoginPrompt&) { return answers({"2"}); };
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.shell().lastError()->fault, Fault::LoginRefused);
    QCOMPARE(server.interactiveTries(), 3);
    QCOMPARE(server.passwordTries(), 0);
}

void SshLoginTest::nothingThatIsAcceptedFits()
{
    SshServer::Options options;
    options.authorizedKeys = {"AAAAnotthis"};
    SshServer server(options);
    SshClient client(m_home->endpoint(server));
    QCOMPARE(client.connectNow(), LinkState::Offline);
    const Error error = client.shell().lastError().value();
    QCOMPARE(error.fault, Fault::LoginRefused);
    QVERIFY2(error.what.contains(u"ada"_s), qPrintable(error.what));
    QVERIFY(error.remedy.contains(u"key"_s));
}

void SshLoginTest::cancelledPrompt()
{
    SshServer server({.password = "secret"});
    SshClient client(m_home->endpoint(server));
    client.answerer = [](const LoginPrompt&) { return SshClient::no(); };
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.shell().lastError()->fault, Fault::Cancelled);
    QCOMPARE(server.passwordTries(), 0);
}

void SshLoginTest::unansweredPromptEnds()
{
    SshServer server({.password = "secret"});
    SshTuning tuning = patientTuning();
    tuning.promptMs = 200;
    SshClient client(m_home->endpoint(server), tuning);
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.prompts.size(), 1);
    QCOMPARE(client.shell().lastError()->fault, Fault::Cancelled);
}

void SshLoginTest::hostileTextsAreCleaned()
{
    SshServer::Options options;
    options.interactive
        = {{"\x1b]0;evil\x07Login\n", "line 1\r\nline 2\x1b[2J\u202e", {{"Pass\x08\x08\nword\x1b[31m", false, "x"}}}};
    SshServer server(options);
    SshClient client(m_home->endpoint(server));
    client.answerer = [](const LoginPrompt&) { return answers({"x"}); };
    QCOMPARE(client.connectNow(), LinkState::Online);
    const LoginPrompt& prompt = client.prompts.first();
    QCOMPARE(prompt.title, u"]0;evilLogin"_s);
    QCOMPARE(prompt.instruction, u"line 1\nline 2[2J"_s);
    QCOMPARE(prompt.questions.first().text, u"Pass word[31m"_s);
}

void SshLoginTest::lateAnswersAreDropped()
{
    SshServer server({.password = "secret"});
    SshClient client(m_home->endpoint(server));
    client.shell().open();
    QTRY_COMPARE(client.prompts.size(), 1);
    const quint64 id = client.prompts.first().id;
    client.shell().answer(id + 7, *answers({"nonsense"}));
    client.shell().answer(id, *answers({"secret"}));
    client.shell().answer(id, *answers({"twice"}));
    QVERIFY(client.waitFor(LinkState::Online));
    QCOMPARE(server.passwordTries(), 1);
}

static SshServer::Options serverOf(const QByteArray& kind, const QByteArray& publicKey)
{
    SshServer::Options options;
    if (kind.contains("key"))
        options.authorizedKeys = {publicKey};
    if (kind == "password")
        options.password = "secret";
    if (kind == "key and push" || kind == "push") // a round without a question, while a telephone rings
        options.interactive = {{"", "Confirm on your phone.", {}}};
    if (kind == "key and code")
        options.interactive = {{"", "", {{"Code: ", false, "secret"}}}};
    options.keyIsNotEnough = kind.contains("and");
    return options;
}

void SshLoginTest::whatTookAPersonIsKnown_data()
{
    QTest::addColumn<bool>("took");
    QTest::newRow("key") << false;
    QTest::newRow("locked key") << true;
    QTest::newRow("password") << true;
    QTest::newRow("push") << true;
    QTest::newRow("key and push") << true;
    QTest::newRow("key and code") << true;
}

void SshLoginTest::whatTookAPersonIsKnown()
{
    QFETCH(bool, took);
    const QByteArray kind = QTest::currentDataTag();
    QByteArray publicKey;
    const QString file
        = m_home->newKey(u"took_"_s + QString::fromLatin1(kind), &publicKey, kind == "locked key" ? "secret" : nullptr);
    SshServer server(serverOf(kind, publicKey));
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {file};
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt&) { return answers({"secret"}); };
    QVERIFY(client.shell().loginTookPerson()); // nobody knows yet
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.shell().loginTookPerson(), took);
}

void SshLoginTest::unattendedBeginsNothingThatAsks_data() { whatTookAPersonIsKnown_data(); }

void SshLoginTest::unattendedBeginsNothingThatAsks()
{
    QFETCH(bool, took);
    const QByteArray kind = QTest::currentDataTag();
    QByteArray publicKey;
    const QString file = m_home->newKey(
        u"alone_"_s + QString::fromLatin1(kind), &publicKey, kind == "locked key" ? "secret" : nullptr);
    SshServer server(serverOf(kind, publicKey));
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {file};
    SshClient client(endpoint);
    client.shell().open(ClusterLink::Attendance::Nobody);
    QVERIFY(client.waitFor(took ? LinkState::Offline : LinkState::Online));
    QVERIFY(client.prompts.isEmpty());
    QCOMPARE(server.interactiveTries(), 0);
    QCOMPARE(server.passwordTries(), 0);
    if (took)
        QCOMPARE(client.shell().lastError()->fault, Fault::LoginRefused);
}

void SshLoginTest::bannersArrive()
{
    SshServer server({.password = "secret", .banner = "Maintenance on \x1b[2J\u202eMonday\n"});
    SshClient client(m_home->endpoint(server));
    QStringList said;
    connect(&client.shell(), &ClusterLink::bannerArrived, this,
        [&said](const QString& host, const QString& text) { said << host + u'|' + text; });
    client.answerer = [&said](const LoginPrompt&) {
        return said.isEmpty() ? SshClient::no() : *answers({"secret"}); // before it asks
    };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(said, QStringList(u"ada@127.0.0.1:%1|Maintenance on [2JMonday"_s.arg(server.port())));
}

void SshLoginTest::wrongPasswordIsSaid()
{
    SshServer server({.password = "secret"});
    SshClient client(m_home->endpoint(server));
    client.answerer = [](const LoginPrompt&) { return answers({"wrong"}); };
    QCOMPARE(client.connectNow(), LinkState::Offline);
    const Error error = client.shell().lastError().value();
    QVERIFY2(error.what.contains(u"did not accept the password"_s), qPrintable(error.what));
    QVERIFY2(!error.detail.contains(u"nothing that is known here"_s), qPrintable(error.detail));
}

RANKWRIGHT_TEST_MAIN(SshLoginTest)
#include "tst_sshlogin.moc"
