// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/outlierscore.h"
#include "tests/support/testbase.h"

#include <cmath>
#include <limits>

using namespace rankwright;

class OutlierScoreTest final : public test::Suite {
    Q_OBJECT
private slots:
    void fewHaveNone();
    void usesTheRobustDeviation();
    void smallDifferencesDoNotMatter();
    void unknownScoresNothing();
};

void OutlierScoreTest::fewHaveNone()
{
    const OutlierScores scores = outlierScores({1, 2, 90}, [](float) { return 1.0F; });
    QVERIFY(!scores.typical);
    QCOMPARE(scores.scores, std::vector<float>(3, 0));
}

void OutlierScoreTest::usesTheRobustDeviation()
{
    // Median 3, absolute deviations 2, 1, 0, 1, 97: their median is 1.
    const OutlierScores scores = outlierScores({1, 2, 3, 4, 100}, [](float) { return 0.0F; });
    QCOMPARE(*scores.typical, 3.0F);
    QCOMPARE(scores.scores.at(4), 97 / 1.4826F);
    QCOMPARE(scores.scores.at(2), 0.0F);
}

void OutlierScoreTest::smallDifferencesDoNotMatter()
{
    float asked = 0;
    const OutlierScores scores = outlierScores({50, 50, 50, 50, 55}, [&asked](float typical) {
        asked = typical;
        return 5.0F;
    });
    QCOMPARE(asked, 50.0F);
    QCOMPARE(scores.scores.at(4), 1.0F);
}

void OutlierScoreTest::unknownScoresNothing()
{
    const float unknown = std::numeric_limits<float>::quiet_NaN();
    const OutlierScores scores = outlierScores({unknown, 1, 1, 1, 1, unknown}, [](float) { return 1.0F; });
    QCOMPARE(*scores.typical, 1.0F);
    QCOMPARE(scores.scores, std::vector<float>(6, 0));
}

RANKWRIGHT_TEST_MAIN(OutlierScoreTest)
#include "tst_outlierscore.moc"
