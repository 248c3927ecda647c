// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/samplegaps.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/history/historyplot.h"
#include "widgets/live/livehistorycard.h"

#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 begin = 1'772'460'000'000;
constexpr qint64 length = 7'200'000; // two hours

std::shared_ptr<MemoryHistory> twoHours()
{
    auto history = std::make_shared<MemoryHistory>(QStringList{u"n1"_s, u"n2"_s}, 2);
    for (qint64 at = 0; at <= length; at += 5000) {
        for (const QString& node : history->nodes()) {
            NodeTick tick{node, begin + at, {}};
            for (int gpu = 0; gpu < 2; ++gpu) {
                GpuSample sample;
                sample.index = gpu;
                sample.utilizationPercent = node == u"n1"_s ? 90 : 40;
                tick.gpus.append(sample);
            }
            history->store(tick);
        }
    }
    return history;
}

HistoryLine lineOf(int node, int category = 0)
{
    return {{node, 0}, u"rank %1 · n%2"_s.arg(node * 2).arg(node + 1), u"rank %1"_s.arg(node * 2), category};
}

struct Bench {
    Bench()
    {
        plot.resize(500, 260);
        plot.setScales([](Measure) { return MeasureScale{}; });
        plot.setHistory(twoHours(), 1);
        plot.setLines({lineOf(0)});
        plot.show();
    }
    bool settle()
    {
        return test::comes([this] { return plot.isComplete(); });
    }
    HistoryPlot plot;
};

} // namespace

/// Curves with zoom, comparison and words.
class HistoryPlotTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void beginsWithTheLastMinutes();
    void wheelZoomsAroundThePointer();
    void dragChoosesAStretch();
    void doubleClickShowsAll();
    void keysZoomAndMove();
    void staysWithinWhatWasRecorded();
    void clickNamesAMoment();
    void replayLooksAroundItsMoment();
    void saysItInWords();
    void figureIsTheValueAndMeansSaySo();
    void gapsAreDrawnAsTheyAreCounted();
    void comparesPins();
    void nothingRecordedIsSaid();

private:
    std::unique_ptr<Theme> m_theme;
};

void HistoryPlotTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void HistoryPlotTest::beginsWithTheLastMinutes()
{
    Bench bench;
    QCOMPARE(bench.plot.span().length(), HistoryPlot::recentMs);
    QVERIFY(qAbs(bench.plot.span().toMs - (begin + length)) <= 1000);
    QVERIFY(bench.settle());
    const QList<HistoryBucket> curve = bench.plot.curves().curve({{0, 0}, Measure::Utilization});
    QVERIFY(!curve.isEmpty());
    QCOMPARE(curve.last().mean, 90.0F);
}

