// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/lineprobe.h"
#include "models/remote/linkinfo.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

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
            link.expect(u"head -c"_s, {.staysOpen = true}, true);
            QObject::connect(&probe, &LineProbe::measured, &probe, [this](std::optional<double> rate) {
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
    void aFastLine()
    {
        Bench bench;
        QCOMPARE(bench.link.running().size(), 1);
        bench.link.newest()->say("x");
        bench.link.newest()->say(QByteArray(4096, 'r'));
        QCOMPARE(bench.answers, 1);
        QVERIFY(bench.last && *bench.last >= slowLineBytesPerSecond);
        QTRY_VERIFY(bench.link.running().isEmpty());
    }

    void aSlowLine()
    {
        Bench bench;
        bench.link.newest()->say("x");
        for (int i = 0; i < 4; ++i) {
            test::quietFor(60);
            bench.link.newest()->say(QByteArray(1024, 'r'));
        }
        QCOMPARE(bench.answers, 1);
        QVERIFY(bench.last && *bench.last < slowLineBytesPerSecond);
    }

    void aProbeThatFails()
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
};

RANKWRIGHT_TEST_MAIN(LineProbeTest)
#include "tst_lineprobe.moc"
