// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/rankbinding.h"
#include "models/insight/progress/rankbindingjson.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;
using State = RankBinding::State;

/// What is known of all ranks from the few lines that they write. "+" is a step of the training.
class RankBindingTest final : public test::Suite {
    Q_OBJECT
private slots:
    void says_data();
    void says();
    void silenceIsNotBound();
    void waitingAgainNothingIsKnown();
    void isKeptAsJson();
    void ofManyTheFirstAreNamed();
    void strangersDoNoHarm();
};

namespace {

const QString asPlanned
    = u"rankwright: rank 0 of 4 on node n1: cores 0-6 as planned, device 0; other ranks report only "
      "what differs"_s;
const QString elsewhere = u"rankwright: rank 2 of 4 on node n1: cores 0-63 instead of 14-20, device 2"_s;

RankBinding bindingOf(const QStringList& lines)
{
    RankBinding binding;
    for (const QString& line : lines) {
        if (line == u"+")
            binding.begin();
        else if (const auto report = readRankReport(line))
            binding.addReport(*report);
    }
    return binding;
}

} // namespace

void RankBindingTest::says_data()
{
    QTest::addColumn<QStringList>("lines");
    QTest::addColumn<State>("state");
    QTest::addColumn<int>("bound"); // -1: not known
    QTest::addColumn<QString>("title");
    QTest::addColumn<int>("starts");
    const auto row = [](const char* name, const QStringList& lines, State state, int bound, const QString& title,
                         int starts) { QTest::newRow(name) << lines << state << bound << title << starts; };
    row("nothing", {u"+"_s}, State::NotReported, -1, u"binding not reported"_s, 0);
    row("rank 0 alone", {asPlanned}, State::Pending, -1, u"rank 0 bound as planned, others not known yet"_s, 1);
    row("training began", {asPlanned, u"+"_s}, State::Bound, 4, u"4 of 4 ranks bound as planned"_s, 1);
    row("steps before are of no use", {u"+"_s, asPlanned}, State::Pending, -1,
        u"rank 0 bound as planned, others not known yet"_s, 1);
    row("one differs", {elsewhere, asPlanned, u"+"_s}, State::Differs, 3, u"1 of 4 ranks not as planned"_s, 1);
    row("one differs, labelled", {u" 2: "_s + elsewhere, u"0: "_s + asPlanned, u"+"_s}, State::Differs, 3,
        u"1 of 4 ranks not as planned"_s, 1);
    row("rank 0 was not seen", {elsewhere, u"+"_s}, State::Differs, -1, u"1 of 4 ranks not as planned"_s, 1);
    row("queued again", {asPlanned, u"+"_s, asPlanned}, State::Pending, -1,
        u"rank 0 bound as planned, others not known yet"_s, 2);
    row("queued again, worse", {asPlanned, u"+"_s, elsewhere, asPlanned, u"+"_s}, State::Differs, 3,
        u"1 of 4 ranks not as planned"_s, 2);
    row("queued again, better", {elsewhere, asPlanned, u"+"_s, asPlanned, u"+"_s}, State::Bound, 4,
        u"4 of 4 ranks bound as planned"_s, 2);
    row("again before any step", {asPlanned, asPlanned, u"+"_s}, State::Bound, 4, u"4 of 4 ranks bound as planned"_s,
        2);
    row("no cores planned", {u"rankwright: rank 0 of 4 on node n1: cores 0-6, device 0"_s, u"+"_s}, State::Unplanned,
        -1, u"no cores planned"_s, 1);
    row("other hardware",
        {u"rankwright: rank 0 of 4 on node n1: cores 0-1 (planned 49-55, but this node has CPUs 0-1), device 0"_s,
            u"+"_s},
        State::OtherHardware, -1, u"binding not comparable"_s, 1);
    row("a single rank", {u"rankwright: rank 0 of 1 on node n1: cores 0-6 as planned, device 0"_s}, State::Bound, 1,
        u"1 of 1 rank bound as planned"_s, 1);
}

