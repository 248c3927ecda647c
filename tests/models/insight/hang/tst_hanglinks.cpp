// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangrows.h"
#include "models/insight/hang/hangtext.h"
#include "tests/shots/hangfixture.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What the words of a verdict lead to, which rows stand for many, and the verdict as a text.
class HangLinksTest final : public test::Suite {
    Q_OBJECT
private slots:
    void wordsLeadToWhatTheyName();
    void everyLinkIsOfTheSentence();
    void numbersOfTheRecordComeToTheRows();
    void thoseThatStandAlikeShareALine();
    void endedJobsAccuseNobody();
    void textForATicket();
    void advice();

private:
    static QStringList wordsOf(const HangVerdict& verdict, HangLink::To to)
    {
        QStringList words;
        for (const HangLink& link : hangLinks(verdict)) {
            if (link.to == to)
                words.append(verdict.sentence.mid(link.from, link.length));
        }
        return words;
    }
};

void HangLinksTest::wordsLeadToWhatTheyName()
{
    const HangVerdict verdict = hangVerdict(shots::hangingEvidence());
    QCOMPARE(verdict.odd, QList<int>{11});
    QCOMPARE(wordsOf(verdict, HangLink::To::Gpu), QStringList{u"node nid005002, GPU 3"_s});
    QCOMPARE(wordsOf(verdict, HangLink::To::Line), QStringList{u"dataset.py:88"_s});
    const QStringList ranks = wordsOf(verdict, HangLink::To::Ranks);
    QVERIFY2(ranks.first() == u"Rank 11"_s, qPrintable(ranks.join(u'|')));
    QVERIFY2(ranks.last().startsWith(u"31 ranks wait"_s), qPrintable(ranks.join(u'|')));
    const QList<HangLink> links = hangLinks(verdict);
    QCOMPARE(links.first().rows, QList<qsizetype>{0});
    QCOMPARE(links.last().rows.size(), 31);
    QVERIFY(links.first().source.startsWith(u"Flight Recorder"_s));
}

void HangLinksTest::everyLinkIsOfTheSentence()
{
    for (const int ranks : {2, 5, 32}) {
        const HangVerdict verdict = hangVerdict(shots::hangingEvidence(ranks));
        qsizetype done = 0;
        for (const HangLink& link : hangLinks(verdict)) {
            QVERIFY(link.from >= done && link.length > 0);
            done = link.from + link.length;
            QVERIFY(!link.source.isEmpty());
            for (const qsizetype row : link.rows)
                QVERIFY(row >= 0 && row < verdict.rows.size());
        }
        QVERIFY(done > 0 && done <= verdict.sentence.size());
    }
}

void HangLinksTest::numbersOfTheRecordComeToTheRows()
{
    HangEvidence evidence = shots::hangingEvidence();
    evidence.ranks[5].record.reset();
    evidence.ranks[5].recordBefore.reset();
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.calledGroup, u"fsdp"_s);
    for (const HangRow& row : verdict.rows) {
        const std::optional<qint64> expected
            = row.rank == 5 ? std::nullopt : std::optional<qint64>(row.rank == 11 ? 4811 : 4812);
        QCOMPARE(row.called, expected);
    }
}

void HangLinksTest::thoseThatStandAlikeShareALine()
{
    const QList<HangRow> rows = hangVerdict(shots::hangingEvidence()).rows;
    const QList<HangFold> folds = foldedRows(rows, 0);
    QCOMPARE(folds.size(), 2);
    QCOMPARE(folds.at(0), (HangFold{{0}, false}));
    QCOMPARE(folds.at(1).rows.size(), 31);
    QVERIFY(folds.at(1).isFolded);
    QCOMPARE(foldedRows(rows, 32).size(), 32); // few are shown one by one
    QVERIFY(foldedRows({}, 0).isEmpty());
}

void HangLinksTest::endedJobsAccuseNobody()
{
    HangEvidence evidence = shots::hangingEvidence();
    evidence.over = u"The job ended while it was inspected (TIMEOUT)."_s;
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.cause, HangCause::Over);
    QCOMPARE(verdict.sentence, evidence.over);
    QVERIFY(verdict.odd.isEmpty());
    QCOMPARE(verdict.rows.size(), 32);
    QVERIFY(verdict.notes.first().startsWith(u"Before its end: Rank 11"_s));
    QVERIFY(hangLinks(verdict).isEmpty());
}

void HangLinksTest::textForATicket()
{
    const HangVerdict verdict = hangVerdict(shots::hangingEvidence());
    const QString text = hangText(verdict);
    QVERIFY(text.startsWith(verdict.sentence + u'\n'));
    QVERIFY2(text.contains(u"! rank 11, node nid005002, GPU 3: state D, nfs_wait_bit_killable"_s), qPrintable(text));
    QVERIFY2(text.contains(u"  ranks 0–10, 12–31: state S"_s), qPrintable(text));
    QVERIFY2(text.contains(u"    read (/home/ada/dataset.py:88)"_s), qPrintable(text));
    QVERIFY2(text.contains(u"note: The RAS"_s), qPrintable(text));
}

void HangLinksTest::advice()
{
    HangEvidence evidence = shots::hangingEvidence();
    QVERIFY(hangAdvice(hangVerdict(evidence)).isEmpty());
    for (RankEvidence& rank : evidence.ranks) {
        rank.stacks.reset();
        rank.stacksBefore.reset();
        rank.record.reset();
        rank.recordBefore.reset();
    }
    const QStringList advice = hangAdvice(hangVerdict(evidence));
    QCOMPARE(advice.size(), 2);
    QVERIFY(advice.at(0).contains(u"py-spy"_s));
    QVERIFY(advice.at(1).contains(u"TORCH_NCCL_TRACE_BUFFER_SIZE=2000"_s));
}

RANKWRIGHT_TEST_MAIN(HangLinksTest)
#include "tst_hanglinks.moc"
