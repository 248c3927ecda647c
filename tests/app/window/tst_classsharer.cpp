// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/classsharer.h"
#include "app/window/links/connections.h"
#include "models/cluster/slurm/slurmtext.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/testbase.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTimer>
#include <QWidget>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

const QString appends = u".progress"_s; // of resources/remote/class-append.sh

QByteArray discovery(const QByteArray& user)
{
    QByteArray answer;
    for (const auto& [name, text] : {std::pair("user", user), std::pair("host", QByteArray("login1")),
             std::pair("version", QByteArray("slurm 23.02.7"))})
        answer += QByteArray(1, sectionMark) + name + '\n' + text + '\n';
    return answer;
}

ProgressLine step(
    const QString& exercise, const QList<CheckState>& checks = {CheckState::NotYet}, const QString& stuckOn = {})
{
    ProgressLine line;
    line.exercise = exercise;
    line.checks = checks;
    line.stuckOn = stuckOn;
    return line;
}

} // namespace

/// What an attendee who agreed to it notes for the teacher, and when, over everything that a link may do.
class ClassSharerTest final : public Suite {
    Q_OBJECT

    struct Bench {
        Bench()
            : database(openStore(folder.path())), log(*database), settings(folder.path()),
              connections(catalogue, log, settings, &window), sharer(connections)
        {
            sharer.setPatience(30);
            QObject::connect(&sharer, &ClassSharer::failed, &window, [this](const Error& why) { failures += why; });
        }
        /// A cluster that answers; its folder takes lines.
        void connectNow(const QByteArray& user = "ada", const FakeShell::Reply& taken = {})
        {
            beginLink(user);
            shell->expect(appends, taken, true);
            shell->setState(LinkState::Online);
        }
        void beginLink(const QByteArray& user)
        {
            ClusterProfile profile;
            profile.name = u"elsewhere"_s;
            profile.title = u"Elsewhere"_s;
            auto made = std::make_unique<FakeShell>();
            shell = made.get();
            shell->setState(LinkState::Offline);
            shell->expect(u"sinfo -V"_s, {discovery(user), {}}, true);
            shell->expect(u"squeue"_s, {}, true);
            connections.begin(std::make_unique<ClusterSession>(profile, std::move(made), log));
        }
        QList<RemoteCommand> sent() const
        {
            QList<RemoteCommand> all = shell->commands();
            all.removeIf([](const RemoteCommand& command) { return !command.line.contains(appends); });
            return all;
        }
        /// Exercise, seen of all checks, and what is in the way, of each line that was sent.
        QStringList noted() const
        {
            QStringList all;
            for (const RemoteCommand& command : sent()) {
                const ReadProgress read = readProgress(u"ada"_s, command.input, QDateTime::currentDateTimeUtc());
                for (const ProgressLine& line : read.lines)
                    all.append(u"%1 %2/%3 %4"_s.arg(line.exercise)
                                   .arg(line.checks.count(CheckState::Seen))
                                   .arg(line.checks.size())
                                   .arg(line.stuckOn)
                                   .trimmed());
            }
            return all;
        }
        /// Long enough for what should not come to have come, were it on its way: a later step is through by then.
        bool passes(const QString& exercise)
        {
            sharer.note(step(exercise));
            return test::comes([&] { return noted().contains(exercise + u" 0/1"_s) && sharer.left().isEmpty(); });
        }
        void begin() { sharer.begin(u"elsewhere"_s, u"~/course"_s, u"k7m2p4xq"_s); }

        QTemporaryDir folder;
        std::unique_ptr<Database> database;
        JobLog log;
        Settings settings;
        Catalogue catalogue;
        QWidget window;
        Connections connections;
        ClassSharer sharer;
        FakeShell* shell = nullptr;
        QList<Error> failures;
    };

private slots:
    void nothingUnlessItWasAgreedTo();

    /// As in every window: the link says every two seconds what it carries. Steps were put off by that for ever.
    void aLinkThatReportsItsTrafficDoesNotPutItOff();
    void oneLineForEachStep();
    void theLineSaysWhereAndNothingElse();
    void whatWasNotedWithoutALinkGoesWhenItIsThere();

    /// The patience was over before the cluster had said who one is.
    void aClusterThatIsSlowToSayWhoOneIs();
    void aLinkThatIsLostMeanwhile();
    void aSessionThatIsReplacedMeanwhile();
    void aFolderThatRefuses();
    void hostileNamesAreNeverSent_data();
    void hostileNamesAreNeverSent();

    /// Neither the file's name nor what is written says who it is, unless they say so themselves.
    void nobodysNameUnlessItIsGiven();
};

