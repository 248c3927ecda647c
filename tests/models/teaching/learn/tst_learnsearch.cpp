// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/learnsearch.h"
#include "models/teaching/learn/question.h"
#include "models/teaching/learn/term.h"
#include "models/teaching/learn/termlinks.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;
using namespace rankwright;
using namespace rankwright::test;

/// What people type finds what they mean, first.
class LearnSearchTest final : public Suite {
    Q_OBJECT
private slots:
    void findsFirst_data();
    void findsFirst();
    void findsAmongFirst_data();
    void findsAmongFirst();
    void everyNameFindsItself();
    void nothing();
    void distances();
    void linksMarks();
    void linksKnownWords();
    void randomText();
};

void LearnSearchTest::findsFirst_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("id");
    const auto row = [](const QString& text, const QString& id) { QTest::newRow(qPrintable(text)) << text << id; };
    row(u"gcd"_s, u"gcd"_s);
    row(u"GCDs"_s, u"gcd"_s);
    row(u"world size"_s, u"world-size"_s);
    row(u"wrold size"_s, u"world-size"_s);
    row(u"WORLD_SIZE"_s, u"world-size"_s);
    row(u"randezvous"_s, u"rendezvous"_s);
    row(u"rendezvouz"_s, u"rendezvous"_s);
    row(u"allreduce"_s, u"all-reduce"_s);
    row(u"stragler"_s, u"straggler"_s);
    row(u"chekpoint"_s, u"checkpoint"_s);
    row(u"accumlation"_s, u"accumulation"_s);
    row(u"RCCL"_s, u"nccl"_s);
    row(u"bfloat16"_s, u"precision"_s);
    row(u"--mem"_s, u"mem"_s);
    row(u"14 cores"_s, u"billed-for-cores"_s);
    row(u"nccl or rccl"_s, u"nccl-or-rccl"_s);
    row(u"who prints"_s, u"rank-zero"_s);
    row(u"spawn or fork"_s, u"spawn-or-fork"_s);
    row(u"is --mem per node or per job?"_s, u"mem-per-node"_s);
}

void LearnSearchTest::findsFirst()
{
    QFETCH(QString, text);
    QFETCH(QString, id);
    const auto hits = searchLearn(text);
    QVERIFY2(!hits.isEmpty(), qPrintable(text));
    QCOMPARE(hits.first().id, id);
}

void LearnSearchTest::findsAmongFirst_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("id");
    const auto row = [](const QString& text, const QString& id) { QTest::newRow(qPrintable(text)) << text << id; };
    // As learners asked it (LUMI's AI courses, MPCDF's tutorial).
    row(u"If I reserve one GCD and 14 CPU cores, will I only be billed for one GCD?"_s, u"billed-for-cores"_s);
    row(u"do I still need to specify NCCL and not RCCL as backend"_s, u"nccl-or-rccl"_s);
    row(u"half of the power missing"_s, u"half-the-power"_s);
    row(u"which power is normal, 300 or 500 W"_s, u"normal-power"_s);
    row(u"--mem for two nodes"_s, u"mem-per-node"_s);
    row(u"ROCR_VISIBLE_DEVICES not set"_s, u"visible-devices-set"_s);
    row(u"only rank 0 prints"_s, u"who-prints"_s);
    row(u"random seed on each rank"_s, u"seeds"_s);
    row(u"learning rate with batch size"_s, u"learning-rate-with-batch"_s);
    row(u"are all gpus in use"_s, u"all-gpus-used"_s);
    row(u"acknowledge in paper"_s, u"acknowledge"_s);
    row(u"hangs at initialization"_s, u"hangs-at-start"_s);
    row(u"out of memory"_s, u"out-of-memory"_s);
    row(u"cpu mask"_s, u"cpu-binding"_s);
    row(u"pipline bubble"_s, u"pipeline-bubble"_s);
}

void LearnSearchTest::findsAmongFirst()
{
    QFETCH(QString, text);
    QFETCH(QString, id);
    const auto hits = searchLearn(text).mid(0, 3);
    QStringList found;
    for (const LearnHit& hit : hits)
        found.append(hit.id);
    QVERIFY2(found.contains(id), qPrintable(text + u": " + found.join(u", ")));
}

void LearnSearchTest::everyNameFindsItself()
{
    for (const Term& term : terms()) {
        const auto hits = searchLearn(term.name);
        QVERIFY2(!hits.isEmpty() && hits.first().id == term.id && hits.first().kind == LearnHit::Kind::Term,
            qPrintable(term.name));
        QVERIFY2(searchLearn(term.id).first().id == term.id, qPrintable(term.id));
    }
    for (const Question& question : questions()) {
        const auto hits = searchLearn(inUsualWords(question.text));
        QVERIFY2(!hits.isEmpty() && hits.first().id == question.id, qPrintable(question.text));
    }
}

