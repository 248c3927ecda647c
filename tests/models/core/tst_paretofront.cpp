// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/paretofront.h"
#include "tests/support/testbase.h"

#include <algorithm>
#include <limits>
#include <random>

using namespace rankwright;
using namespace Qt::StringLiterals;

class ParetoFrontTest final : public test::Suite {
    Q_OBJECT
private slots:
    void front_data();
    void front();
    void isWhatComparingAllGives();
};

void ParetoFrontTest::front_data()
{
    using Choices = std::vector<TimeAndMoney>;
    using Front = std::vector<std::size_t>;
    const double unknown = std::numeric_limits<double>::infinity();
    QTest::addColumn<Choices>("choices");
    QTest::addColumn<Front>("expected");
    QTest::newRow("none") << Choices{} << Front{};
    QTest::newRow("one") << Choices{{10, 1}} << Front{0};
    QTest::newRow("fastest first") << Choices{{30, 1}, {10, 3}, {20, 2}} << Front{1, 2, 0};
    QTest::newRow("beaten in both") << Choices{{10, 1}, {20, 2}} << Front{0};
    QTest::newRow("as fast, dearer") << Choices{{10, 2}, {10, 1}} << Front{1};
    QTest::newRow("the same cost within one per cent") << Choices{{10, 100}, {20, 99.5}, {30, 98}} << Front{0, 2};
    QTest::newRow("no price: the fastest alone") << Choices{{10, unknown}, {20, unknown}} << Front{};
    QTest::newRow("equal: the first") << Choices{{10, 1}, {10, 1}} << Front{0};
}

void ParetoFrontTest::front()
{
    QFETCH(std::vector<TimeAndMoney>, choices);
    QFETCH(std::vector<std::size_t>, expected);
    QCOMPARE(paretoFront(choices, 0.01), expected);
}

void ParetoFrontTest::isWhatComparingAllGives()
{
    std::mt19937 random(3);
    std::uniform_int_distribution<int> figure(1, 40);
    for (int round = 0; round < 200; ++round) {
        std::vector<TimeAndMoney> choices(std::size_t(figure(random)));
        for (TimeAndMoney& one : choices)
            one = {double(figure(random)), double(figure(random))};
        std::vector<std::size_t> expected;
        for (std::size_t index = 0; index < choices.size(); ++index) {
            const TimeAndMoney& one = choices[index];
            const bool beaten = std::any_of(choices.begin(), choices.end(), [&](const TimeAndMoney& other) {
                const bool same = other.seconds == one.seconds && other.money == one.money;
                return (other.seconds <= one.seconds && other.money <= one.money && !same) || (same && &other < &one);
            });
            if (!beaten)
                expected.push_back(index);
        }
        std::sort(expected.begin(), expected.end(),
            [&](std::size_t a, std::size_t b) { return choices[a].seconds < choices[b].seconds; });
        QCOMPARE(paretoFront(choices, 1e-9), expected);
    }
}

RANKWRIGHT_TEST_MAIN(ParetoFrontTest)
#include "tst_paretofront.moc"
