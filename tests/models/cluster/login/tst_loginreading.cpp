// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/loginreading.h"

#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/login/loginmistakes.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const QDateTime now(QDate(2026, 5, 1), QTime(10, 0), Qt::UTC);

KeyFile key(const QString& path = u"/home/ada/.ssh/id_ed25519"_s)
{
    KeyFile file;
    file.path = path;
    file.type = u"ssh-ed25519"_s;
    file.publicLine = "ssh-ed25519 AAAA";
    return file;
}

HostScouting host()
{
    HostScouting seen;
    seen.host = u"login.example.org"_s;
    seen.addresses = {u"192.0.2.7"_s};
    seen.answered = true;
    seen.software = u"SSH-2.0-OpenSSH_9.2"_s;
    seen.verdict = HostScouting::KeyVerdict::Known;
    seen.keyType = u"ssh-ed25519"_s;
    seen.fingerprint = u"SHA256:x"_s;
    seen.methods = {u"publickey"_s};
    return seen;
}

LoginRule keysOnly()
{
    LoginRule login;
    login.takesKeys = true;
    login.keyRegistration = {u"the portal"_s, u"https://portal.example.org"_s, u"an hour"_s};
    return login;
}

} // namespace

class LoginReadingTest final : public test::Suite {
    Q_OBJECT
private slots:
    void noKey()
    {
        const StepOutcome outcome = readKeys({}, {}, keysOnly(), now);
        QCOMPARE(outcome.light, Light::Failed);
        QVERIFY2(outcome.advice.contains(u"https://portal.example.org"_s), qPrintable(outcome.advice));
        // Where nobody knows what the site takes, it is not called a failure.
        QCOMPARE(readKeys({}, {}, {}, now).light, Light::Unknown);
        LoginRule none;
        none.takesKeys = false;
        QCOMPARE(readKeys({}, {}, none, now).light, Light::Ok);
    }

    void keysAndAgents()
    {
        QCOMPARE(readKeys({key()}, {}, keysOnly(), now).light, Light::Ok);
        QCOMPARE(readKeys({}, 2, keysOnly(), now).light, Light::Ok);
        const StepOutcome locked = readKeys({}, 0, keysOnly(), now);
        QCOMPARE(locked.light, Light::Failed);
        QVERIFY(locked.evidence.contains(u"locked"_s));
    }

    void keysThatOthersMayRead()
    {
        KeyFile open = key();
        open.readByOthers = true;
        const StepOutcome outcome = readKeys({open}, {}, keysOnly(), now);
        QCOMPARE(outcome.light, Light::Failed);
        QCOMPARE(outcome.mistakes, QStringList{u"key_permissions"_s});
        QVERIFY(outcome.advice.contains(u"chmod 600"_s));
    }

    void certificates()
    {
        KeyFile certified = key();
        certified.certificate = SshCertificate();
        certified.certificate->validUntil = now.addSecs(3 * 3600 + 60);
        const StepOutcome good = readKeys({certified}, {}, keysOnly(), now);
        QCOMPARE(good.light, Light::Ok);
        QVERIFY2(good.evidence.contains(u"ends in 3 h"_s), qPrintable(good.evidence));
        certified.certificate->validUntil = now.addDays(-2);
        const StepOutcome over = readKeys({certified}, {}, keysOnly(), now);
        QCOMPARE(over.light, Light::Failed);
        QCOMPARE(over.mistakes, QStringList{u"expired"_s});
        QVERIFY(over.evidence.contains(u"expired 48 h ago"_s) || over.evidence.contains(u"expired 2 days ago"_s));
        QCOMPARE(readKeys({certified, key(u"/home/ada/.ssh/other"_s)}, {}, keysOnly(), now).light, Light::Ok);
    }

    void nameAndPort()
    {
        QCOMPARE(readName(host()).light, Light::Ok);
        QCOMPARE(readPort(host()).light, Light::Ok);
        HostScouting unnamed;
        unnamed.host = u"nowhere"_s;
        unnamed.nameFailure = u"Name or service not known"_s;
        QCOMPARE(readName(unnamed).light, Light::Failed);
        QCOMPARE(readPort(unnamed).light, Light::Pending); // nothing can be said of it
        QCOMPARE(readHostKey(unnamed).light, Light::Pending);
        QCOMPARE(readMethods(unnamed, OwnKeys::Some).light, Light::Pending);
        HostScouting deaf = host();
        deaf.answered = false;
        deaf.portFailure = u"Connection refused"_s;
        QCOMPARE(readPort(deaf).light, Light::Failed);
        QVERIFY(readPort(deaf).mistakes.contains(u"vpn_needed"_s));
        HostScouting web = host();
        web.software.clear();
        QVERIFY(readPort(web).evidence.contains(u"not an SSH server"_s));
        HostScouting gateway = host();
        gateway.isGateway = true;
        QVERIFY(readName(gateway).evidence.startsWith(u"the gateway login.example.org"_s));
    }

