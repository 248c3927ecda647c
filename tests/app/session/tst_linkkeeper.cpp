// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/linkkeeper.h"
#include "models/cluster/slurm/jobrecord.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QDateTime>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// When a link is opened again, and what is said of it.
class LinkKeeperTest final : public test::Suite {
    Q_OBJECT

    struct Bench {
        Bench() { link.setState(LinkState::Offline); }
        test::FakeShell link;
        LinkKeeper keeper{link, u"far"_s, u"Far away"_s, RetryPolicy(50, 200)};
        void online()
        {
            keeper.open();
            link.setState(LinkState::Online);
        }
    };
    static Error linkBroke() { return {Fault::Offline, u"The connection broke."_s, {}, {}}; }

private slots:
    void saysWhatIsKnown();
    void factsGoIntoTheInfo();
    void aFirstFailureIsReportedNotRetried();
    void aLostLinkIsOpenedAgainUntilItStands();
    void theWaitIsCountedDown();
    void closingEndsTheWaiting();
    void whatAPersonMustDecideIsNotTriedAgain();
    void noPromptWhileNobodyLooks();

    /// A push, a code, a typed password: nothing of that kind is begun because a connection was cut.
    void whatTookAPersonIsNotRepeated();
    void nobodyAttendsWhatIsOpenedByItself();
    void aClickTakesOverFromATryOfOurs();
    void aServerThatDropsAfterLoginIsLeftAlone();

    /// A restart, or a second program, does not begin the waits again.
    void whatWasTriedIsRememberedOverARestart();

    /// The window waits while `watch` in a terminal logs in to the same host.
    void anotherProgramsLoginsAreCountedBeforeATry();
    void longWaitsAreRememberedAClickBeginsAnew();
    void aServerThatTurnsAwayIsLeftAlone();
    void aNetworkThatComesBackIsUsedAtOnce();
    void anOpenLinkIsLookedAfterWhenTheNetworkChanges();
    void neitherNetworkNorWakeOpensWhatNeedsAPerson();
    void aChangedHostKeyIsSaidInItsOwnWords();
    void bannersAreKeptOfAPersonsLogin();
    void trafficIsARate();
};

void LinkKeeperTest::saysWhatIsKnown()
{
    Bench bench;
    QSignalSpy changed(&bench.keeper, &LinkKeeper::changed);
    bench.online();
    QCOMPARE(bench.link.opened(), 1);
    QVERIFY(changed.size() >= 2);
    const LinkInfo info = bench.keeper.info();
    QCOMPARE(info.cluster, u"far"_s);
    QCOMPARE(info.title, u"Far away"_s);
    QCOMPARE(info.state, LinkState::Online);
    QVERIFY(!info.error);
    // Nobody counts: unknown, not 0.
    QVERIFY(!info.bytesPerSecond && !info.commandsPerMinute && !info.latencyMs);
}

void LinkKeeperTest::factsGoIntoTheInfo()
{
    Bench bench;
    ClusterFacts facts;
    facts.user = u"ada"_s;
    facts.slurmVersion = u"23.11.4"_s;
    facts.latencySeconds = 0.012;
    facts.accounts = {u"project_1"_s};
    bench.keeper.setFacts(facts);
    QCOMPARE(bench.keeper.info().user, u"ada"_s);
    QCOMPARE(bench.keeper.info().slurmVersion, u"23.11.4"_s);
    QCOMPARE(bench.keeper.info().account, u"project_1"_s);
    QCOMPARE(*bench.keeper.info().latencyMs, 12.0);
    facts.accounts.append(u"project_2"_s);
    facts.latencySeconds = 0.5;
    bench.keeper.setFacts(facts);
    QVERIFY(bench.keeper.info().account.isEmpty()); // of several, the design chooses
    QCOMPARE(*bench.keeper.info().latencyMs, 12.0); // the link measures it better
}

