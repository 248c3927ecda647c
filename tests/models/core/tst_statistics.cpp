// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/statistics.h"
#include "tests/support/testbase.h"

#include <QList>

#include <array>
#include <span>

using namespace rankwright;

/// Figures counted by hand.
class StatisticsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void medians();
    void theValuesStayInTheirOrder();
    void weightedMedians();
};

void StatisticsTest::medians()
{
    QCOMPARE(median(std::vector<double>{7}), 7.0);
    QCOMPARE(median(std::vector<double>{9, 1, 4}), 4.0);
    QCOMPARE(median(QList<double>{8, 1, 2, 3}), 2.5);
    QCOMPARE(median(std::vector<float>{1, 1, 1, 100}), 1.0F);
    std::array<qint64, 4> some{30, 10, 20, 1000};
    QCOMPARE(median(std::span(some).first(3)), qint64(20));
}

void StatisticsTest::theValuesStayInTheirOrder()
{
    const std::vector<double> values{3, 1, 2};
    QCOMPARE(median(values), 2.0);
    QCOMPARE(values, (std::vector<double>{3, 1, 2}));
}

void StatisticsTest::weightedMedians()
{
    QCOMPARE(weightedMedian<double>({}), 0.0);
    QCOMPARE(weightedMedian<double>({{5, 1}, {1, 1}, {3, 1}}), 3.0);
    QCOMPARE(weightedMedian<double>({{100, 8}, {0, 2}}), 100.0); // eight of ten seconds at 100 %
    QCOMPARE(weightedMedian<double>({{100, 1}, {0, 1}}), 0.0); // half of the weight lies at 0
}

RANKWRIGHT_TEST_MAIN(StatisticsTest)
#include "tst_statistics.moc"
