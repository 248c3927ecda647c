// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/csvtable.h"
#include "models/insight/telemetry/history/historyexport.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 start = 1'790'000'000'000; // 2026-09-21T14:13:20Z, by date -u -d @1790000000

MemoryHistory history()
{
    MemoryHistory made;
    for (int second = 0; second < 3; ++second) {
        NodeTick tick{u"nid1"_s, start + second * 1000 + 5, {}};
        GpuSample first;
        first.index = 0;
        first.name = u"AMD Instinct MI250X, \"die\" 0"_s;
        first.utilizationPercent = 100;
        first.memoryUsedBytes = 61'203'283'968;
        first.memoryTotalBytes = 68'702'699'520;
        first.powerWatts = 301.5;
        first.powerCapWatts = 560;
        first.temperatureCelsius = 57;
        first.clockMhz = 1700;
        first.throttle = Throttles(Throttle::Power) | Throttle::Thermal;
        first.processes = 1;
        first.memoryErrors = 2;
        first.activity = {40.0, 21.0, {}, 3.1};
        GpuSample second1;
        second1.index = 1;
        second1.secondaryDie = true;
        tick.gpus = {first, second1};
        made.store(tick);
    }
    NodeProcesses reported{u"nid1"_s, start + 900, {}, std::nullopt, std::nullopt, std::nullopt};
    reported.resources = NodeResources();
    reported.resources->received = 1'200'000'000;
    reported.resources->waiting = 2;
    reported.resources->someWait = 0.74;
    RankSample rank;
    rank.pid = 1;
    rank.rank = 3;
    rank.gpu = 0;
    reported.ranks = {rank};
    rank.gpu = 1;
    rank.rank = 4;
    reported.ranks.append(rank);
    rank.rank = 5; // two ranks on GPU 1
    reported.ranks.append(rank);
    made.store(reported);
    return made;
}

QByteArray exported(ExportFormat format, TimeSpan span = {}, qint64 rows = 6)
{
    QByteArray all;
    const auto done = exportHistory(history(), {format, span, u"lumi"_s, u"4711"_s}, [&all](const QByteArray& bytes) {
        all += bytes;
        return true;
    });
    if (!done || *done != rows)
        qFatal("exported %lld rows", static_cast<long long>(done ? *done : -1));
    return all;
}

} // namespace

/// Tables of a history, as spreadsheets and other programs read them.
class HistoryExportTest final : public test::Suite {
    Q_OBJECT
private slots:
    void csvForPeople();
    void typedCsvFitsItsSchema();
    void jsonLines();
    void json();
    void partOfTheTime();
    void whatTheNodeHas();
    void diskFull();
    void formats();
};

void HistoryExportTest::csvForPeople()
{
    const QByteArray bytes = exported(ExportFormat::Csv);
    QVERIFY(bytes.contains("\r\n"));
    QVERIFY(bytes.contains("\"AMD Instinct MI250X, \"\"die\"\" 0\"")); // RFC 4180
    const auto table = parseCsv(bytes, u"export"_s);
    QVERIFY_RESULT(table);
    QVERIFY(table->columns.contains(u"power (W)"_s));
    QVERIFY(table->columns.contains(u"utilisation (%)"_s));
    QVERIFY(table->columns.contains(u"temperature (°C)"_s));
    QCOMPARE(table->rows.size(), 6);
    const auto cell = [&table](int row, const QString& column) {
        return table->rows.at(row).cells.at(table->columns.indexOf(column));
    };
    QCOMPARE(cell(0, u"time (UTC)"_s), u"2026-09-21T14:13:20.005Z"_s);
    QCOMPARE(cell(0, u"time (ms since 1970)"_s), u"1790000000005"_s);
    QCOMPARE(cell(0, u"job"_s), u"4711"_s);
    QCOMPARE(cell(0, u"utilisation (%)"_s), u"100"_s);
    QCOMPARE(cell(0, u"memory used (B)"_s), u"61203283968"_s);
    QCOMPARE(cell(0, u"power (W)"_s), u"301.5"_s);
    QCOMPARE(cell(0, u"slowed by heat"_s), u"true"_s);
    QCOMPARE(cell(0, u"slowed by hardware"_s), u"false"_s);
    QCOMPARE(cell(2, u"rank"_s), u"3"_s);
    QCOMPARE(cell(0, u"memory errors"_s), u"2"_s);
    QCOMPARE(cell(0, u"compute active (%)"_s), u"21"_s);
    QCOMPARE(cell(0, u"tensor active (%)"_s), u"3.1"_s);
    QCOMPARE(cell(0, u"occupancy (%)"_s), QString());
    for (int row = 0; row < 6; ++row) { // known since 0.9 s; asked for again every 3 s
        QCOMPARE(cell(row, u"node sent (B/s)"_s), QString());
        QCOMPARE(cell(row, u"node page cache (B)"_s), QString());
    }
    // The second die reports no power: unknown, never 0. And two ranks on it are not one.
    for (const QString& column : {u"power (W)"_s, u"utilisation (%)"_s, u"slowed by heat"_s, u"rank"_s, u"GPU name"_s,
             u"memory errors"_s, u"memory active (%)"_s})
        QCOMPARE(cell(3, column), QString());
    QCOMPARE(cell(3, u"second die"_s), u"true"_s);
}