void LinkKeeperTest::aFirstFailureIsReportedNotRetried()
{
    Bench bench;
    bench.keeper.open();
    bench.link.setState(LinkState::Connecting);
    bench.link.setState(LinkState::Offline, linkBroke());
    QCOMPARE(bench.keeper.info().error, std::optional(linkBroke()));
    test::quietFor(150);
    QCOMPARE(bench.link.opened(), 1);
}

void LinkKeeperTest::aLostLinkIsOpenedAgainUntilItStands()
{
    Bench bench;
    bench.online();
    bench.link.setState(LinkState::Lost, linkBroke());
    QCOMPARE(bench.keeper.info().error, std::optional(linkBroke()));
    QCOMPARE(bench.keeper.info().activity, u"connecting again in 1 s"_s);
    QTRY_COMPARE(bench.link.opened(), 2);
    bench.link.setState(LinkState::Connecting);
    bench.link.setState(LinkState::Offline, linkBroke());
    QTRY_COMPARE(bench.link.opened(), 3); // it was online once: a later failure is not a typing error
    bench.link.setState(LinkState::Online);
    QVERIFY(!bench.keeper.info().error && bench.keeper.info().activity.isEmpty());
}

void LinkKeeperTest::theWaitIsCountedDown()
{
    test::FakeShell link;
    link.setState(LinkState::Offline);
    LinkKeeper keeper(link, u"far"_s, u"Far away"_s, RetryPolicy(3200, 3200));
    keeper.open();
    link.setState(LinkState::Online);
    QStringList said;
    connect(&keeper, &LinkKeeper::changed, this, [&said](const LinkInfo& info) {
        if (!info.activity.isEmpty() && (said.isEmpty() || said.last() != info.activity))
            said.append(info.activity);
    });
    link.setState(LinkState::Lost, linkBroke());
    QTRY_COMPARE(link.opened(), 2);
    QVERIFY2(said.contains(u"connecting again in 2 s"_s) && said.contains(u"connecting again in 1 s"_s),
        qPrintable(said.join(u'|')));
    QVERIFY2(said.first() == u"connecting again in 4 s"_s || said.first() == u"connecting again in 3 s"_s,
        qPrintable(said.first()));
    QVERIFY(!said.join(u' ').contains(u" 0 s"_s));
    QCOMPARE(said.last(), u"connecting again"_s);
}

void LinkKeeperTest::closingEndsTheWaiting()
{
    Bench bench;
    bench.online();
    bench.link.setState(LinkState::Lost, linkBroke());
    bench.keeper.close();
    QCOMPARE(bench.link.closed(), 1);
    QVERIFY(!bench.keeper.info().error && bench.keeper.info().activity.isEmpty());
    test::quietFor(150);
    QCOMPARE(bench.link.opened(), 1);
}

void LinkKeeperTest::whatAPersonMustDecideIsNotTriedAgain()
{
    Bench bench;
    bench.online();
    bench.link.setState(LinkState::Lost, {Fault::HostKeyRefused, u"Another key."_s, {}, {}});
    test::quietFor(150);
    QCOMPARE(bench.link.opened(), 1);
    QVERIFY(bench.keeper.info().activity.isEmpty());
}

void LinkKeeperTest::noPromptWhileNobodyLooks()
{
    Bench bench;
    QSignalSpy prompts(&bench.keeper, &LinkKeeper::promptRaised);
    LoginPrompt prompt;
    prompt.id = 5;
    bench.keeper.open();
    emit bench.link.promptRaised(prompt);
    QCOMPARE(prompts.size(), 1); // a person asked for this connection
    bench.link.setState(LinkState::Online);
    bench.link.setState(LinkState::Lost, linkBroke());
    QTRY_COMPARE(bench.link.opened(), 2);
    prompt.id = 6;
    emit bench.link.promptRaised(prompt);
    QCOMPARE(prompts.size(), 1);
    QCOMPARE(bench.link.answers(), (QList<std::pair<quint64, bool>>{{6, false}}));
    QCOMPARE(bench.link.closed(), 1);
    QCOMPARE(bench.keeper.info().error->fault, Fault::LoginRefused);
}

