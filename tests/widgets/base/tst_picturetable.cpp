// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/stackedbar.h"
#include "widgets/base/theme.h"

#include <QAccessible>

#include <limits>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// A painted picture is read as a table.
class PictureTableTest final : public test::Suite {
    Q_OBJECT
private slots:
    void isReadAsATable();
    void saysWhatIsNotKnown();
    void followsThePicture();
    void aWidgetWithoutOneHasNone();
    void readsAStackedBar();

private:
    Theme m_theme;
};

void PictureTableTest::isReadAsATable()
{
    QWidget picture;
    picture.setAccessibleName(u"Memory"_s);
    describeAsTable(picture, [] {
        return PictureTable{{u"Size"_s, u"Share"_s}, {{u"weights"_s, {u"14 GiB"_s, u"30 %"_s}}}};
    });
    QAccessibleInterface* whole = QAccessible::queryAccessibleInterface(&picture);
    QVERIFY(whole);
    QCOMPARE(whole->role(), QAccessible::Table);
    QCOMPARE(whole->text(QAccessible::Name), u"Memory"_s);
    QAccessibleTableInterface* table = whole->tableInterface();
    QVERIFY(table);
    QCOMPARE(table->rowCount(), 1);
    QCOMPARE(table->columnCount(), 2);
    QCOMPARE(table->rowDescription(0), u"weights"_s);
    QCOMPARE(table->columnDescription(1), u"Share"_s);
    QAccessibleInterface* cell = table->cellAt(0, 1);
    QVERIFY(cell);
    QCOMPARE(cell->text(QAccessible::Name), u"30 %"_s);
    QCOMPARE(cell->text(QAccessible::Description), u"weights, Share"_s);
    QVERIFY(!table->cellAt(1, 0));
}

void PictureTableTest::saysWhatIsNotKnown()
{
    QWidget picture;
    describeAsTable(picture, [] { return PictureTable{{u"A"_s, u"B"_s, u"C"_s}, {{u"row"_s, {u"1 s"_s, u" "_s}}}}; });
    const auto table = pictureTableOf(picture);
    QVERIFY(table);
    QCOMPARE(table->rows.first().values, (QStringList{u"1 s"_s, u"unknown"_s, u"unknown"_s}));
}

void PictureTableTest::followsThePicture()
{
    QWidget picture;
    int rows = 2;
    describeAsTable(picture, [&rows] {
        PictureTable table{{u"A"_s}, {}};
        for (int row = 0; row < rows; ++row)
            table.rows.append({QString::number(row), {QString::number(row * 10)}});
        return table;
    });
    QAccessibleTableInterface* table = QAccessible::queryAccessibleInterface(&picture)->tableInterface();
    QAccessibleInterface* last = table->cellAt(1, 0);
    QCOMPARE(last->text(QAccessible::Name), u"10"_s);
    rows = 1; // a reader still holds the cell
    QCOMPARE(table->rowCount(), 1);
    QVERIFY(!last->isValid());
    QVERIFY(last->text(QAccessible::Name).isEmpty());
    rows = 3;
    QCOMPARE(table->cellAt(2, 0)->text(QAccessible::Name), u"20"_s);
}

void PictureTableTest::aWidgetWithoutOneHasNone()
{
    QWidget plain;
    QVERIFY(!pictureTableOf(plain));
    QVERIFY(!QAccessible::queryAccessibleInterface(&plain)->tableInterface());
}

void PictureTableTest::readsAStackedBar()
{
    StackedBar bar(u"Memory of the fullest rank"_s);
    StackedBarData data;
    data.parts = {{u"weights"_s, 14, 0, u"2 bytes each"_s},
        {u"activations"_s, std::numeric_limits<double>::quiet_NaN(), 1, u"kept for the backward pass"_s}};
    data.limit = 63.9;
    data.unit = u"GiB"_s;
    bar.setData(data, u"fits"_s);
    const auto table = pictureTableOf(bar);
    QVERIFY(table);
    QCOMPARE(table->rows.at(0).name, u"weights"_s);
    QCOMPARE(table->rows.at(0).values, (QStringList{u"14 GiB"_s, u"2 bytes each"_s}));
    // Neither a part nor a sum that is not known is a number.
    QCOMPARE(table->rows.at(1).values.first(), u"unknown"_s);
    QCOMPARE(table->rows.at(2).values.first(), u"unknown"_s);
    QCOMPARE(table->rows.last().name, u"Limit"_s);
    QVERIFY(table->rows.last().values.first().contains(u"63.9"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(PictureTableTest)
#include "tst_picturetable.moc"