    void hostKeys()
    {
        HostScouting seen = host();
        QCOMPARE(readHostKey(seen).light, Light::Ok);
        seen.verdict = HostScouting::KeyVerdict::Published;
        QCOMPARE(readHostKey(seen).light, Light::Ok);
        seen.verdict = HostScouting::KeyVerdict::New;
        QCOMPARE(readHostKey(seen).light, Light::Unknown); // neither good nor bad
        seen.verdict = HostScouting::KeyVerdict::Refused;
        seen.refusal = {Fault::HostKeyRefused, u"It has changed."_s, u"both keys"_s, u"Ask."_s};
        const StepOutcome refused = readHostKey(seen);
        QCOMPARE(refused.light, Light::Failed);
        QCOMPARE(refused.mistakes, QStringList{u"host_key_changed"_s});
        QCOMPARE(refused.advice, u"Ask."_s);
    }

    void methods()
    {
        HostScouting seen = host();
        QCOMPARE(readMethods(seen, OwnKeys::Some).light, Light::Ok);
        QCOMPARE(readMethods(seen, OwnKeys::None).light, Light::Failed);
        seen.methods = {u"publickey"_s, u"keyboard-interactive"_s};
        QCOMPARE(readMethods(seen, OwnKeys::None).light, Light::Ok);
        seen.methods = {u"gssapi-with-mic"_s};
        QCOMPARE(readMethods(seen, OwnKeys::Some).light, Light::Failed);
        seen.methods.clear();
        QCOMPARE(readMethods(seen, OwnKeys::Some).light, Light::Unknown);
    }

    void refusedLogins()
    {
        const Error refused{Fault::LoginRefused, u"It did not accept the login of ada."_s, u"Tried: id_ed25519."_s,
            u"Register your key."_s};
        const StepOutcome outcome = readLoginFailure(refused, keysOnly());
        QCOMPARE(outcome.light, Light::Failed);
        QCOMPARE(outcome.mistakes.first(), u"key_not_registered"_s);
        QVERIFY(outcome.mistakes.contains(u"wrong_user"_s));
        QVERIFY2(outcome.advice.contains(u"the portal"_s) && outcome.advice.contains(u"after an hour"_s),
            qPrintable(outcome.advice));
        QCOMPARE(stepOf(refused), LoginStepKind::Login);

        Error many = refused;
        many.detail = u"Too many authentication failures"_s;
        QCOMPARE(readLoginFailure(many, keysOnly()).mistakes.first(), u"wrong_key"_s);
        Error over = refused;
        over.what = u"The certificate for x has expired."_s;
        QCOMPARE(readLoginFailure(over, keysOnly()).mistakes.first(), u"expired"_s);
        const Error changed{Fault::HostKeyRefused, u"The host key has changed."_s, {}, {}};
        QCOMPARE(stepOf(changed), LoginStepKind::HostKey);
        QCOMPARE(readLoginFailure(changed, keysOnly()).mistakes, QStringList{u"host_key_changed"_s});
        // Whoever cancels has not failed.
        QCOMPARE(readLoginFailure({Fault::Cancelled, u"Cancelled."_s, {}, {}}, keysOnly()).light, Light::Unknown);
    }

    /// Each id that a reading gives can be explained.
    void everyMistakeIsExplained()
    {
        for (const Fault fault :
            {Fault::LoginRefused, Fault::HostKeyRefused, Fault::Offline, Fault::TimedOut, Fault::Cancelled}) {
            const Error why{fault, u"password, Too many authentication failures, has expired"_s, {}, {}};
            for (const QString& id : readLoginFailure(why, keysOnly()).mistakes)
                QVERIFY2(loginMistake(id), qPrintable(id));
        }
    }

    /// Pages of sites open in a browser: web pages alone.
    void pagesOfTheCatalogue()
    {
        const Catalogue catalogue = loadCatalogue();
        int known = 0;
        for (const ClusterProfile& profile : catalogue.clusters) {
            const KeyRegistration& page = profile.login.keyRegistration;
            known += page.title.isEmpty() ? 0 : 1;
            QVERIFY(page.url.isEmpty() || page.url.startsWith(u"https://"_s));
            QVERIFY(page.url.isEmpty() || !page.title.isEmpty());
            if (profile.login.takesKeys == false)
                QVERIFY(page.title.isEmpty());
        }
        QVERIFY(known >= 6);
        QCOMPARE(catalogue.find(u"mahti"_s)->login.keyRegistration.url, u"https://my.csc.fi"_s);
        QCOMPARE(catalogue.find(u"raven"_s)->login.takesKeys, std::optional(false));
    }
};

RANKWRIGHT_TEST_MAIN(LoginReadingTest)
#include "tst_loginreading.moc"