void LinkKeeperTest::whatTookAPersonIsNotRepeated()
{
    Bench bench;
    bench.link.setLoginTookPerson(true);
    bench.online();
    bench.link.setState(LinkState::Lost, linkBroke());
    QVERIFY(bench.keeper.info().waitsForPerson);
    QVERIFY(bench.keeper.info().activity.isEmpty());
    QVERIFY(bench.keeper.info().error->what.contains(u"needs you"_s));
    QCOMPARE(bench.keeper.info().error->detail, linkBroke().what);
    test::quietFor(150);
    QCOMPARE(bench.link.opened(), 1);
    bench.keeper.open(); // the button
    QCOMPARE(bench.link.opened(), 2);
    QCOMPARE(bench.link.attendance(), ClusterLink::Attendance::Person);
    QVERIFY(!bench.keeper.info().waitsForPerson);
}

void LinkKeeperTest::nobodyAttendsWhatIsOpenedByItself()
{
    Bench bench;
    bench.online();
    bench.link.setState(LinkState::Lost, linkBroke());
    QTRY_COMPARE(bench.link.opened(), 2);
    QCOMPARE(bench.link.attendance(), ClusterLink::Attendance::Nobody);
    // The key alone does not do any more.
    bench.link.setState(LinkState::Offline, {Fault::LoginRefused, u"Logging in again needs you."_s, {}, {}});
    QVERIFY(bench.keeper.info().waitsForPerson);
    test::quietFor(150);
    QCOMPARE(bench.link.opened(), 2);
}

void LinkKeeperTest::aClickTakesOverFromATryOfOurs()
{
    Bench bench;
    bench.online();
    bench.link.setState(LinkState::Lost, linkBroke());
    QTRY_COMPARE(bench.link.opened(), 2);
    bench.link.setState(LinkState::Connecting);
    bench.keeper.open();
    QCOMPARE(bench.link.closed(), 1);
    QCOMPARE(bench.link.opened(), 3);
    QCOMPARE(bench.link.attendance(), ClusterLink::Attendance::Person);
}

void LinkKeeperTest::aServerThatDropsAfterLoginIsLeftAlone()
{
    Bench bench;
    bench.online();
    for (int cut = 1; cut < ReconnectPolicy::mostInWindow; ++cut) {
        bench.link.setState(LinkState::Lost, linkBroke());
        QTRY_COMPARE(bench.link.opened(), 1 + cut);
        bench.link.setState(LinkState::Online);
    }
    bench.link.setState(LinkState::Lost, linkBroke());
    QVERIFY2(bench.keeper.info().activity.contains(u"connecting again in 10 min"_s),
        qPrintable(bench.keeper.info().activity));
    test::quietFor(400);
    QCOMPARE(bench.link.opened(), ReconnectPolicy::mostInWindow);
}

void LinkKeeperTest::whatWasTriedIsRememberedOverARestart()
{
    const QTemporaryDir folder;
    const ReconnectLedger ledger(folder.path(), u"login:22"_s);
    {
        Bench bench;
        bench.keeper.setLedger(ledger);
        bench.online();
        for (int cut = 1; cut < ReconnectPolicy::mostInWindow; ++cut) {
            bench.link.setState(LinkState::Lost, linkBroke());
            QTRY_COMPARE(bench.link.opened(), 1 + cut);
            bench.link.setState(LinkState::Online);
        }
    }
    QCOMPARE(ledger.read().logins.size(), ReconnectPolicy::mostInWindow - 1); // those that no person asked for
    Bench again;
    again.keeper.setLedger(ledger);
    again.online(); // a person's, at once
    again.link.setState(LinkState::Lost, linkBroke());
    QVERIFY2(again.keeper.info().activity.contains(u"connecting again in 10 min"_s),
        qPrintable(again.keeper.info().activity));
}