void HistoryPlotTest::wheelZoomsAroundThePointer()
{
    Bench bench;
    bench.plot.showRange(HistoryPlot::Range::All);
    const TimeSpan all = bench.plot.span();
    const QPointF middle(292, 100);
    QWheelEvent turn(middle, bench.plot.mapToGlobal(middle), {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier,
        Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&bench.plot, &turn);
    const TimeSpan nearer = bench.plot.span();
    QCOMPARE(bench.plot.range(), HistoryPlot::Range::Chosen);
    QVERIFY(qAbs(double(nearer.length()) / double(all.length()) - 0.8) < 0.01);
    const qint64 middleBefore = (all.fromMs + all.toMs) / 2;
    QVERIFY(qAbs((nearer.fromMs + nearer.toMs) / 2 - middleBefore) < all.length() / 50);
}

void HistoryPlotTest::dragChoosesAStretch()
{
    Bench bench;
    bench.plot.showRange(HistoryPlot::Range::All);
    const TimeSpan all = bench.plot.span();
    QTest::mousePress(&bench.plot, Qt::LeftButton, {}, QPoint(188, 100)); // the plot spans 84 to 498
    QTest::mouseMove(&bench.plot, QPoint(291, 100));
    QTest::mouseRelease(&bench.plot, Qt::LeftButton, {}, QPoint(291, 100));
    const TimeSpan chosen = bench.plot.span();
    QVERIFY(qAbs(double(chosen.fromMs - all.fromMs) / double(all.length()) - 0.25) < 0.01);
    QVERIFY(qAbs(double(chosen.toMs - all.fromMs) / double(all.length()) - 0.5) < 0.01);
}

void HistoryPlotTest::doubleClickShowsAll()
{
    Bench bench;
    QTest::mouseDClick(&bench.plot, Qt::LeftButton, {}, QPoint(200, 100));
    QCOMPARE(bench.plot.range(), HistoryPlot::Range::All);
    QVERIFY(bench.plot.span().length() >= length);
}

void HistoryPlotTest::keysZoomAndMove()
{
    Bench bench;
    QTest::keyClick(&bench.plot, Qt::Key_0);
    const qint64 all = bench.plot.span().length();
    QTest::keyClick(&bench.plot, Qt::Key_Plus);
    QTest::keyClick(&bench.plot, Qt::Key_Plus);
    const TimeSpan before = bench.plot.span();
    QVERIFY(before.length() < all * 7 / 10);
    QTest::keyClick(&bench.plot, Qt::Key_Left);
    QVERIFY(bench.plot.span().fromMs < before.fromMs);
    QCOMPARE(bench.plot.span().length(), before.length());
    QTest::keyClick(&bench.plot, Qt::Key_End);
    QCOMPARE(bench.plot.range(), HistoryPlot::Range::Recent);
}

void HistoryPlotTest::staysWithinWhatWasRecorded()
{
    Bench bench;
    bench.plot.showSpan({begin - 5'000'000, begin - 4'000'000});
    QVERIFY(bench.plot.span().fromMs >= begin);
    bench.plot.showSpan({begin, begin + 10});
    QCOMPARE(bench.plot.span().length(), HistoryPlot::shortestMs);
    bench.plot.showSpan({begin - length, begin + 5 * length});
    QCOMPARE(bench.plot.range(), HistoryPlot::Range::All);
}

void HistoryPlotTest::clickNamesAMoment()
{
    Bench bench;
    bench.plot.showRange(HistoryPlot::Range::All);
    QSignalSpy picked(&bench.plot, &HistoryPlot::momentPicked);
    QTest::mouseClick(&bench.plot, Qt::LeftButton, {}, QPoint(291, 100));
    QCOMPARE(picked.size(), 1);
    QVERIFY(qAbs(picked.first().first().toLongLong() - (begin + length / 2)) < length / 100);
}

void HistoryPlotTest::replayLooksAroundItsMoment()
{
    Bench bench;
    bench.plot.setMoment(begin + length / 2);
    const TimeSpan around = bench.plot.span();
    QVERIFY(around.fromMs < begin + length / 2 && around.toMs > begin + length / 2);
    bench.plot.setMoment({});
    QVERIFY(bench.plot.span().toMs >= begin + length);
}

void HistoryPlotTest::saysItInWords()
{
    Bench bench;
    QVERIFY(bench.settle());
    const QString words = bench.plot.accessibleDescription();
    QVERIFY2(words.contains(QRegularExpression(u"rank 0 · n1, Utilisation: mean of 10.min 90"_s)), qPrintable(words));
    QVERIFY2(words.contains(u"Power: not reported"_s), qPrintable(words));
}

/// 7 % beside the map's 37 %: the figure is the GPU's value at the moment that is shown; the curve's, under the
/// pointer, is a mean and says of what.
void HistoryPlotTest::figureIsTheValueAndMeansSaySo()
{
    Bench bench;
    bench.plot.setValues(
        [](const HistorySubject& subject, Measure measure) {
            GpuValue value;
            value.takenMs = begin + length;
            value.value = measure == Measure::Utilization ? std::optional(37.0) : std::nullopt;
            value.gpus = subject.gpu ? 1 : 4;
            return value;
        },
        u"GCD"_s);
    QVERIFY(bench.settle());
    QCOMPARE(bench.plot.figure(Measure::Utilization).text, figureWithUnit(Measure::Utilization, 37.0));
    QVERIFY(bench.plot.figure(Measure::Utilization).made.isEmpty());
    QCOMPARE(bench.plot.figure(Measure::Power).text, u"–"_s);
    QVERIFY2(bench.plot.accessibleDescription().contains(u"Utilisation: 37"_s),
        qPrintable(bench.plot.accessibleDescription()));
    HistoryLine node = lineOf(0);
    node.subject.gpu.reset();
    bench.plot.setLines({node});
    QCOMPARE(bench.plot.figure(Measure::Utilization).made, u"mean of 4 GCDs"_s);
    bench.plot.setLines({lineOf(0)});
    bench.plot.showRange(HistoryPlot::Range::All);
    QVERIFY(bench.settle());
    QTest::mouseMove(&bench.plot, QPoint(300, 40));
    QCoreApplication::processEvents();
    const HistoryFigure there = bench.plot.figure(Measure::Utilization);
    QCOMPARE(there.text, figureWithUnit(Measure::Utilization, 90.0));
    QVERIFY2(there.made.startsWith(u"mean of "_s), qPrintable(there.made));
}

/// Nine hatched gaps over "2 gaps, 10 s": a hole is hatched when it is one of those that are counted.
void HistoryPlotTest::gapsAreDrawnAsTheyAreCounted()
{
    MemoryHistory history({u"n1"_s}, 1);
    const auto store = [&](qint64 second) {
        NodeTick tick{u"n1"_s, begin + second * 1000, {GpuSample{}}};
        tick.gpus.first().utilizationPercent = 50;
        history.store(tick);
    };
    qint64 second = 0;
    for (int run = 0; run < 9; ++run) { // pauses of 4 s, two of 6 s
        for (int step = 0; step < 30; ++step)
            store(second++);
        second += run == 3 || run == 6 ? 6 : 3;
    }
    for (int step = 0; step < 30; ++step)
        store(second++);
    const QList<TimeSpan> gaps = gapsWithin(history);
    QCOMPARE(gaps.size(), 2);
    QCOMPARE(gapsText(gaps), u"2 gaps, 14\u2009s in all"_s);
    for (const int buckets : {20, 60, 300, 600}) {
        const QList<HistoryBucket> curve
            = history.buckets({0, 0}, Measure::Utilization, {begin, begin + 600'000}, buckets);
        const QList<TimeSpan> drawn = holesOf(curve, gaps, gapLongerThanMs(usualIntervalMs(history)));
        QVERIFY2(drawn.size() <= gaps.size(), qPrintable(QString::number(buckets)));
        if (buckets >= 300)
            QCOMPARE(drawn, gaps);
        QCOMPARE(piecesOf(curve, drawn).size(), drawn.size() + 1);
    }
}

void HistoryPlotTest::comparesPins()
{
    GpuGrid grid;
    grid.reset({u"n1"_s, u"n2"_s}, 2, 1, u"GPU"_s);
    LiveHistoryCard card(grid);
    card.resize(420, 320);
    card.show();
    card.setHistory(twoHours());
    card.showGpu(GpuAddress{0, 0});
    QCOMPARE(card.plot().lines().size(), 1);
    QVERIFY(card.plot().lines().first().name.contains(u"n1"_s));
    card.setPins({{1, 0}, {1, {}}});
    QCOMPARE(card.plot().lines().size(), 3);
    QVERIFY(card.plot().lines().at(1).category != card.plot().lines().at(2).category);
    QList<HistorySubject> many;
    for (int pin = 0; pin < 9; ++pin)
        many.append({pin % 2, pin});
    card.setPins(many);
    QVERIFY(card.plot().lines().size() <= 7); // six, and the selected one
    card.plot().setArrangement(HistoryPlot::Arrangement::SideBySide);
    QVERIFY(test::comes([&card] { return card.plot().isComplete(); }));
    QVERIFY(!card.grab().isNull());
    QSignalSpy cleared(&card, &LiveHistoryCard::pinsCleared);
    QMenu* menu = card.findChild<QToolButton*>()->menu();
    emit menu->aboutToShow();
    for (QAction* action : menu->actions()) {
        if (action->text() == u"Compare nothing"_s)
            action->trigger();
    }
    QCOMPARE(cleared.size(), 1);
}

void HistoryPlotTest::nothingRecordedIsSaid()
{
    HistoryPlot plot;
    plot.resize(300, 200);
    plot.show();
    QVERIFY(!plot.grab().isNull());
    plot.setHistory(std::make_shared<MemoryHistory>(), 1);
    plot.setLines({lineOf(0)});
    QCOMPARE(plot.span().length(), 0);
    QVERIFY(!plot.grab().isNull());
    QTest::keyClick(&plot, Qt::Key_Plus); // nothing to zoom into
}

RANKWRIGHT_WIDGET_TEST_MAIN(HistoryPlotTest)
#include "tst_historyplot.moc"