void LearnSearchTest::nothing()
{
    QVERIFY(searchLearn({}).isEmpty());
    QVERIFY(searchLearn(u"   \t"_s).isEmpty());
    QVERIFY(searchLearn(u"-_-"_s).isEmpty());
    QVERIFY(searchLearn(u"xylophone"_s).isEmpty());
    QVERIFY(searchLearn(QString(100000, u'z')).isEmpty());
}

void LearnSearchTest::distances()
{
    QCOMPARE(editDistance(u"rank", u"rank", 2), 0);
    QCOMPARE(editDistance(u"rank", u"rnak", 2), 1); // neighbours swapped
    QCOMPARE(editDistance(u"rank", u"ranks", 2), 1);
    QCOMPARE(editDistance(u"kitten", u"sitting", 5), 3);
    QCOMPARE(editDistance(u"abc", u"xyzuvw", 2), 3);
    QCOMPARE(editDistance(u"", u"ab", 2), 2);
    QCOMPARE(editDistance(u"", u"", 0), 0);
}

void LearnSearchTest::linksMarks()
{
    QCOMPARE(termLinks(u"From [gcd] to [gcd|another die] & <b>"_s),
        u"From <a href=\"term:gcd\">GCD</a> to <a href=\"term:gcd\">another die</a> &amp; &lt;b&gt;"_s);
    QCOMPARE(termLinks(u"[no such word] stays"_s), u"[no such word] stays"_s);
    QCOMPARE(termLinks(u"a[0] = b[1]"_s), u"a[0] = b[1]"_s);
    QCOMPARE(termLinks({}), QString());
    QCOMPARE(linkedTerm(u"term:gcd"_s), u"gcd"_s);
    QCOMPARE(linkedTerm(u"term:World Size"_s), u"world-size"_s);
    QCOMPARE(linkedTerm(u"https://example.org"_s), QString());
    QCOMPARE(linkedTerm(u"term:<script>"_s), QString());
}

void LearnSearchTest::linksKnownWords()
{
    const QString rich = termLinks(u"FSDP gathers, FSDP forgets; DDP keeps. This step is plain."_s, KnownWords::Linked);
    QCOMPARE(rich.count(u"term:fsdp"_s), 1);
    QCOMPARE(rich.count(u"term:ddp"_s), 1);
    QVERIFY(!rich.contains(u"term:step"_s));
    QCOMPARE(termLinks(u"<b>DDP</b>"_s, KnownWords::Linked), u"&lt;b&gt;<a href=\"term:ddp\">DDP</a>&lt;/b&gt;"_s);
}

/// Whatever is typed: no crash, ids that exist, an order; and text of others never becomes markup.
void LearnSearchTest::randomText()
{
    QRandomGenerator random(20261123);
    const QString letters
        = u"abcdefGHIJ 0123456789-_#%[]|<>&\"'{}\\.,:;?ßÄé\u4e2d\u0301\u202e\u0000"_s + QChar(0xd800) + QChar(u'\n');
    QStringList words;
    for (const Term& term : terms())
        words.append(term.name);
    for (int run = 0; run < 3000; ++run) {
        QString text;
        const int length = random.bounded(run % 50 == 0 ? 400 : 30);
        for (int i = 0; i < length; ++i) {
            if (random.bounded(12) == 0)
                text += words.at(random.bounded(int(words.size())));
            else
                text += letters.at(random.bounded(int(letters.size())));
        }
        const auto hits = searchLearn(text);
        int last = 101;
        for (const LearnHit& hit : hits) {
            QVERIFY(hit.score > 0 && hit.score <= last);
            last = hit.score;
            QVERIFY(hit.kind == LearnHit::Kind::Term ? findTerm(hit.id) != nullptr : findQuestion(hit.id) != nullptr);
        }
        QString rich = termLinks(text, run % 2 == 0 ? KnownWords::Linked : KnownWords::LeftAlone);
        static const QRegularExpression link(u"<a href=\"term:[a-z0-9-]+\">|</a>"_s);
        rich.remove(link);
        QVERIFY(!rich.contains(u'<') && !rich.contains(u'>'));
        (void)findTerm(text);
        (void)linkedTerm(u"term:"_s + text);
    }
}

RANKWRIGHT_TEST_MAIN(LearnSearchTest)
#include "tst_learnsearch.moc"
