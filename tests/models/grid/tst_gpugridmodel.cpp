// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/grid/gpugridmodel.h"
#include "models/telemetry/sampling/telemetryfeed.h"
#include "tests/support/testbase.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

NodeTick tick(const QString& node, int gpus, double use = 90)
{
    NodeTick made;
    made.node = node;
    for (int index = 0; index < gpus; ++index) {
        GpuSample gpu;
        gpu.index = index;
        gpu.utilizationPercent = use;
        gpu.memoryUsedBytes = 34359738368; // 32 GiB
        gpu.memoryTotalBytes = 68702699520;
        gpu.temperatureCelsius = 55;
        if (index % 2 == 0)
            gpu.powerWatts = 470;
        gpu.secondaryDie = index % 2 == 1;
        made.gpus.append(gpu);
    }
    return made;
}

} // namespace

class GpuGridModelTest final : public test::Suite {
    Q_OBJECT
private slots:
    void rolesCarryNumbers();
    void unknownIsInvalid();
    void oneSignalPerFlush();
    void goesStaleAndComesBack();
    void growsWithUnknownNodes();
    void brokenTicksChangeNothing();
    void resetsForAnotherJob();
    void outOfRange();
};

void GpuGridModelTest::rolesCarryNumbers()
{
    GpuGridModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.reset({u"n1"_s, u"n2"_s}, 8, 2, u"GCD"_s);
    model.store(tick(u"n2"_s, 8), 1000);
    model.flush(1500);
    const QModelIndex primary = model.index(1, 4);
    QCOMPARE(model.data(primary, GpuGridModel::UtilizationRole).toDouble(), 90.0);
    QCOMPARE(model.data(primary, GpuGridModel::MemoryRole).toDouble(), 32.0);
    QCOMPARE(model.data(primary, GpuGridModel::MemoryTotalRole).toDouble(), 65520.0 / 1024);
    QCOMPARE(model.data(primary, GpuGridModel::PowerRole).toDouble(), 470.0);
    QCOMPARE(model.data(primary, GpuGridModel::TemperatureRole).toDouble(), 55.0);
    QCOMPARE(model.data(primary, GpuGridModel::RankRole).toInt(), 12); // second node of eight
    QCOMPARE(model.data(primary, GpuGridModel::PackageRole).toInt(), 2);
    QCOMPARE(model.data(primary, GpuGridModel::AgeMsRole).toLongLong(), 500LL);
    QCOMPARE(model.data(primary, GpuGridModel::NodeNameRole).toString(), u"n2"_s);
    QCOMPARE(model.data(model.index(1, 5), GpuGridModel::SecondaryDieRole).toBool(), true);
    QCOMPARE(model.headerData(5, Qt::Horizontal, Qt::DisplayRole).toString(), u"GCD 5"_s);
    QCOMPARE(model.headerData(1, Qt::Vertical, Qt::DisplayRole).toString(), u"n2"_s);
}

void GpuGridModelTest::unknownIsInvalid()
{
    GpuGridModel model;
    model.reset({u"n1"_s}, 2, 2, u"GCD"_s);
    model.flush(1000);
    for (const int role : {int(GpuGridModel::UtilizationRole), int(GpuGridModel::MemoryRole),
             int(GpuGridModel::PowerRole), int(GpuGridModel::AgeMsRole), int(Qt::DisplayRole)})
        QVERIFY(!model.data(model.index(0, 0), role).isValid()); // silent from the start
    QCOMPARE(model.data(model.index(0, 0), GpuGridModel::StaleRole).toBool(), false);
    model.store(tick(u"n1"_s, 2), 1000);
    QVERIFY(!model.data(model.index(0, 1), GpuGridModel::PowerRole).isValid()); // told on the other die
    QVERIFY(!model.data(model.index(0, 0), GpuGridModel::PowerCapRole).isValid());
}

