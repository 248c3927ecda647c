// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/cluefinder.h"
#include "models/insight/diagnosis/patternclues.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Words that a prefilter looks for, from the expression that decides.
class PatternCluesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void clues_data();
    void clues();
    void withoutWordsEveryLineCounts();
    void wordsChooseTheLines();
};

void PatternCluesTest::clues_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QByteArrayList>("words");
    const auto row = [](const QString& pattern, const QByteArrayList& words) {
        QTest::newRow(qPrintable(pattern)) << pattern << words;
    };
    row(u"Disk quota exceeded"_s, {"disk quota exceeded"}); // in lower case
    row(u"EDQUOT|Errno 122"_s, {"edquot", "errno 122"}); // any of the alternatives
    row(u"out of memory|CUDA out of memory"_s, {"out of memory"}); // the shorter one is in both
    row(u"ab|Errno 122"_s, {}); // one alternative without a word: nothing is certain
    row(u"(?:CUDA|HIP).*busy or unavailable"_s, {"busy or unavailable"}); // the best run of a sequence
    row(u"abc.defg"_s, {"defg"});
    row(u"NODE ?FAIL"_s, {"nodefail", "node fail"}); // an optional character: with and without
    row(u"(?:GNU )?long double"_s, {"long double"});
    row(u"abcd(?:.*xyz)?"_s, {"abcd"});
    row(u"(?:abcdef)*xyz"_s, {"xyz"}); // may be absent
    row(u"(?:abcdef)+xyz"_s, {"abcdef"}); // may not
    row(u"(?:abcdef){2,3}xyz"_s, {"abcdef"});
    row(u"(?:abcdef){0,3}xyz"_s, {"xyz"});
    row(u"x{abc"_s, {"x{abc"}); // no quantifier
    row(u"(?<node>nid\\d+): gone"_s, {": gone"}); // a named group
    row(u"(?<!no )loss(?= is).*nan\\b"_s, {"nan"}); // look-around has no text of its own; "loss" is in all lines
    row(u"ibv_\\w+.*(?:failed|error)"_s, {"ibv_"});
    row(u"(?:failed|error) \\d"_s, {"error ", "failed "}); // better than none
    row(u"(?!never)ever$"_s, {"ever"});
    row(u"Unable[:=] (?:read|write)"_s, {"unable: read", "unable= read", "unable: write", "unable= write"});
    row(u"wor[kK]ed"_s, {"worked"}); // a class of few characters is listed
    row(u"abc[0-9]defg"_s, {"defg"});
    row(u"abc[^d]efgh"_s, {"efgh"});
    row(u"abcd[\\w.-]ef"_s, {"abcd"});
    row(u"\\bshm_open\\b"_s, {"shm_open"}); // places have no text
    row(u"Xid \\([^)]*\\):? (?:48|79)"_s, {"xid ("});
    row(u"\\t\\(core dumped\\)"_s, {"\t(core dumped)"});
    row(u"lazy.*?enough"_s, {"enough"});
    row(u"naïve text"_s, {"ve text"}); // both cases of other letters are not known to the finder
    row(u"\\d+ \\w+"_s, {});
    row(u"ab"_s, {});
    row(u""_s, {});
    row(u"(abc"_s, {}); // not valid
    row(u"(?i)abcd"_s, {}); // not known here
    row(u"(abcd)\\1"_s, {});
}

void PatternCluesTest::clues()
{
    QFETCH(QString, pattern);
    QFETCH(QByteArrayList, words);
    QByteArrayList found = cluesOf(pattern);
    std::sort(found.begin(), found.end());
    std::sort(words.begin(), words.end());
    QCOMPARE(found, words);
}

void PatternCluesTest::withoutWordsEveryLineCounts()
{
    const ClueFinder finder({{7, {}}, {3, {"abc"}}, {-2, {"bcd"}}});
    QCOMPARE(finder.find("xyz"), QList<int>({7}));
    QCOMPARE(finder.find("ABCD"), QList<int>({-2, 3, 7}));
    QCOMPARE(finder.firstAt("x\ny", 0), qsizetype(0));
    QCOMPARE(finder.firstAt("x\ny", 2), qsizetype(2));
    QCOMPARE(finder.firstAt("x\ny", 3), qsizetype(-1));
}

void PatternCluesTest::wordsChooseTheLines()
{
    const ClueFinder finder({{3, {"abc"}}, {5, {"xbc", "abc"}}});
    QCOMPARE(finder.find("xyz"), QList<int>());
    QCOMPARE(finder.find("an aBc"), QList<int>({3, 5}));
    QCOMPARE(finder.firstAt("one\nXBC\n", 0), qsizetype(6));
    QCOMPARE(finder.firstAt("one\nXBC\n", 5), qsizetype(-1));
}

RANKWRIGHT_TEST_MAIN(PatternCluesTest)
#include "tst_patternclues.moc"
