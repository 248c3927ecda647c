// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/lineprobe.h"
#include "models/cluster/remote/linkinfo.h"
#include "models/cluster/remote/remoteprogram.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What a line carries, measured once per connection.
class LineProbeTest final : public test::Suite {
    Q_OBJECT

    struct Bench {
        Bench()
        {
            link.setState(LinkState::Offline);
            link.expect(u"/proc/uptime"_s, {.staysOpen = true}, true);
            QObject::connect(&probe, &LineProbe::rateMeasured, &probe, [this](std::optional<double> rate) {
                ++answers;
                last = rate;
            });
            link.setState(LinkState::Online);
        }
        test::FakeShell link;
        LineProbe probe{link};
        int answers = 0;
        std::optional<double> last;
    };

private slots:
    void aFastLine();

    /// The login node takes seconds between two commands, as its own clock says: that is none of the line's time.
    void aBusyLoginNode();

    /// Once slow and once fast: something else was slow. A node without such a clock measures nothing.
    void aMeasureThatIsNotTrusted();
    void aSlowLine();
    void theProgram_data();

    /// What it prints in a real shell is what is read.
    void theProgram();
    void aProbeThatFails();
};

void LineProbeTest::aFastLine()
{
    Bench bench;
    QCOMPARE(bench.link.running().size(), 1);
    bench.link.newest()->say("x100.00 ");
    bench.link.newest()->say("100.05 " + QByteArray(4096, 'r'));
    QCOMPARE(bench.answers, 1);
    QVERIFY(bench.last && *bench.last >= slowLineBytesPerSecond);
    QTRY_VERIFY(bench.link.running().isEmpty());
}

void LineProbeTest::aBusyLoginNode()
{
    Bench bench;
    bench.link.newest()->say("x100.00 ");
    test::quietFor(300);
    bench.link.newest()->say("105.00 ");
    bench.link.newest()->say(QByteArray(4096, 'r'));
    QCOMPARE(bench.answers, 1);
    QVERIFY(bench.last && *bench.last >= slowLineBytesPerSecond);
}

void LineProbeTest::aMeasureThatIsNotTrusted()
{
    Bench bench;
    bench.link.newest()->say("x100.00 100.05 ");
    test::quietFor(300);
    bench.link.newest()->say(QByteArray(4096, 'r'));
    QCOMPARE(bench.answers, 0);
    bench.link.newest()->say("x101.00 101.05 " + QByteArray(4096, 'r'));
    QCOMPARE(bench.answers, 1);
    QVERIFY(!bench.last);
    Bench other;
    other.link.newest()->say("x  " + QByteArray(4096, 'r'));
    QCOMPARE(other.answers, 1);
    QVERIFY(!other.last);
}

void LineProbeTest::aSlowLine()
{
    Bench bench;
    for (int round = 0; round < 2; ++round) {
        QCOMPARE(bench.answers, 0);
        bench.link.newest()->say("x100.00 100.05 ");
        for (int i = 0; i < 4; ++i) {
            test::quietFor(60);
            bench.link.newest()->say(QByteArray(1024, 'r'));
        }
    }
    QCOMPARE(bench.answers, 1);
    QVERIFY(bench.last && *bench.last < slowLineBytesPerSecond);
}

void LineProbeTest::theProgram_data()
{
    QTest::addColumn<QString>("shell");
    QTest::newRow("sh") << u"/bin/sh"_s;
    QTest::newRow("bash") << u"bash"_s;
}

void LineProbeTest::theProgram()
{
    QFETCH(QString, shell);
    QProcess program;
    program.start(shell, {u"-c"_s, remoteProgram(u"line-probe.sh"_s), u"_"_s, u"4096"_s});
    QVERIFY(program.waitForFinished(test::longWaitMs));
    const QByteArray said = program.readAllStandardOutput();
    QVERIFY2(program.readAllStandardError().isEmpty() && program.exitCode() == 0, said.left(200).constData());
    static const QRegularExpression form(u"^(?:x[\\d.]+ [\\d.]+ [A-Za-z0-9+/=]{4096}){2}$"_s);
    QVERIFY2(QString::fromLatin1(said).contains(form), said.left(60).constData());
    Bench bench;
    bench.link.newest()->say(said);
    QVERIFY(bench.last && *bench.last >= slowLineBytesPerSecond);
}

void LineProbeTest::aProbeThatFails()
{
    Bench bench;
    bench.link.newest()->end(127);
    QCOMPARE(bench.answers, 1);
    QVERIFY(!bench.last);
    bench.link.setState(LinkState::Lost, {Fault::Offline, u"cut"_s, {}, {}});
    QCOMPARE(bench.answers, 1);
    bench.link.setState(LinkState::Online); // another connection
    QCOMPARE(bench.link.running().size(), 1);
    bench.link.setState(LinkState::Lost, {Fault::Offline, u"cut"_s, {}, {}});
    QCOMPARE(bench.answers, 2);
    QVERIFY(!bench.last);
}

RANKWRIGHT_TEST_MAIN(LineProbeTest)
#include "tst_lineprobe.moc"
