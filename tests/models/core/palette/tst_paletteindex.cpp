// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/palette/paletteindex.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

class PaletteIndexTest final : public test::Suite {
    Q_OBJECT
private slots:
    void findsWhatIsMeant_data();
    void findsWhatIsMeant();
    void findsNothingOfTheKind_data();
    void findsNothingOfTheKind();
    void slips_data();
    void slips();
    void anEmptyQueryGivesAll();
    void usedLatelyComesFirstAmongEquals();
    void whatIsOffComesLast();
    void marksWhatWasMet();
    void everyWordCounts();
    void holdsForAnything();

private:
    static PaletteEntry entry(const QString& title, const QString& section = u"File"_s, const QString& keywords = {})
    {
        return {.id = section + u'/' + title, .title = title, .section = section, .keywords = keywords};
    }
    static QStringList titles(const PaletteIndex& index, const QList<PaletteHit>& hits)
    {
        QStringList found;
        for (const PaletteHit& hit : hits)
            found.append(index.entries().at(hit.entry).title);
        return found;
    }
    const PaletteIndex m_index{{entry(u"New design"_s), entry(u"Open …"_s), entry(u"Save"_s), entry(u"Save as …"_s),
        entry(u"Save the batch script …"_s), entry(u"Undo Nodes"_s, u"Edit"_s), entry(u"Plan"_s, u"View"_s),
        entry(u"Jobs"_s, u"View"_s), entry(u"Nodes"_s, u"Fields of the design"_s, u"resources nodes Resources"_s),
        entry(u"Global batch"_s, u"Fields of the design"_s, u"training globalBatch Batch"_s),
        entry(u"Micro-batch"_s, u"Fields of the design"_s, u"training microBatch Batch"_s),
        entry(u"Connect to LUMI"_s, u"Clusters"_s, u"lumi CSC"_s),
        entry(u"Use LUMI for this design"_s, u"Clusters"_s, u"lumi CSC"_s),
        entry(u"Connect to Alps, Clariden"_s, u"Clusters"_s, u"alps-clariden CSCS"_s),
        entry(u"Train Llama 3/3.1 8B"_s, u"Models"_s, u"llama-3-8b Llama 3"_s),
        entry(u"Train Llama 3/3.1/3.3 70B"_s, u"Models"_s, u"llama-3-70b Llama 3"_s),
        entry(u"Train Électra"_s, u"Models"_s)}};
};

void PaletteIndexTest::findsWhatIsMeant_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("first");
    QTest::newRow("whole title") << u"save"_s << u"Save"_s;
    QTest::newRow("beginning") << u"ne"_s << u"New design"_s;
    QTest::newRow("case") << u"PLAN"_s << u"Plan"_s;
    QTest::newRow("beginning of a word") << u"batch scr"_s << u"Save the batch script …"_s;
    QTest::newRow("initials") << u"stb"_s << u"Save the batch script …"_s;
    QTest::newRow("inside") << u"ript"_s << u"Save the batch script …"_s;
    QTest::newRow("keyword") << u"csc lumi use"_s << u"Use LUMI for this design"_s;
    QTest::newRow("the field, not Undo") << u"nodes"_s << u"Nodes"_s;
    QTest::newRow("two words, any order") << u"lumi connect"_s << u"Connect to LUMI"_s;
    QTest::newRow("words of a model") << u"llama 70"_s << u"Train Llama 3/3.1/3.3 70B"_s;
    QTest::newRow("letters in order") << u"micbat"_s << u"Micro-batch"_s;
    QTest::newRow("marks on letters") << u"electra"_s << u"Train Électra"_s;
    QTest::newRow("a letter exchanged") << u"globla"_s << u"Global batch"_s;
    QTest::newRow("a letter left out") << u"conect lumi"_s << u"Connect to LUMI"_s;
    QTest::newRow("a letter too many") << u"llamma 8b"_s << u"Train Llama 3/3.1 8B"_s;
    QTest::newRow("another letter") << u"desihn new"_s << u"New design"_s;
    QTest::newRow("blanks around") << u"  jobs  "_s << u"Jobs"_s;
}

void PaletteIndexTest::findsWhatIsMeant()
{
    QFETCH(const QString, query);
    QFETCH(const QString, first);
    const QStringList found = titles(m_index, m_index.search(query));
    QVERIFY2(!found.isEmpty(), "nothing answers");
    QVERIFY2(found.first() == first, qPrintable(found.join(u" | "_s)));
}

void PaletteIndexTest::findsNothingOfTheKind_data()
{
    QTest::addColumn<QString>("query");
    QTest::newRow("nothing of it") << u"zzzz"_s;
    QTest::newRow("one word of two") << u"save zebra"_s;
    QTest::newRow("two slips") << u"gxobax"_s;
    QTest::newRow("a slip of a short word") << u"jxb"_s;
    QTest::newRow("strewn letters") << u"nwdn"_s;
}

void PaletteIndexTest::findsNothingOfTheKind()
{
    QFETCH(const QString, query);
    QCOMPARE(titles(m_index, m_index.search(query)), QStringList());
}

