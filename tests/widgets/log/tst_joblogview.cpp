// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/synthetic.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/history/lossplot.h"
#include "widgets/log/joblogview.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>

using namespace rankwright;
using namespace rankwright::shots;

namespace {
constexpr qint64 now = 1'772'460'751'000;
} // namespace

/// The log and the plots of a running job.
class JobLogViewTest final : public test::Suite {
    Q_OBJECT
private slots:
    void logReplacesProgressInPlace();
    void logIsBoundedAndPlain();
    void logFilters();
    void lossTrends_data();
    void lossTrends();

private:
    Theme m_theme;
};

void JobLogViewTest::logReplacesProgressInPlace()
{
    JobLogView log;
    log.append({{u"start"_s, 0, false, false}, {u" 1%"_s, 0, false, true}, {u" 2%"_s, 0, false, true}});
    log.append({{u" 3%"_s, 0, false, true}});
    QCOMPARE(log.shownText(), u"start\n 3%"_s);
    log.append({{u" 9%"_s, 1, false, true}, {u"done"_s, 0, false, false}}); // another rank's bar is its own line
    QCOMPARE(log.shownText(), u"start\n 3%\n 9%\ndone"_s);
    QCOMPARE(log.lineCount(), 4);
}

void JobLogViewTest::logIsBoundedAndPlain()
{
    JobLogView log;
    QList<LogLine> many;
    for (int line = 0; line < JobLogView::maxLines + 500; ++line)
        many.append({u"line %1"_s.arg(line), {}, false, false});
    log.append(many);
    QCOMPARE(log.lineCount(), qsizetype(JobLogView::maxLines));
    QVERIFY(!log.shownText().startsWith(u"line 0\n"_s));
    QVERIFY(log.shownText().endsWith(u"line %1"_s.arg(JobLogView::maxLines + 499)));
    log.append({{u"<b>not bold</b> <img src=x>"_s, 3, true, false}});
    QVERIFY(log.shownText().endsWith(u"<b>not bold</b> <img src=x>"_s));
}

void JobLogViewTest::logFilters()
{
    JobLogView log;
    log.append({{u"a"_s, 0, false, false}, {u"b"_s, 21, false, false}, {u"srun: c"_s, {}, false, false}});
    log.setRankFilter(21);
    QCOMPARE(log.shownText(), u"b\nsrun: c"_s); // what belongs to no rank may concern every one
    log.append({{u"d"_s, 0, false, false}, {u"e"_s, 21, true, false}});
    QCOMPARE(log.shownText(), u"b\nsrun: c\ne"_s);
    log.setRankFilter({});
    QCOMPARE(log.shownText(), u"a\nb\nsrun: c\nd\ne"_s);
    auto* ranks = log.controls()->findChild<QComboBox*>();
    QCOMPARE(ranks->count(), 3);
    QCOMPARE(ranks->itemText(2), u"rank 21"_s);
}

void JobLogViewTest::lossTrends_data()
{
    QTest::addColumn<QList<LossPoint>>("losses");
    QTest::addColumn<bool>("known");
    QTest::addColumn<double>("change");
    QList<LossPoint> falling;
    QList<LossPoint> flat;
    for (int step = 0; step <= 400; step += 10) {
        falling.append({double(step), 5 - 0.001 * step});
        flat.append({double(step), 2});
    }
    QTest::newRow("none") << QList<LossPoint>() << false << 0.0;
    QTest::newRow("too few") << falling.first(5) << false << 0.0;
    QTest::newRow("0.001 per step") << falling << true << -0.1;
    QTest::newRow("flat") << flat << true << 0.0;
}

void JobLogViewTest::lossTrends()
{
    QFETCH(QList<LossPoint>, losses);
    QFETCH(bool, known);
    QFETCH(double, change);
    const std::optional<LossTrend> trend = lossTrend(losses);
    QCOMPARE(trend.has_value(), known);
    if (known) {
        QCOMPARE(trend->steps, 100.0);
        QVERIFY2(std::abs(trend->change - change) < 0.012, qPrintable(QString::number(trend->change)));
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(JobLogViewTest)
#include "tst_joblogview.moc"
