// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/liveexporter.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 begin = 1'772'460'000'000;

MemoryHistory minuteOf(int gpus)
{
    MemoryHistory history({u"n1"_s}, gpus);
    for (int second = 0; second < 60; ++second) {
        NodeTick tick{u"n1"_s, begin + second * 1000, {}};
        for (int gpu = 0; gpu < gpus; ++gpu) {
            GpuSample sample;
            sample.index = gpu;
            sample.utilizationPercent = 50;
            tick.gpus.append(sample);
        }
        history.store(tick);
    }
    return history;
}

} // namespace

/// What the export menu writes: whole or not at all.
class LiveExporterTest final : public test::Suite {
    Q_OBJECT
private slots:
    void writesRowsOfTheSpan();
    void typedCsvHasItsSchema();
    void stoppedLeavesNothing();
    void unwritableIsSaid();
};

void LiveExporterTest::writesRowsOfTheSpan()
{
    QTemporaryDir folder;
    const MemoryHistory history = minuteOf(4);
    ExportRequest request;
    request.span = {begin, begin + 30'000};
    std::atomic<bool> cancelled = false;
    std::atomic<qint64> written = 0;
    const QString name = folder.filePath(u"x.csv"_s);
    const auto rows = exportToFile(history, request, name, cancelled, written);
    QVERIFY(rows);
    QCOMPARE(*rows, 120); // 30 s of 4 GPUs
    QFile file(name);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.size(), written.load());
    QCOMPARE(file.readAll().count('\n'), 121); // with the headings
}

void LiveExporterTest::typedCsvHasItsSchema()
{
    QTemporaryDir folder;
    const MemoryHistory history = minuteOf(1);
    ExportRequest request;
    request.format = ExportFormat::TypedCsv;
    std::atomic<bool> cancelled = false;
    std::atomic<qint64> written = 0;
    const QString name = folder.filePath(u"x.csv"_s);
    QVERIFY(exportToFile(history, request, name, cancelled, written));
    QFile schema(name + u".schema.json"_s);
    QVERIFY(schema.open(QIODevice::ReadOnly));
    QVERIFY(!QJsonDocument::fromJson(schema.readAll()).isNull());
}

void LiveExporterTest::stoppedLeavesNothing()
{
    QTemporaryDir folder;
    const MemoryHistory history = minuteOf(4);
    std::atomic<bool> cancelled = true;
    std::atomic<qint64> written = 0;
    const QString name = folder.filePath(u"x.csv"_s);
    const auto rows = exportToFile(history, {}, name, cancelled, written);
    QVERIFY(!rows);
    QCOMPARE(rows.error().fault, Fault::Cancelled);
    QVERIFY(!QFile::exists(name));
}

void LiveExporterTest::unwritableIsSaid()
{
    const MemoryHistory history = minuteOf(1);
    std::atomic<bool> cancelled = false;
    std::atomic<qint64> written = 0;
    const auto rows = exportToFile(history, {}, u"/nonexistent/folder/x.csv"_s, cancelled, written);
    QVERIFY(!rows);
    QVERIFY(rows.error().what.contains(u"could not be written"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(LiveExporterTest)
#include "tst_liveexporter.moc"