void GpuGridModelTest::oneSignalPerFlush()
{
    GpuGridModel model;
    model.reset({u"n1"_s, u"n2"_s, u"n3"_s, u"n4"_s}, 8, 2, u"GCD"_s);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    for (int i = 0; i < 20; ++i) {
        model.store(tick(u"n2"_s, 8), 1000 + i);
        model.store(tick(u"n3"_s, 8), 1000 + i);
    }
    QVERIFY(changed.isEmpty());
    model.flush(1100);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex(), model.index(1, 0));
    QCOMPARE(changed.first().at(1).toModelIndex(), model.index(2, 7));
    model.flush(1200);
    QCOMPARE(changed.size(), 1); // nothing new
}

void GpuGridModelTest::goesStaleAndComesBack()
{
    GpuGridModel model;
    model.reset({u"n1"_s}, 2, 1, u"GPU"_s);
    model.store(tick(u"n1"_s, 2), 1000);
    model.flush(1000);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.flush(7000);
    QCOMPARE(changed.size(), 1); // silence is a change, too
    QVERIFY(model.data(model.index(0, 0), GpuGridModel::StaleRole).toBool());
    QCOMPARE(model.data(model.index(0, 0), GpuGridModel::UtilizationRole).toDouble(), 90.0); // with its age, not zero
    model.store(tick(u"n1"_s, 2), 7500);
    model.flush(7600);
    QVERIFY(!model.data(model.index(0, 0), GpuGridModel::StaleRole).toBool());
}

void GpuGridModelTest::growsWithUnknownNodes()
{
    GpuGridModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy rows(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy columns(&model, &QAbstractItemModel::columnsInserted);
    model.store(tick(u"n1"_s, 4), 1000);
    model.store(tick(u"n2"_s, 2), 1000);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.columnCount(), 4);
    QCOMPARE(rows.size(), 2);
    QCOMPARE(columns.size(), 1);
    model.flush(1000);
    QVERIFY(!model.data(model.index(1, 3), GpuGridModel::UtilizationRole).isValid()); // n2 has no such GPU
}

void GpuGridModelTest::brokenTicksChangeNothing()
{
    GpuGridModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.reset({u"n1"_s}, 1, 1, u"GPU"_s);
    NodeTick huge = tick(u"n2"_s, 1);
    huge.gpus.first().index = 1000000;
    for (const NodeTick& broken : {huge, tick({}, 1), tick(u"n3"_s, 0)})
        model.store(broken, 1);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.columnCount(), 1);
    huge.gpus += tick(u"n2"_s, 2).gpus; // one bad cell does not take the others with it
    model.store(huge, 1);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.columnCount(), 2);
}

void GpuGridModelTest::resetsForAnotherJob()
{
    GpuGridModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.reset({u"n1"_s}, 8, 2, u"GCD"_s);
    model.store(tick(u"n1"_s, 8), 1000);
    model.reset({u"g1"_s, u"g1"_s, u"g2"_s}, 4, 0, u"GPU"_s);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.gpusPerPackage(), 1); // never divided by zero
    model.flush(9999999);
    QVERIFY(!model.data(model.index(0, 0), GpuGridModel::UtilizationRole).isValid());
    model.reset({}, -3, 1, u"GPU"_s);
    QCOMPARE(model.columnCount(), 0);
    model.flush(1);
}

void GpuGridModelTest::outOfRange()
{
    GpuGridModel model, other;
    model.reset({u"n1"_s}, 2, 1, u"GPU"_s);
    other.reset({u"n1"_s, u"n2"_s}, 4, 1, u"GPU"_s);
    QVERIFY(!model.data({}, GpuGridModel::RankRole).isValid());
    QVERIFY(!model.data(other.index(1, 3), GpuGridModel::RankRole).isValid());
    QVERIFY(!model.index(1, 0).isValid() && !model.index(0, 2).isValid());
    for (const int section : {-1, 2, 100}) {
        QVERIFY(!model.headerData(section, Qt::Horizontal, Qt::DisplayRole).isValid());
        QVERIFY(!model.headerData(section, Qt::Vertical, Qt::DisplayRole).isValid());
    }
    QCOMPARE(model.rowCount(model.index(0, 0)), 0);
    QCOMPARE(model.columnCount(model.index(0, 0)), 0);
}

RANKWRIGHT_TEST_MAIN(GpuGridModelTest)
#include "tst_gpugridmodel.moc"