void PaletteIndexTest::slips_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<bool>("is");
    QTest::newRow("same") << u"plan"_s << u"plan"_s << true;
    QTest::newRow("changed") << u"plan"_s << u"plxn"_s << true;
    QTest::newRow("added at the end") << u"plan"_s << u"plans"_s << true;
    QTest::newRow("added at the front") << u"plan"_s << u"xplan"_s << true;
    QTest::newRow("exchanged") << u"plan"_s << u"paln"_s << true;
    QTest::newRow("exchanged at the end") << u"plan"_s << u"plna"_s << true;
    QTest::newRow("two") << u"plan"_s << u"pxxn"_s << false;
    QTest::newRow("exchanged far") << u"plan"_s << u"nlap"_s << false;
    QTest::newRow("two longer") << u"plan"_s << u"planet"_s << false;
    QTest::newRow("empty and one") << u""_s << u"a"_s << true;
    QTest::newRow("both empty") << u""_s << u""_s << true;
}

void PaletteIndexTest::slips()
{
    QFETCH(const QString, a);
    QFETCH(const QString, b);
    QFETCH(const bool, is);
    QCOMPARE(isOneSlip(a, b), is);
    QCOMPARE(isOneSlip(b, a), is);
}

void PaletteIndexTest::anEmptyQueryGivesAll()
{
    const QList<PaletteHit> hits = m_index.search({}, {}, 1000);
    QCOMPARE(hits.size(), m_index.entries().size());
    for (int i = 0; i < int(hits.size()); ++i)
        QCOMPARE(hits.at(i).entry, i);
    const QStringList lately{u"View/Jobs"_s, u"File/Save"_s, u"gone/since"_s};
    const QStringList found = titles(m_index, m_index.search(u" "_s, lately, 4));
    QCOMPARE(found, (QStringList{u"Jobs"_s, u"Save"_s, u"New design"_s, u"Open …"_s}));
}

void PaletteIndexTest::usedLatelyComesFirstAmongEquals()
{
    QCOMPARE(titles(m_index, m_index.search(u"connect"_s)).first(), u"Connect to LUMI"_s);
    QCOMPARE(titles(m_index, m_index.search(u"connect"_s, {u"Clusters/Connect to Alps, Clariden"_s})).first(),
        u"Connect to Alps, Clariden"_s);
    // It does not outdo what is called exactly so.
    QCOMPARE(titles(m_index, m_index.search(u"save"_s, {u"File/Save the batch script …"_s})).first(), u"Save"_s);
}

void PaletteIndexTest::whatIsOffComesLast()
{
    PaletteEntry off = entry(u"Connect to A"_s);
    off.enabled = false;
    const PaletteIndex index({off, entry(u"Connect to Boreas"_s)});
    QCOMPARE(titles(index, index.search(u"connect"_s)), (QStringList{u"Connect to Boreas"_s, u"Connect to A"_s}));
}

void PaletteIndexTest::marksWhatWasMet()
{
    const auto places = [this](const QString& query) { return m_index.search(query).value(0).matched; };
    QCOMPARE(places(u"sa"_s), (QList<int>{0, 1}));
    QCOMPARE(places(u"stb"_s), (QList<int>{0, 5, 9}));
    QCOMPARE(places(u"lumi con"_s), (QList<int>{0, 1, 2, 11, 12, 13, 14}));
}

void PaletteIndexTest::everyWordCounts()
{
    for (const QString& title : titles(m_index, m_index.search(u"train llama"_s)))
        QVERIFY(title.startsWith(u"Train Llama"_s));
    QCOMPARE(m_index.search(u"train llama"_s).size(), 2);
}

/// Random titles and queries: sorted, within bounds, the same each time, and a title always finds itself.
void PaletteIndexTest::holdsForAnything()
{
    QRandomGenerator random(7);
    const auto text = [&random](int longest) {
        static const QString letters = u"abcABC  -/…éÜß中\u0301\u200b\u00ad\U0001F600(1)%&\n\t"_s;
        QString made;
        for (int i = int(random.bounded(longest + 1)); i > 0; --i)
            made += letters.at(random.bounded(int(letters.size())));
        return made;
    };
    for (int round = 0; round < 200; ++round) {
        QList<PaletteEntry> entries;
        for (int i = 0; i < 30; ++i) {
            PaletteEntry made = entry(text(24), text(6), text(20));
            made.enabled = random.bounded(4) != 0;
            entries.append(made);
        }
        const PaletteIndex index(entries);
        for (int i = 0; i < 10; ++i) {
            const QString query = i == 0 ? entries.first().title : text(8);
            const QList<PaletteHit> hits = index.search(query, {entries.at(3).id}, 12);
            QVERIFY(hits.size() <= 12);
            QVERIFY(std::is_sorted(hits.cbegin(), hits.cend(),
                [](const PaletteHit& a, const PaletteHit& b) { return a.score > b.score; }));
            for (const PaletteHit& hit : hits) {
                QVERIFY(hit.entry >= 0 && hit.entry < int(entries.size()));
                QVERIFY(std::is_sorted(hit.matched.cbegin(), hit.matched.cend()));
                QVERIFY(hit.matched.isEmpty()
                    || (hit.matched.first() >= 0 && hit.matched.last() < entries.at(hit.entry).title.size()));
            }
            QCOMPARE(index.search(query, {entries.at(3).id}, 12), hits);
        }
        const QList<PaletteHit> own = index.search(entries.first().title, {}, 1000);
        QVERIFY2(std::any_of(own.cbegin(), own.cend(), [](const PaletteHit& hit) { return hit.entry == 0; }),
            qPrintable(entries.first().title));
    }
    QVERIFY(PaletteIndex().search(u"x"_s).isEmpty());
    QVERIFY(m_index.search(u"s"_s, {}, -1).isEmpty());
    QVERIFY(m_index.search(QString(100000, u's')).isEmpty());
}

RANKWRIGHT_TEST_MAIN(PaletteIndexTest)
#include "tst_paletteindex.moc"
