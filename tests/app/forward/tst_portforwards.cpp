// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/portforwards.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// The forwarded ports of a cluster's jobs: begun, listed, ended with their jobs.
class PortForwardsTest final : public Suite {
    Q_OBJECT
private slots:
    void cleanup();
    void onceEach();
    void endsWithTheJob_data();
    void endsWithTheJob();
    void goesOnWhileNobodyKnows();
    void ports();
    void jobThatDoesNotRun();

private:
    void build()
    {
        m_shell = std::make_unique<FakeShell>();
        m_shell->expect(u"srun"_s, {.staysOpen = true}, true);
        m_forwards = std::make_unique<PortForwards>(*m_shell);
    }
    static JobRecord job(JobState state = JobState::Running, const QStringList& nodes = {u"n1"_s, u"n2"_s})
    {
        JobRecord record;
        record.id = u"123"_s;
        record.state = state;
        record.nodeList = nodes;
        return record;
    }
    std::unique_ptr<FakeShell> m_shell;
    std::unique_ptr<PortForwards> m_forwards;
};

void PortForwardsTest::cleanup()
{
    m_forwards.reset();
    m_shell.reset();
}

void PortForwardsTest::onceEach()
{
    build();
    const auto first = m_forwards->start(job(), u"n2"_s, 6006, 0);
    QVERIFY_RESULT(first);
    const auto again = m_forwards->start(job(), u"n2"_s, 6006, 0);
    QVERIFY_RESULT(again);
    QCOMPARE(*again, *first);
    const auto other = m_forwards->start(job(), u"n1"_s, 6006, 0);
    QVERIFY_RESULT(other);
    QVERIFY(*other != *first);
    QCOMPARE(m_forwards->entries().size(), 2);
    QVERIFY(m_forwards->find(*first)->localPort() != m_forwards->find(*other)->localPort());
    m_forwards->stop(*first);
    m_forwards->removeEnded();
    QCOMPARE(m_forwards->entries().size(), 1);
    QVERIFY(!m_forwards->find(*first));
}

void PortForwardsTest::endsWithTheJob_data()
{
    QTest::addColumn<QList<JobRecord>>("queue");
    QTest::addColumn<QString>("why");
    QTest::newRow("gone") << QList<JobRecord>() << u"has ended"_s;
    QTest::newRow("completed") << QList<JobRecord>{job(JobState::Completed)} << u"is no longer running"_s;
    QTest::newRow("requeued") << QList<JobRecord>{job(JobState::Pending, {})} << u"is no longer running"_s;
    QTest::newRow("elsewhere") << QList<JobRecord>{job(JobState::Running, {u"n7"_s})} << u"other nodes"_s;
}

void PortForwardsTest::endsWithTheJob()
{
    QFETCH(QList<JobRecord>, queue);
    QFETCH(QString, why);
    build();
    const auto id = m_forwards->start(job(), {}, 6006, 0);
    QVERIFY_RESULT(id);
    QSignalSpy changed(m_forwards.get(), &PortForwards::changed);
    m_forwards->update(queue);
    QVERIFY(!m_forwards->find(*id)->isActive());
    QVERIFY2(m_forwards->find(*id)->ending().contains(why), qPrintable(m_forwards->find(*id)->ending()));
    QVERIFY(!changed.isEmpty());
}

void PortForwardsTest::goesOnWhileNobodyKnows()
{
    build();
    const auto id = m_forwards->start(job(), {}, 6006, 0);
    QVERIFY_RESULT(id);
    m_forwards->update({job(), job(JobState::Running)});
    m_forwards->update(u"999"_s, std::nullopt);
    m_forwards->update(u"123"_s, job(JobState::Unknown, {}));
    QVERIFY(m_forwards->find(*id)->isActive());
}

void PortForwardsTest::ports()
{
    for (const QString& bad : {u"0"_s, u"65536"_s, u"-1"_s, u"six"_s, QString(), u"80x"_s})
        QVERIFY2(!portOf(bad), qPrintable(bad));
    QCOMPARE(*portOf(u" 6006 "_s), 6006);
}

void PortForwardsTest::jobThatDoesNotRun()
{
    build();
    QVERIFY(!m_forwards->start(job(JobState::Pending), {}, 6006, 0));
    QVERIFY(!m_forwards->start(job(), u"n9"_s, 6006, 0));
    QCOMPARE(m_forwards->entries().size(), 0);
}

RANKWRIGHT_TEST_MAIN(PortForwardsTest)
#include "tst_portforwards.moc"
