// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/theme.h"
#include "widgets/plan/paretoplot.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The plot of layouts, as those hear it who do not see it.
class ParetoPlotTest final : public test::Suite {
    Q_OBJECT
private slots:
    void isReadAsATable();
};

void ParetoPlotTest::isReadAsATable()
{
    Theme theme;
    ParetoPlot plot;
    plot.setPoints({{u"b"_s, 0.5, 20, FitVerdict::Fits, true, true, u"a long summary"_s, u"DDP on 2 nodes"_s},
                       {u"a"_s, 0.25, 40, FitVerdict::Probably, false, false, {}, u"FSDP on 4 nodes"_s},
                       {u"none"_s, 0, 40, FitVerdict::Fits, false, false, {}, u"no time is known"_s}},
        u"BU for 1 000 steps"_s);
    plot.select(u"a"_s);
    std::optional<PictureTable> table;
    QString name;
    for (const QWidget* each : plot.findChildren<QWidget*>()) {
        if (table)
            continue;
        table = pictureTableOf(*each);
        name = each->accessibleName();
    }
    QVERIFY(table);
    QCOMPARE(name, u"Layouts by time and cost"_s);
    QCOMPARE(table->columns.value(1), u"BU for 1 000 steps"_s);
    QCOMPARE(table->rows.size(), 2); // what has no place in the plot has none here
    QCOMPARE(table->rows.first().name, u"FSDP on 4 nodes"_s); // from the left, the fastest first
    QCOMPARE(table->rows.first().values.value(2), u"Probably fits"_s);
    QCOMPARE(table->rows.first().values.value(3), u"selected, another is both faster and cheaper"_s);
    QCOMPARE(table->rows.last().values.value(1), u"20"_s);
    QCOMPARE(table->rows.last().values.value(3), u"this design, none is both faster and cheaper"_s);
    for (const PictureTable::Row& row : table->rows)
        QVERIFY(!row.values.contains(u"unknown"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(ParetoPlotTest)
#include "tst_paretoplot.moc"