void ClassSharerTest::nothingUnlessItWasAgreedTo()
{
    Bench bench;
    bench.connectNow();
    QVERIFY(!bench.sharer.isSharing());
    bench.sharer.note(step(u"before"_s));
    QVERIFY(bench.sharer.left().isEmpty());
    bench.begin();
    QVERIFY(bench.passes(u"one"_s));
    bench.sharer.note(step(u"two"_s));
    bench.sharer.stop();
    bench.sharer.note(step(u"three"_s));
    bench.begin();
    QVERIFY(bench.passes(u"four"_s));
    QCOMPARE(bench.noted(), QStringList({u"one 0/1"_s, u"four 0/1"_s}));
}

void ClassSharerTest::aLinkThatReportsItsTrafficDoesNotPutItOff()
{
    Bench bench;
    bench.connectNow();
    bench.sharer.setPatience(400);
    QTimer traffic;
    connect(&traffic, &QTimer::timeout, &bench.window,
        [&bench] { emit bench.connections.linkChanged(bench.connections.session(u"elsewhere"_s)->link()); });
    traffic.start(100);
    bench.begin();
    QVERIFY(bench.passes(u"one"_s));
    QCOMPARE(bench.noted(), QStringList{u"one 0/1"_s});
}

void ClassSharerTest::oneLineForEachStep()
{
    Bench bench;
    bench.connectNow();
    bench.begin();
    using enum CheckState;
    bench.sharer.note(step(u"one"_s, {NotYet, NotYet})); // within the same breath: the later one counts
    bench.sharer.note(step(u"one"_s, {NotYet, NotYet}, u"no-account"_s));
    QTRY_COMPARE(bench.noted().size(), 1);
    QTRY_VERIFY(bench.sharer.left().isEmpty());
    for (int i = 0; i < 5; ++i)
        bench.sharer.note(step(u"one"_s, {NotYet, NotYet}, u"no-account"_s)); // nothing is new
    QVERIFY(bench.sharer.left().isEmpty());
    // How it ended is not lost, however quickly it is tried on or the next one begun.
    bench.sharer.note(step(u"one"_s, {Seen, NotYet}));
    bench.sharer.note(step(u"one"_s, {Seen, Seen}));
    bench.sharer.note(step(u"one"_s, {Seen, NotYet}));
    bench.sharer.note(step(u"two"_s, {NotYet}));
    QTRY_VERIFY(bench.sharer.left().isEmpty());
    QCOMPARE(bench.noted(), QStringList({u"one 0/2 no-account"_s, u"one 2/2"_s, u"one 1/2"_s, u"two 0/1"_s}));
}

void ClassSharerTest::theLineSaysWhereAndNothingElse()
{
    Bench bench;
    bench.connectNow();
    bench.begin();
    ProgressLine line = step(u"one"_s, {CheckState::Seen}, u"oom_gpu"_s);
    line.attendee = u"somebody else"_s;
    bench.sharer.note(line);
    QTRY_COMPARE(bench.sent().size(), 1);
    const QJsonObject said = QJsonDocument::fromJson(bench.sent().first().input).object();
    QStringList keys = said.keys();
    QCOMPARE(keys, QStringList({u"at"_s, u"checks"_s, u"exercise"_s, u"stuckOn"_s, u"v"_s}));
    QVERIFY(bench.sent().first().line.contains(u"~/course"_s));
}

void ClassSharerTest::whatWasNotedWithoutALinkGoesWhenItIsThere()
{
    Bench bench;
    bench.begin();
    bench.sharer.note(step(u"one"_s, {CheckState::Seen}));
    bench.sharer.note(step(u"two"_s));
    QCOMPARE(bench.sharer.left().size(), 2);
    bench.connectNow();
    QTRY_VERIFY(bench.sharer.left().isEmpty());
    QCOMPARE(bench.noted(), QStringList({u"one 1/1"_s, u"two 0/1"_s}));
    QVERIFY(bench.failures.isEmpty());
}

void ClassSharerTest::aClusterThatIsSlowToSayWhoOneIs()
{
    Bench bench;
    bench.begin();
    ClusterProfile profile;
    profile.name = u"elsewhere"_s;
    auto made = std::make_unique<FakeShell>();
    bench.shell = made.get();
    bench.shell->setState(LinkState::Offline);
    bench.shell->expect(u"sinfo -V"_s, {.staysOpen = true});
    bench.shell->expect(u"squeue"_s, {}, true);
    bench.shell->expect(appends, {}, true);
    bench.connections.begin(std::make_unique<ClusterSession>(profile, std::move(made), bench.log));
    bench.shell->setState(LinkState::Online);
    bench.sharer.note(step(u"one"_s));
    test::quietFor(100); // longer than the patience; a shorter wait would only test less
    QVERIFY(bench.sent().isEmpty());
    const QList<FakeProcess*> running = bench.shell->running();
    const auto asked = std::find_if(running.cbegin(), running.cend(),
        [](const FakeProcess* process) { return process->command().line.contains(u"sinfo -V"_s); });
    QVERIFY(asked != running.cend());
    const QPointer<FakeProcess> discovering = *asked;
    discovering->say(discovery("ada"));
    QVERIFY(discovering);
    discovering->end();
    QTRY_COMPARE(bench.noted(), QStringList{u"one 0/1"_s});
}

