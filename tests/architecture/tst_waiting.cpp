// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>

using namespace Qt::StringLiterals;

/// No test looks at the clock on the wall: what a slow or busy machine does later is not the program's fault (see
/// docs/testing.md). Measurements are made in tests/bench, which is left out here.
class WaitingTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void noLimitOnTheWallClock_data();
    void noLimitOnTheWallClock();
    void theRulesFindWhatTheyAreFor_data();
    void theRulesFindWhatTheyAreFor();

private:
    struct Rule {
        QString suffixes; ///< of the files that it is for, by spaces
        QRegularExpression pattern;
        QMap<QString, QString> reasons; ///< files in which it may stand, and why
    };
    static QMap<QString, Rule> rules();
};

QMap<QString, WaitingTest::Rule> WaitingTest::rules()
{
    const auto pattern = [](const char* text) { return QRegularExpression(QString::fromLatin1(text)); };
    const QString cpp = u".cpp .h"_s, python = u".py"_s;
    const QString player = u"plays a server or a network that takes its time"_s;
    const QString killer = u"the moment at which a program is killed or held up is any moment"_s;
    const QString poll = u"the pause between two looks at what comes anyhow"_s;
    const QString late = u"what is late may still come: a longer pause would only see more"_s;
    return {
        {u"waits are long: QTRY_* and test::comes()"_s, {cpp, pattern(R"(_WITH_TIMEOUT\b|QTest::qWaitFor\()"), {}}},
        {u"waits are long: test::longWaitMs"_s,
            {cpp,
                pattern(R"(\bwaitFor(Finished|Done)\(\s*[0-9)]|\.wait\(\s*[0-9]|qWaitForWindow\w+\([^,()]*(\(\))?\))"),
                {}}},
        {u"pauses do not order anything: wait for what must have happened, test::quietFor() for what must not"_s,
            {cpp, pattern(R"(\bqWait\(|\bqSleep\(|\bmsleep\(|\busleep\(|\bsleep_for\()"),
                {
                    {u"tests/support/waiting.h"_s, u"where the waiting is done"_s},
                    {u"tests/journeys/support/practicebench.cpp"_s, poll},
                    {u"tests/journeys/tst_journey_program.cpp"_s, killer},
                    {u"tests/app/cli/tst_interruptedinput.cpp"_s, killer},
                    {u"tests/app/store/tst_recordingcrash.cpp"_s, killer},
                    {u"tests/app/store/tst_joblog.cpp"_s, u"the time between looking and writing, made longer"_s},
                    {u"tests/ssh/support/sshserver.cpp"_s, player},
                    {u"tests/ssh/support/serversession.cpp"_s, player},
                    {u"tests/ssh/support/packetserver.cpp"_s, player},
                    {u"tests/ssh/support/roughnetwork.cpp"_s, player},
                    {u"tests/ssh/tst_hostileserver.cpp"_s, u"the thread of the window is busy with something else"_s},
                    {u"tests/ssh/tst_sshcommands.cpp"_s, u"the thread of the window is busy with something else"_s},
                }}},
        {u"effort is held against processor time (cpuclock.h), not against the wall"_s,
            {cpp,
                pattern(R"([eE]lapsed\(\)\s*(\)\s*)?<|>=?\s*\w+(\.|->)(nsecsE|e)lapsed\(\)|\bhasExpired\()"
                        R"(|steady_clock::now\(\)[^;]*<)"),
                {
                    {u"tests/journeys/support/practicebench.cpp"_s, u"asking takes longer than the pauses: minutes"_s},
                }}},
        {u"no limit of seconds in Python either"_s,
            {python,
                pattern(R"(assert(Less|Greater)\w*\(.*(monotonic|perf_counter|time\.time|began)|timeout=\d{1,2}\b)"),
                {{u"tests/practice/test_practice.py"_s, u"a frozen link: ssh must not have ended by then"_s}}}},
        {u"pauses do not order anything in Python either: wait_until()"_s,
            {python, pattern(R"(\btime\.sleep\()"),
                {
                    {u"tests/practice/test_practice.py"_s, u"where the waiting is done"_s},
                    {u"tests/practice/test_cuts.py"_s, poll},
                    {u"tests/practice/test_once.py"_s, killer},
                    {u"tests/practice/test_report.py"_s, poll},
                    {u"tests/practice/test_requeue.py"_s, poll},
                    {u"tests/practice/test_killed.py"_s, killer + u"; "_s + late},
                    {u"tests/practice/test_foreign.py"_s, player + u"; "_s + late},
                    {u"tests/practice/test_strangers.py"_s, player},
                    {u"tests/practice/hangs.py"_s, player},
                    {u"tests/practice/test_where.py"_s,
                        u"until a rank stands where it will stand; too early it is a little earlier there"_s},
                }}},
    };
}