void LinkKeeperTest::anotherProgramsLoginsAreCountedBeforeATry()
{
    const QTemporaryDir folder;
    const ReconnectLedger ledger(folder.path(), u"login:22"_s);
    test::FakeShell link;
    link.setState(LinkState::Offline);
    LinkKeeper keeper(link, u"far"_s, u"Far away"_s, RetryPolicy(300, 300));
    keeper.setLedger(ledger);
    keeper.open();
    link.setState(LinkState::Online);
    link.setState(LinkState::Lost, linkBroke());
    const qint64 justNow = QDateTime::currentMSecsSinceEpoch();
    ledger.update([justNow](ReconnectPolicy::Memory& memory) { memory.logins = {justNow - 2, justNow - 1, justNow}; });
    QTRY_VERIFY2(keeper.info().activity == u"connecting again in 10 min"_s, qPrintable(keeper.info().activity));
    QCOMPARE(link.opened(), 1);
}

void LinkKeeperTest::longWaitsAreRememberedAClickBeginsAnew()
{
    const QTemporaryDir folder;
    const ReconnectLedger ledger(folder.path(), u"login:22"_s);
    const qint64 justNow = QDateTime::currentMSecsSinceEpoch();
    ledger.update([justNow](ReconnectPolicy::Memory& memory) { memory = {{}, 12, justNow}; });
    test::FakeShell link;
    link.setState(LinkState::Offline);
    LinkKeeper keeper(link, u"far"_s, u"Far away"_s, RetryPolicy(50, 60000));
    keeper.setLedger(ledger);
    keeper.open();
    link.setState(LinkState::Online);
    link.setState(LinkState::Lost, linkBroke());
    QVERIFY2(keeper.info().activity.contains(u"in 60 s"_s) || keeper.info().activity.contains(u"in 7"_s)
            || keeper.info().activity.contains(u"in 6"_s),
        qPrintable(keeper.info().activity));
    keeper.open(); // a click
    link.setState(LinkState::Online);
    link.setState(LinkState::Lost, linkBroke());
    QCOMPARE(keeper.info().activity, u"connecting again in 1 s"_s);
}

void LinkKeeperTest::aServerThatTurnsAwayIsLeftAlone()
{
    Bench bench;
    bench.online();
    bench.link.setState(LinkState::Lost, linkBroke());
    QTRY_COMPARE(bench.link.opened(), 2);
    bench.link.setState(LinkState::Offline, {Fault::TurnedAway, u"It takes no more connections."_s, {}, {}});
    const QString said = bench.keeper.info().activity;
    QVERIFY2(said.startsWith(u"refused for now; connecting again in "_s), qPrintable(said));
    QVERIFY2(said.endsWith(u"5 min"_s) || said.endsWith(u"6 min"_s) || said.endsWith(u"7 min"_s), qPrintable(said));
    bench.keeper.noteNetwork(true); // not for this
    test::quietFor(300);
    QCOMPARE(bench.link.opened(), 2);
}

void LinkKeeperTest::aNetworkThatComesBackIsUsedAtOnce()
{
    const QTemporaryDir folder;
    const ReconnectLedger ledger(folder.path(), u"login:22"_s);
    const qint64 justNow = QDateTime::currentMSecsSinceEpoch();
    ledger.update([justNow](ReconnectPolicy::Memory& memory) { memory = {{}, 12, justNow}; });
    test::FakeShell link;
    link.setState(LinkState::Offline);
    LinkKeeper keeper(link, u"far"_s, u"Far away"_s, RetryPolicy(50, 60000));
    keeper.setLedger(ledger);
    keeper.open();
    link.setState(LinkState::Online);
    link.setState(LinkState::Lost, linkBroke()); // a minute's wait
    keeper.noteNetwork(false);
    QVERIFY2(keeper.info().activity.startsWith(u"no network here; connecting again in "_s),
        qPrintable(keeper.info().activity));
    QCOMPARE(link.opened(), 1);
    keeper.noteNetwork(true);
    QTRY_COMPARE(link.opened(), 2);
    QCOMPARE(link.attendance(), ClusterLink::Attendance::Nobody);
}