void HistoryExportTest::typedCsvFitsItsSchema()
{
    const auto table = parseCsv(exported(ExportFormat::TypedCsv), u"export"_s);
    QVERIFY_RESULT(table);
    const QJsonArray fields = QJsonDocument::fromJson(exportSchema()).object().value(u"fields"_s).toArray();
    QCOMPARE(fields.size(), table->columns.size());
    for (qsizetype i = 0; i < fields.size(); ++i) {
        const QJsonObject field = fields.at(i).toObject();
        QCOMPARE(field.value(u"name"_s).toString(), table->columns.at(i));
        static const QRegularExpression snake(u"^[a-z][a-z0-9_]*$"_s);
        QVERIFY(snake.match(table->columns.at(i)).hasMatch());
        for (const CsvTable::Row& row : table->rows) {
            const QString cell = row.cells.at(i);
            if (cell.isEmpty()) {
                QVERIFY2(field.value(u"nullable"_s).toBool(), qPrintable(table->columns.at(i)));
                continue;
            }
            const QString type = field.value(u"type"_s).toString();
            bool good = true;
            if (type.startsWith(u"int"_s))
                cell.toLongLong(&good);
            else if (type == u"double"_s)
                cell.toDouble(&good);
            else if (type == u"bool"_s)
                good = cell == u"true"_s || cell == u"false"_s;
            else if (type.startsWith(u"timestamp"_s))
                good = QDateTime::fromString(cell, Qt::ISODateWithMs).isValid();
            else
                QCOMPARE(type, u"string"_s);
            QVERIFY2(good, qPrintable(table->columns.at(i) + u": "_s + cell));
        }
    }
}

void HistoryExportTest::jsonLines()
{
    const QByteArrayList lines = exported(ExportFormat::JsonWriter).trimmed().split('\n');
    QCOMPARE(lines.size(), 6);
    const QJsonObject first = QJsonDocument::fromJson(lines.at(0)).object();
    QCOMPARE(first.value(u"node"_s).toString(), u"nid1"_s);
    QCOMPARE(first.value(u"name"_s).toString(), u"AMD Instinct MI250X, \"die\" 0"_s);
    QCOMPARE(first.value(u"memoryUsedBytes"_s).toInteger(), 61'203'283'968);
    QCOMPARE(first.value(u"throttledPower"_s).toBool(), true);
    const QJsonObject second = QJsonDocument::fromJson(lines.at(1)).object();
    QVERIFY(second.value(u"powerWatts"_s).isNull());
    QVERIFY(!second.value(u"secondaryDie"_s).isNull());
}

void HistoryExportTest::json()
{
    const QJsonObject document = QJsonDocument::fromJson(exported(ExportFormat::Json)).object();
    QCOMPARE(document.value(u"jobId"_s).toString(), u"4711"_s);
    QCOMPARE(document.value(u"samples"_s).toArray().size(), 6);
    const QByteArray none = exported(ExportFormat::Json, {start + 500'000, start + 600'000}, 0);
    QVERIFY(QJsonDocument::fromJson(none).object().value(u"samples"_s).isArray());
}

void HistoryExportTest::partOfTheTime()
{
    const auto table = parseCsv(exported(ExportFormat::Csv, {start + 1000, start + 2000}, 2), u"export"_s);
    QVERIFY_RESULT(table);
    QCOMPARE(table->rows.size(), 2);
    QCOMPARE(table->rows.at(0).cells.at(1), u"1790000001005"_s);
}

/// In each row of its GPUs: as last reported, and not for longer than a minute.
void HistoryExportTest::whatTheNodeHas()
{
    MemoryHistory made;
    for (const int second : {0, 5, 10, 59, 75}) {
        NodeTick tick{u"nid1"_s, start + second * 1000, {GpuSample()}};
        made.store(tick);
    }
    NodeProcesses reported{u"nid1"_s, start + 4000, {}, std::nullopt, std::nullopt, std::nullopt};
    reported.resources = NodeResources();
    reported.resources->received = 1'200'000'000;
    reported.resources->waiting = 2;
    reported.resources->someWait = 0.74;
    reported.resources->anonymous = 3000;
    reported.resources->shared = 1000;
    reported.resources->cached = 6000;
    made.store(reported);
    QByteArray all;
    QVERIFY_RESULT(exportHistory(made, {ExportFormat::Csv, {}, {}, {}}, [&all](const QByteArray& bytes) {
        all += bytes;
        return true;
    }));
    const auto table = parseCsv(all, u"export"_s);
    QVERIFY_RESULT(table);
    QCOMPARE(table->rows.size(), 5);
    const auto column = [&table](const QString& name) {
        QStringList cells;
        for (const CsvTable::Row& row : table->rows)
            cells.append(row.cells.at(table->columns.indexOf(name)));
        return cells.join(u' ');
    };
    QCOMPARE(column(u"node received (B/s)"_s), u" 1200000000 1200000000 1200000000 "_s);
    QCOMPARE(column(u"node sent (B/s)"_s), u"    "_s);
    QCOMPARE(column(u"node processes waiting for files"_s), u" 2 2 2 "_s);
    QCOMPARE(column(u"node time waiting for files"_s), u" 0.74 0.74 0.74 "_s);
    QCOMPARE(column(u"node memory held (B)"_s), u" 4000 4000 4000 "_s);
    QCOMPARE(column(u"node page cache (B)"_s), u" 5000 5000 5000 "_s);
}

void HistoryExportTest::diskFull()
{
    const auto done = exportHistory(history(), {}, [](const QByteArray&) { return false; });
    QVERIFY(!done);
    QCOMPARE(done.error().fault, Fault::Io);
}

void HistoryExportTest::formats()
{
    QCOMPARE(exportFormatFrom(u"typed-csv"_s), ExportFormat::TypedCsv);
    QVERIFY(!exportFormatFrom(u"xlsx"_s));
}

RANKWRIGHT_TEST_MAIN(HistoryExportTest)
#include "tst_historyexport.moc"
