// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/plotting.h"
#include "widgets/base/theme.h"
#include "widgets/history/lossplot.h"

#include <QApplication>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The loss over the steps.
class LossPlotTest final : public test::Suite {
    Q_OBJECT
private slots:
    void stepsAreWhole_data();
    void stepsAreWhole();

private:
    Theme m_theme;
};

void LossPlotTest::stepsAreWhole_data()
{
    QTest::addColumn<int>("last");
    for (const int last : {1, 2, 3, 4, 7, 11, 12, 13, 60, 1000, 123456})
        QTest::addRow("%d steps", last) << last;
}

/// Of a job of three steps the axis named step 0.5, of one of twelve step 2.5.
void LossPlotTest::stepsAreWhole()
{
    QFETCH(int, last);
    LossPlot plot;
    QList<LossPoint> losses;
    for (int i = 0; i <= 12; ++i)
        losses.append({std::round(last * i / 12.0), 2.0 - i * 0.1});
    plot.setLosses(losses);
    plot.resize(420, 240);
    plot.show();
    QApplication::processEvents();
    auto* drawn = plot.findChild<QCustomPlot*>();
    QVERIFY(drawn != nullptr);
    drawn->replot();
    const QVector<double> ticks = drawn->xAxis->tickVector();
    QVERIFY(ticks.size() >= 2 && ticks.size() <= 12);
    for (const double tick : ticks)
        QCOMPARE(tick, std::round(tick));
    QStringList labels = drawn->xAxis->tickVectorLabels();
    QCOMPARE(labels.removeDuplicates(), 0);
}

RANKWRIGHT_WIDGET_TEST_MAIN(LossPlotTest)
#include "tst_lossplot.moc"
