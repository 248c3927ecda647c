// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/hangreading.h"

#include "tests/support/heldthreads.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray oneNodeStopped(const QByteArray& node)
{
    const auto line
        = [&node](const QByteArray& cells) -> QByteArray { return "@rw-hang " + node + " 17959 " + cells + '\n'; };
    return line("begin;1;0;") + line("rank;40;0;0;1;python3 train.py;") + line("look;40;1;T;;;;1;1;1;6;9;")
        + line("look;40;2;T;;;;1;1;1;6;9;") + line("end;4000;1;");
}

CollectPlan planFor(const QString& node)
{
    CollectPlan plan;
    plan.job = u"7"_s;
    plan.deepNodes = {node};
    plan.ofNodes = 1;
    return plan;
}

} // namespace

/// What nodes say is read and judged on other threads, and what is asked for is answered in order, or not at all.
class HangReadingTest final : public Suite {
    Q_OBJECT
private slots:
    void cleanup();
    void readsOnOtherThreads();
    void piecesKeepTheirOrder();
    void anotherJobMeanwhile();
    void cancelledWorkSaysNothing();
    void goneWithItsOwner();
    void anAnswerMayEndIt();
    void aSecondRoundIsPutOverTheFirst();
    void nothingWasSaid();

private:
    void askAll(HangReading& reading, const QByteArray& node)
    {
        reading.feed(oneNodeStopped(node));
        reading.endRound(planFor(QString::fromLatin1(node)), {}, [this](const HangRound& round) {
            m_order.append(round.isSilent ? u"silent"_s : u"round %1"_s.arg(round.nodesDone));
        });
        reading.assess({}, [this](const HangAnswer& answer) { m_order.append(answer.verdict.sentence); });
    }
    QStringList m_order; ///< of the answers
};

void HangReadingTest::cleanup()
{
    m_order.clear();
    QVERIFY(HangReading::threads().waitForDone(longWaitMs));
}

void HangReadingTest::readsOnOtherThreads()
{
    HeldThreads threads(HangReading::threads());
    QVERIFY(threads.areHeld());
    HangReading reading;
    reading.begin();
    askAll(reading, "n1");
    quietFor(0);
    QCOMPARE(m_order, QStringList());
    threads.release();
    QTRY_COMPARE(m_order.size(), 2);
    QCOMPARE(m_order.first(), u"round 1"_s);
    QVERIFY2(m_order.last().startsWith(u"Rank 0 (node n1, GPU 0) is stopped"_s), qPrintable(m_order.last()));
}

/// Those that come while others are read wait together.
void HangReadingTest::piecesKeepTheirOrder()
{
    HeldThreads threads(HangReading::threads());
    HangReading reading;
    reading.begin();
    const QByteArray all = oneNodeStopped("n1");
    for (qsizetype from = 0; from < all.size(); from += 7) {
        if (from > all.size() / 2)
            threads.release();
        reading.feed(all.mid(from, 7));
    }
    reading.assess({}, [this](const HangAnswer&) { m_order.append(u"early"_s); });
    reading.endRound(
        planFor(u"n1"_s), {}, [this](const HangRound& round) { m_order.append(QString::number(round.nodesDone)); });
    QTRY_COMPARE(m_order.size(), 2);
    QCOMPARE(m_order, (QStringList{u"early"_s, u"1"_s}));
}

void HangReadingTest::anotherJobMeanwhile()
{
    HeldThreads threads(HangReading::threads());
    HangReading reading;
    reading.begin();
    askAll(reading, "n1");
    reading.begin();
    askAll(reading, "n2");
    threads.release();
    QTRY_COMPARE(m_order.size(), 2);
    QVERIFY(HangReading::threads().waitForDone(longWaitMs));
    quietFor(0);
    QCOMPARE(m_order.size(), 2);
    QVERIFY2(m_order.last().contains(u"node n2"_s), qPrintable(m_order.last()));
}

void HangReadingTest::cancelledWorkSaysNothing()
{
    HeldThreads threads(HangReading::threads());
    HangReading reading;
    reading.begin();
    askAll(reading, "n1");
    reading.cancel();
    askAll(reading, "n1"); // of no inspection
    threads.release();
    QVERIFY(HangReading::threads().waitForDone(longWaitMs));
    quietFor(0);
    QCOMPARE(m_order, QStringList());
}

void HangReadingTest::goneWithItsOwner()
{
    HeldThreads threads(HangReading::threads());
    {
        HangReading reading;
        reading.begin();
        askAll(reading, "n1");
    }
    threads.release();
    QVERIFY(HangReading::threads().waitForDone(longWaitMs));
    quietFor(0);
    QCOMPARE(m_order, QStringList());
}

void HangReadingTest::anAnswerMayEndIt()
{
    auto reading = std::make_unique<HangReading>();
    reading->begin();
    reading->assess({}, [this, &reading](const HangAnswer&) {
        m_order.append(u"first"_s);
        reading.reset();
    });
    reading->assess({}, [this](const HangAnswer&) { m_order.append(u"second"_s); });
    QTRY_COMPARE(m_order.size(), 1);
    QVERIFY(HangReading::threads().waitForDone(longWaitMs));
    quietFor(0);
    QCOMPARE(m_order, QStringList{u"first"_s});
}

void HangReadingTest::aSecondRoundIsPutOverTheFirst()
{
    HangReading reading;
    reading.begin();
    askAll(reading, "n1");
    askAll(reading, "n1");
    QTRY_COMPARE(m_order.size(), 4);
    QVERIFY2(m_order.last().startsWith(u"Rank 0 (node n1, GPU 0) is stopped"_s), qPrintable(m_order.last()));
    QCOMPARE(m_order.at(2), u"round 1"_s);
}

void HangReadingTest::nothingWasSaid()
{
    HangReading reading;
    reading.begin();
    reading.feed("slurmstepd: something else\n");
    reading.endRound(planFor(u"n1"_s), {},
        [this](const HangRound& round) { m_order.append(round.isSilent ? u"silent"_s : u"said"_s); });
    reading.assess(u"It ended."_s, [this](const HangAnswer& answer) {
        m_order.append(answer.verdict.sentence);
        QCOMPARE(answer.ranksSeen, 0);
    });
    QTRY_COMPARE(m_order, (QStringList{u"silent"_s, u"It ended."_s}));
}

RANKWRIGHT_TEST_MAIN(HangReadingTest)
#include "tst_hangreading.moc"
