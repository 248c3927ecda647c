// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/remotestream.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;
using test::FakeShell;

/// A stream over a fake cluster: what keeps a command running, whatever its output means.
class RemoteStreamTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init();
    void sendsHeartbeats();
    void restartsWithNewCommand();
    void restartsWhenTheLinkReturns();
    void stopEndsSilently();
    void numbersLaunches();
    void reportsEachTroubleOnce();

private:
    /// Each launch has its own line: "read 1", "read 2" ...
    std::unique_ptr<RemoteStream> stream()
    {
        auto made = std::make_unique<RemoteStream>(
            *m_shell, [this] { return RemoteCommand::shell(u"read %1"_s.arg(++m_launches)); });
        made->setPace({20, 10, 80});
        return made;
    }

    std::unique_ptr<FakeShell> m_shell;
    int m_launches = 0;
};

void RemoteStreamTest::init()
{
    m_shell = std::make_unique<FakeShell>();
    m_shell->expect(u"read"_s, {.staysOpen = true}, true);
    m_launches = 0;
}

void RemoteStreamTest::sendsHeartbeats()
{
    const auto made = stream();
    QVERIFY(!made->isWanted() && !made->isRunning());
    made->start();
    QVERIFY(made->isWanted() && made->isRunning());
    QVERIFY(m_shell->newest()->command().interactive);
    QVERIFY(!m_shell->newest()->command().deadlineSeconds);
    QTRY_VERIFY(m_shell->newest()->input().startsWith("h\nh\n"));
    made->write("end\n");
    QVERIFY(m_shell->newest()->input().endsWith("end\n"));
}

void RemoteStreamTest::restartsWithNewCommand()
{
    const auto made = stream();
    QSignalSpy finished(made.get(), &RemoteStream::finished);
    QSignalSpy trouble(made.get(), &RemoteStream::troubleChanged);
    connect(made.get(), &RemoteStream::finished, this, [&made] {
        made->restartLater(Error{Fault::Io, u"It ended."_s, {}, {}});
    });
    made->start();
    for (int launch = 1; launch <= 3; ++launch) {
        QTRY_VERIFY(m_launches == launch && m_shell->newest());
        QVERIFY(m_shell->newest()->command().line.contains(u"read %1"_s.arg(launch)));
        m_shell->newest()->end(1);
        QTRY_COMPARE(finished.size(), launch);
        QVERIFY(made->isWanted() && !made->isRunning()); // waits
    }
    QCOMPARE(trouble.size(), 1); // the same each time
    QVERIFY(made->hasTrouble());
}

void RemoteStreamTest::restartsWhenTheLinkReturns()
{
    const auto made = stream();
    made->setPace({20, 3600000, 3600000}); // not by itself
    QSignalSpy returned(made.get(), &RemoteStream::linkReturned);
    connect(made.get(), &RemoteStream::finished, this, [&made] { made->restartLater({}); });
    made->start();
    m_shell->setState(LinkState::Lost, Error{Fault::Offline, u"gone"_s, {}, {}});
    QTRY_VERIFY(!made->isRunning());
    QCOMPARE(returned.size(), 0);
    m_shell->setState(LinkState::Online);
    QCOMPARE(returned.size(), 1);
    QVERIFY(made->isRunning());
    QCOMPARE(m_launches, 2);
    m_shell->setState(LinkState::Online); // it runs: nothing to do
    QCOMPARE(m_launches, 2);
}

void RemoteStreamTest::stopEndsSilently()
{
    const auto made = stream();
    QSignalSpy finished(made.get(), &RemoteStream::finished);
    made->start();
    const QPointer<test::FakeProcess> process = m_shell->newest();
    made->stop();
    QVERIFY(process.isNull() || process->isInputClosed());
    QTRY_VERIFY(process.isNull());
    QCOMPARE(finished.size(), 0);
    QVERIFY(!made->isWanted());
    m_shell->setState(LinkState::Lost);
    m_shell->setState(LinkState::Online);
    QCOMPARE(m_launches, 1);
}

void RemoteStreamTest::numbersLaunches()
{
    const auto made = stream();
    made->start();
    const int first = made->launchNumber();
    made->launch();
    QVERIFY(made->launchNumber() != first);
    const int second = made->launchNumber();
    made->stop();
    QVERIFY(made->launchNumber() != second);
}

void RemoteStreamTest::reportsEachTroubleOnce()
{
    const auto made = stream();
    QSignalSpy trouble(made.get(), &RemoteStream::troubleChanged);
    made->report({});
    QCOMPARE(trouble.size(), 0);
    made->report(Error{Fault::Io, u"a"_s, {}, {}});
    made->report(Error{Fault::Io, u"a"_s, u"more"_s, {}});
    QCOMPARE(trouble.size(), 1);
    made->report(Error{Fault::Io, u"b"_s, {}, {}});
    QCOMPARE(trouble.size(), 2);
    made->report({});
    QCOMPARE(trouble.size(), 3);
    QVERIFY(!made->hasTrouble());
}

RANKWRIGHT_TEST_MAIN(RemoteStreamTest)
#include "tst_remotestream.moc"