void WaitingTest::noLimitOnTheWallClock_data()
{
    QTest::addColumn<QString>("rule");
    for (const QString& rule : rules().keys())
        QTest::newRow(qPrintable(rule)) << rule;
}

void WaitingTest::noLimitOnTheWallClock()
{
    QFETCH(QString, rule);
    const Rule given = rules().value(rule);
    QStringList offences, needed;
    const QString root = rankwright::test::sourcePath(u"/");
    QDirIterator walk(root + u"tests"_s, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        const QString path = walk.next();
        const QString name = path.mid(root.size());
        if (!given.suffixes.split(u' ').contains(u'.' + name.section(u'.', -1)) || name.startsWith(u"tests/bench/"_s)
            || name.endsWith(u"/tst_waiting.cpp"_s))
            continue;
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        int number = 0;
        for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n')) {
            ++number;
            if (!given.pattern.match(line).hasMatch())
                continue;
            if (given.reasons.contains(name))
                needed.append(name);
            else
                offences.append(u"%1:%2: %3"_s.arg(name).arg(number).arg(line.trimmed()));
        }
    }
    QVERIFY2(offences.isEmpty(), qPrintable(rule + u'\n' + offences.join(u'\n')));
    for (const QString& name : given.reasons.keys())
        QVERIFY2(needed.contains(name), qPrintable(name + u" needs its reason no more"_s));
}

void WaitingTest::theRulesFindWhatTheyAreFor_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("found");
    const auto bad = [](const char* line) { QTest::newRow(line) << QString::fromLatin1(line) << true; };
    const auto good = [](const char* line) { QTest::newRow(line) << QString::fromLatin1(line) << false; };
    bad("QVERIFY(clock.elapsed() < 1000);");
    bad("QVERIFY2(timer.nsecsElapsed() <= most, \"\");");
    bad("QVERIFY(limit > clock.elapsed());");
    bad("QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, 3000);");
    bad("QVERIFY(QTest::qWaitFor(isDone, 3000));");
    bad("QVERIFY(process.waitForFinished(5000));");
    bad("process.waitForFinished();");
    bad("QVERIFY(spy.wait(500));");
    bad("QVERIFY(QTest::qWaitForWindowExposed(&window));");
    bad("QTest::qWait(200);");
    bad("std::this_thread::sleep_for(200ms);");
    bad("    self.assertLess(time.monotonic() - began, 30)");
    bad("    subprocess.run(words, timeout=20)");
    bad("    time.sleep(2)");
    good("QVERIFY(clock.elapsed() >= 1000);"); // a slow machine breaks no lower limit
    good("QVERIFY(work.elapsedMs() < 3000);"); // processor time
    good("QVERIFY(process.waitForFinished(test::longWaitMs));");
    good("QTRY_VERIFY(isDone());");
    good("test::quietFor(200);");
    good("    self.assertTrue(base.wait_until(lambda: seen()))");
    good("    subprocess.run(words, timeout=900)");
}

void WaitingTest::theRulesFindWhatTheyAreFor()
{
    QFETCH(QString, line);
    QFETCH(bool, found);
    const QMap<QString, Rule> all = rules();
    QCOMPARE(std::any_of(
                 all.cbegin(), all.cend(), [&line](const Rule& rule) { return rule.pattern.match(line).hasMatch(); }),
        found);
}

RANKWRIGHT_TEST_MAIN(WaitingTest)
#include "tst_waiting.moc"