void ClassSharerTest::aLinkThatIsLostMeanwhile()
{
    Bench bench;
    bench.connectNow("ada", {.staysOpen = true});
    bench.begin();
    bench.sharer.note(step(u"one"_s));
    QTRY_COMPARE(bench.sent().size(), 1);
    QCOMPARE(bench.sharer.left().size(), 1); // until the cluster has it
    bench.shell->setState(LinkState::Lost, linkLost());
    QCOMPARE(bench.sharer.left().size(), 1);
    QVERIFY(bench.failures.isEmpty()); // nobody can do anything about it
    bench.connections.disconnectFrom(u"elsewhere"_s);
    bench.connectNow();
    QTRY_VERIFY(bench.sharer.left().isEmpty());
    QCOMPARE(bench.noted(), QStringList{u"one 0/1"_s});
}

void ClassSharerTest::aSessionThatIsReplacedMeanwhile()
{
    Bench bench;
    bench.connectNow("ada", {.staysOpen = true});
    bench.begin();
    bench.sharer.note(step(u"one"_s));
    QTRY_COMPARE(bench.sent().size(), 1);
    bench.connectNow(); // the shell goes with all that waits for it
    QTRY_VERIFY(bench.sharer.left().isEmpty());
    QCOMPARE(bench.noted(), QStringList{u"one 0/1"_s});
}

void ClassSharerTest::aFolderThatRefuses()
{
    Bench bench;
    bench.connectNow("ada", {{}, "the folder ~/course is not there, or closed to you\n", 3});
    bench.begin();
    bench.sharer.note(step(u"one"_s));
    QTRY_COMPARE(bench.failures.size(), 1);
    const QString why = bench.failures.first().oneLine();
    QVERIFY2(why.contains(u"is not there, or closed to you"_s), qPrintable(why));
    QCOMPARE(bench.sharer.left().size(), 1);
    // Once for each step: a link that reports its traffic tries nothing.
    emit bench.connections.linkChanged(bench.connections.session(u"elsewhere"_s)->link());
    bench.sharer.note(step(u"two"_s));
    QTRY_COMPARE(bench.failures.size(), 2);
    QCOMPARE(bench.sent().size(), 2);
    // The folder is there now: the next step brings what is left.
    bench.connectNow();
    QTRY_VERIFY(bench.sharer.left().isEmpty());
    QCOMPARE(bench.noted(), QStringList({u"one 0/1"_s, u"two 0/1"_s}));
}

void ClassSharerTest::hostileNamesAreNeverSent_data()
{
    QTest::addColumn<QString>("folder");
    for (const char* folder : {"~/x; rm -rf ~", "$(id)", "/tmp/`id`", "/a/../../etc", "-rf", "~root/x", "/a\nb", "/a b",
             "/a'b", "/a\\b", "relative"})
        QTest::newRow(folder) << QString::fromLatin1(folder);
}

void ClassSharerTest::hostileNamesAreNeverSent()
{
    QFETCH(QString, folder);
    Bench bench;
    bench.connectNow();
    bench.sharer.begin(u"elsewhere"_s, folder, u"k7m2p4xq"_s);
    bench.sharer.note(step(u"one"_s));
    QTRY_COMPARE(bench.failures.size(), 1);
    QVERIFY(bench.sent().isEmpty());
    QCOMPARE(bench.failures.first().fault, Fault::Invalid);
}

void ClassSharerTest::nobodysNameUnlessItIsGiven()
{
    Bench bench;
    bench.connectNow("gracehopper");
    bench.begin();
    QVERIFY(bench.passes(u"one"_s));
    QCOMPARE(bench.sent().size(), 1);
    QVERIFY(bench.sent().first().line.contains(u"k7m2p4xq"_s));
    QVERIFY(!bench.sent().first().line.contains(u"gracehopper"_s));
    QVERIFY(!bench.sent().first().input.contains("gracehopper"));
    QVERIFY(!bench.sent().first().input.contains("name"));
    bench.sharer.begin(u"elsewhere"_s, u"~/course"_s, u"k7m2p4xq"_s, u"Grace"_s);
    QVERIFY(bench.passes(u"two"_s));
    QVERIFY(bench.sent().last().input.contains("Grace"));
    QVERIFY(!bench.sent().last().line.contains(u"Grace"_s)); // of the words that make the file's name
}

RANKWRIGHT_WIDGET_TEST_MAIN(ClassSharerTest)
#include "tst_classsharer.moc"