void RankBindingTest::says()
{
    QFETCH(QStringList, lines);
    QFETCH(State, state);
    const RankBinding binding = bindingOf(lines);
    QCOMPARE(toText(binding.state()), toText(state));
    QTEST(binding.bound().value_or(-1), "bound");
    QTEST(rankBindingTitle(binding), "title");
    QTEST(binding.starts(), "starts");
    QVERIFY(!rankBindingText(binding).isEmpty());
    if (state == State::Differs)
        QCOMPARE(rankBindingText(binding), u"Rank 2 on n1 is on cores 0-63 instead of 14-20."_s);
}

/// Whatever is cut off the beginning of the lines, nobody is called bound who has not reported.
void RankBindingTest::silenceIsNotBound()
{
    const QStringList whole{elsewhere, asPlanned, u"+"_s};
    for (qsizetype from = 0; from <= whole.size(); ++from) {
        const RankBinding binding = bindingOf(whole.mid(from));
        QVERIFY(from == 1 || binding.state() != State::Bound); // without the differing line rank 0's word counts
        QVERIFY(bindingOf(whole.first(from)).state() != State::Bound);
    }
}

/// Between two runs of a job that is queued again.
void RankBindingTest::waitingAgainNothingIsKnown()
{
    RankBinding binding = bindingOf({elsewhere, asPlanned, u"+"_s});
    binding.forget();
    QCOMPARE(toText(binding.state()), u"not-reported"_s);
    QVERIFY(!binding.bound() && binding.ranks() == 0 && binding.differing().isEmpty());
    binding.begin(); // a late word of the run before
    QCOMPARE(toText(binding.state()), u"not-reported"_s);
    binding.addReport(*readRankReport(asPlanned));
    QCOMPARE(toText(binding.state()), u"pending"_s);
    QCOMPARE(binding.starts(), 2);
}

void RankBindingTest::isKeptAsJson()
{
    for (const QStringList& lines : {QStringList{}, QStringList{asPlanned}, QStringList{asPlanned, u"+"_s},
             QStringList{elsewhere, asPlanned, u"+"_s, elsewhere}}) {
        const RankBinding binding = bindingOf(lines);
        const auto read = rankBindingFromJson(JsonReader(rankBindingJson(binding)));
        QVERIFY_RESULT(read);
        QVERIFY2(*read == binding, qPrintable(lines.join(u'\n')));
    }
    const auto nobody = rankBindingFromJson(JsonReader(QJsonObject{{u"ranks"_s, u"many"_s}}));
    QVERIFY(!nobody && nobody.error().oneLine().contains(u"$.ranks"_s));
}

void RankBindingTest::ofManyTheFirstAreNamed()
{
    RankBinding binding;
    for (int rank = 0; rank < 4000; ++rank)
        binding.addReport(*readRankReport(
            u"rankwright: rank %1 of 4096 on node n1: cores 0-63 instead of 1-7, device 0"_s.arg(rank)));
    binding.begin();
    QCOMPARE(binding.notAsPlanned(), 4000);
    QCOMPARE(binding.bound(), std::optional(96));
    QCOMPARE(binding.differing().size(), qsizetype(RankBinding::mostKept));
    QVERIFY(rankBindingText(binding).endsWith(u"Rank 7 on n1 is on cores 0-63 instead of 1-7. 3992 more differ."_s));
    const auto read = rankBindingFromJson(JsonReader(rankBindingJson(binding)));
    QVERIFY_RESULT(read);
    QCOMPARE(read->notAsPlanned(), 4000);
    QCOMPARE(rankBindingText(*read), rankBindingText(binding));
}

void RankBindingTest::strangersDoNoHarm()
{
    RankBinding binding;
    for (int rank = 0; rank < 9'000'000; rank += 50'000)
        if (const auto report = readRankReport(
                u"rankwright: rank %1 of 9999999 on node n1: cores 0-63 instead of 1-7, device 0"_s.arg(rank)))
            binding.addReport(*report);
    QVERIFY(binding.notAsPlanned() <= 3); // ranks beyond what any job has
    QVERIFY(!readRankReport(u"rankwright: rank 1 of 4 on node \x1b[31m<b>n1: cores 0, device 0"_s));
}

RANKWRIGHT_TEST_MAIN(RankBindingTest)
#include "tst_rankbinding.moc"
