// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/recordmodel.h"
#include "tests/support/testbase.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

struct Star {
    QString name;
    double magnitude = 0;
    bool operator==(const Star&) const = default;
};

QList<RecordModel<Star>::Column> columns()
{
    RecordModel<Star>::Column name, magnitude;
    name.title = u"Name"_s;
    name.text = [](const Star& star) { return star.name; };
    magnitude.title = u"Magnitude"_s;
    magnitude.text = [](const Star& star) { return QString::number(star.magnitude); };
    magnitude.sort = [](const Star& star) { return QVariant(star.magnitude); };
    magnitude.tone = [](const Star& star) { return star.magnitude < 0 ? Tone::Good : Tone::Plain; };
    magnitude.toolTip = [](const Star&) { return u"smaller is brighter"_s; };
    magnitude.alignment = Qt::AlignRight;
    return {name, magnitude};
}

class StarModel final : public RecordModel<Star> {
public:
    StarModel() : RecordModel<Star>(columns(), [](const Star& star) { return star.name; }) { }
};

QStringList names(const StarModel& model)
{
    QStringList all;
    for (const Star& star : model.records())
        all.append(star.name);
    return all;
}

} // namespace

class RecordModelTest final : public test::Suite {
    Q_OBJECT
private slots:
    void cellsAndHeaders();
    void updatesInPlace();
    void keepsOrderAndIdentity();
    void mixedChangesKeepEveryRow();
    void outOfRange();
};

void RecordModelTest::cellsAndHeaders()
{
    StarModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.assign({{u"Sirius"_s, -1.46}, {u"Vega"_s, 0.03}});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.columnCount(), 2);
    const QModelIndex cell = model.index(0, 1);
    QCOMPARE(model.data(cell, Qt::DisplayRole).toString(), u"-1.46"_s);
    QCOMPARE(model.data(cell, SortRole).toDouble(), -1.46);
    QCOMPARE(model.data(cell, ToneRole).toInt(), int(Tone::Good));
    QCOMPARE(model.data(cell, RecordIdRole).toString(), u"Sirius"_s);
    QCOMPARE(model.data(cell, Qt::ToolTipRole).toString(), u"smaller is brighter"_s);
    QCOMPARE(model.data(model.index(1, 0), SortRole).toString(), u"Vega"_s);
    QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), u"Magnitude"_s);
    QCOMPARE(model.at(cell)->name, u"Sirius"_s);
}

void RecordModelTest::updatesInPlace()
{
    StarModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.assign({{u"Sirius"_s, -1.46}, {u"Vega"_s, 0.03}, {u"Rigel"_s, 0.13}});
    const QPersistentModelIndex rigel = model.index(2, 0);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy added(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.assign({{u"Vega"_s, 0.03}, {u"Rigel"_s, 0.2}, {u"Deneb"_s, 1.25}});
    QCOMPARE(names(model), QStringList({u"Vega"_s, u"Rigel"_s, u"Deneb"_s}));
    QCOMPARE(removed.size(), 1);
    QCOMPARE(added.size(), 1);
    QCOMPARE(changed.size(), 1); // Vega is as it was
    QVERIFY(reset.isEmpty());
    QCOMPARE(rigel.row(), 1); // selections follow
    model.upsert({u"Rigel"_s, 0.2});
    QCOMPARE(changed.size(), 1);
    model.assign({});
    QCOMPARE(model.rowCount(), 0);
}

void RecordModelTest::keepsOrderAndIdentity()
{
    StarModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.assign({{u"a"_s, 1}, {u"b"_s, 2}, {u"c"_s, 3}, {u"d"_s, 4}, {u"e"_s, 5}});
    const QPersistentModelIndex b = model.index(1, 0), e = model.index(4, 0);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy added(&model, &QAbstractItemModel::rowsInserted);
    // What is known keeps its place whatever its place in the new list; what is new comes behind, in the list's order.
    model.assign({{u"e"_s, 5}, {u"y"_s, 7}, {u"b"_s, 9}, {u"x"_s, 6}, {u"y"_s, 8}});
    QCOMPARE(names(model), QStringList({u"b"_s, u"e"_s, u"y"_s, u"x"_s}));
    QCOMPARE(model.records().at(2).magnitude, 8.0); // of two with one id the last
    QCOMPARE(removed.size(), 2); // c and d are together
    QCOMPARE(added.size(), 1);
    QCOMPARE(changed.size(), 1); // b
    QCOMPARE(b.row(), 0);
    QCOMPARE(e.row(), 1);
    for (int row = 0; row < model.rowCount(); ++row)
        QCOMPARE(model.rowOf(model.records().at(row).name), row);
    QCOMPARE(model.rowOf(u"c"_s), -1);
    model.upsert({u"z"_s, 1});
    QCOMPARE(model.rowOf(u"z"_s), 4);
    model.assign({});
    QCOMPARE(model.rowOf(u"b"_s), -1);
}

void RecordModelTest::mixedChangesKeepEveryRow()
{
    StarModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    // Every third goes, every fifth changes, as many come: as `sacct` reports jobs again.
    QList<Star> stars;
    for (int i = 0; i < 300; ++i)
        stars.append({QString::number(i), double(i)});
    model.assign(stars);
    QStringList expected;
    QList<Star> next;
    for (int i = 0; i < 300; ++i) {
        if (i % 3 == 0)
            continue;
        next.prepend({QString::number(i), i % 5 == 0 ? -1.0 : double(i)});
        expected.append(QString::number(i));
    }
    for (int i = 300; i < 400; ++i) {
        next.append({QString::number(i), double(i)});
        expected.append(QString::number(i));
    }
    model.assign(next);
    QCOMPARE(names(model), expected);
    for (const Star& star : model.records())
        QCOMPARE(star.magnitude, star.name.toInt() < 300 && star.name.toInt() % 5 == 0 ? -1.0 : star.name.toDouble());
}

void RecordModelTest::outOfRange()
{
    StarModel model, other;
    model.assign({{u"Sirius"_s, -1.46}});
    other.assign({{u"Vega"_s, 0.03}, {u"Rigel"_s, 0.13}});
    QVERIFY(!model.data({}, Qt::DisplayRole).isValid());
    QVERIFY(!model.index(1, 0).isValid() && !model.index(0, 2).isValid() && !model.index(-1, 0).isValid());
    QVERIFY(!model.data(other.index(1, 0), Qt::DisplayRole).isValid()); // an index of another model
    QVERIFY(!model.headerData(2, Qt::Horizontal, Qt::DisplayRole).isValid());
    QVERIFY(!model.headerData(-1, Qt::Horizontal, Qt::DisplayRole).isValid());
    QVERIFY(!model.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
    QCOMPARE(model.rowCount(model.index(0, 0)), 0); // a table is not a tree
    QCOMPARE(model.columnCount(model.index(0, 0)), 0);
    QCOMPARE(model.rowOf(u"Vega"_s), -1);
    QVERIFY(!model.data(model.index(0, 0), Qt::DecorationRole).isValid());
}

RANKWRIGHT_TEST_MAIN(RecordModelTest)
#include "tst_recordmodel.moc"