void LinkKeeperTest::anOpenLinkIsLookedAfterWhenTheNetworkChanges()
{
    Bench bench;
    bench.online();
    bench.keeper.noteNetwork(false); // the same line may come back
    QCOMPARE(bench.link.probed(), 0);
    bench.keeper.noteNetwork(true);
    QCOMPARE(bench.link.probed(), 1);
    bench.keeper.noteWake();
    QCOMPARE(bench.link.probed(), 2);
    QCOMPARE(bench.keeper.info().state, LinkState::Online);
}

void LinkKeeperTest::neitherNetworkNorWakeOpensWhatNeedsAPerson()
{
    Bench bench;
    bench.link.setLoginTookPerson(true);
    bench.online();
    bench.link.setState(LinkState::Lost, linkBroke());
    bench.keeper.noteNetwork(false);
    bench.keeper.noteNetwork(true);
    bench.keeper.noteWake();
    test::quietFor(150);
    QCOMPARE(bench.link.opened(), 1);
    QVERIFY(bench.keeper.info().waitsForPerson);
}

void LinkKeeperTest::aChangedHostKeyIsSaidInItsOwnWords()
{
    Bench bench;
    bench.online();
    bench.link.setState(LinkState::Lost, linkBroke());
    QTRY_COMPARE(bench.link.opened(), 2);
    const Error changed{Fault::HostKeyRefused, u"The host key has changed."_s, u"SHA256:x"_s, u"Ask the site."_s};
    bench.link.setState(LinkState::Offline, changed);
    QCOMPARE(bench.keeper.info().error, std::optional(changed));
    QVERIFY(bench.keeper.info().waitsForPerson);
}

void LinkKeeperTest::bannersAreKeptOfAPersonsLogin()
{
    Bench bench;
    bench.keeper.open();
    emit bench.link.bannerArrived(u"gate"_s, u"Maintenance on Monday"_s);
    QCOMPARE(bench.keeper.info().banners.size(), 1);
    bench.link.setState(LinkState::Online);
    bench.link.setState(LinkState::Lost, linkBroke());
    QTRY_COMPARE(bench.link.opened(), 2);
    emit bench.link.bannerArrived(u"gate"_s, u"Maintenance on Monday"_s);
    QCOMPARE(bench.keeper.info().banners.size(), 1);
}

void LinkKeeperTest::trafficIsARate()
{
    Bench bench;
    bench.link.setTraffic({.bytesIn = 1000, .commands = 3, .openChannels = 2, .roundTripMs = 7.5});
    bench.online();
    QCOMPARE(bench.keeper.info().openChannels, 2);
    QCOMPARE(*bench.keeper.info().latencyMs, 7.5);
    QCOMPARE(*bench.keeper.info().commandsPerMinute, 0.0); // the first look: none since
    bench.link.setTraffic({.bytesIn = 5000, .commands = 9, .openChannels = 1, .roundTripMs = {}});
    QTRY_COMPARE(bench.keeper.info().openChannels, 1);
    QCOMPARE(*bench.keeper.info().bytesPerSecond, 2000.0); // 4,000 bytes in 2 s
    QCOMPARE(*bench.keeper.info().commandsPerMinute, 6.0);
    QCOMPARE(*bench.keeper.info().latencyMs, 7.5); // the last that is known
    bench.link.setState(LinkState::Lost, linkBroke());
    QVERIFY(!bench.keeper.info().bytesPerSecond && !bench.keeper.info().commandsPerMinute);
}

RANKWRIGHT_TEST_MAIN(LinkKeeperTest)
#include "tst_linkkeeper.moc"
