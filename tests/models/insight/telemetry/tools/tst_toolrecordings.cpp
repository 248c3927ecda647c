// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <ctime>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

ToolDevice gpu(const QString& id, std::optional<double> use, std::optional<double> watts, std::optional<double> celsius)
{
    ToolDevice sample;
    sample.id = id;
    sample.utilizationPercent = use;
    sample.powerWatts = watts;
    sample.temperatureCelsius = celsius;
    return sample;
}

} // namespace

/// Odd recordings of each tool, line by line: what the samples with expected results do not show.
class ToolRecordingsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void numbers_data();
    void numbers();
    void rocmCsv();
    void rocmJson();
    void rocmConcise_data();
    void rocmConcise();
    void rocmLines();
    void nvidiaCsvWithHeader();
    void nvidiaCsvWithFieldsOfItsDriver();
    void nvidiaCsvByCommandLine();
    void labelledStreams();
    void jsonCutByLabels();
    void failuresAreNamed_data();
    void failuresAreNamed();
    void whatNoGpuCanHaveIsUnknown();
    void aSilentDeviceIsNoSecondDie();
    void manyDevicesTakeTimeInStep();
    void everyCutIsSurvived_data();
    void everyCutIsSurvived();
};

void ToolRecordingsTest::numbers_data()
{
    QTest::addColumn<QString>("cell");
    QTest::addColumn<double>("value");
    const auto row = [](const char* cell, double value) { QTest::newRow(cell) << QString::fromUtf8(cell) << value; };
    row("58.0", 58);
    row("19818 MiB", 19818);
    row("312,45 W", 312.45); // a node under a Finnish locale
    row("93 %", 93);
    row("61.0°C", 61);
    row("52.0c", 52);
    row("(1700Mhz)", 1700);
    row("0", 0);
    for (const char* nothing : {"N/A", "[N/A]", "[Not Supported]", "Secondary die", "N/A (Secondary die)", "None",
             "Unsupported", "unknown", "-", "ERR!", "", "[GPU is lost]", "58.0.1", "0x12"})
        row(nothing, -1);
}

void ToolRecordingsTest::numbers()
{
    QFETCH(QString, cell);
    QFETCH(double, value);
    QCOMPARE(toolreading::number(cell).value_or(-1), value);
}

void ToolRecordingsTest::rocmCsv()
{
    const ToolReading output = readGpuTool(test::recordedFile(u"telemetry/rocm-smi_5.6.csv"_s));
    QCOMPARE(output.format, u"rocm-smi-csv"_s);
    QCOMPARE(output.ticks.size(), 3);
    const QList<ToolDevice>& first = output.ticks.at(0).devices;
    QCOMPARE(first.size(), 2);
    QCOMPARE(first.at(0).utilizationPercent, std::optional<double>(88)); // not the counter "GFX Activity"
    QCOMPARE(first.at(0).powerWatts, std::optional<double>(312));
    QCOMPARE(first.at(0).temperatureCelsius, std::optional<double>(41)); // edge before junction
    QVERIFY(!first.at(1).powerWatts && first.at(1).secondaryDie);
    QCOMPARE(first.at(1).memoryUsedBytes, std::optional<qint64>(31000000001));
    // second tick: other order of columns, no edge sensor, 0 W
    const QList<ToolDevice>& second = output.ticks.at(1).devices;
    QVERIFY(!second.at(0).utilizationPercent && !second.at(0).powerWatts);
    QCOMPARE(second.at(0).temperatureCelsius, std::optional<double>(48));
    QCOMPARE(second.at(1).utilizationPercent, std::optional<double>(90));
    // a last line without its end has not arrived
    QCOMPARE(output.ticks.at(2).devices.size(), 1);
    QVERIFY(!output.ticks.at(2).complete);
    QCOMPARE(output.ignored, QStringList({u"WARNING: One or more commands failed"_s, u"card1,42.0,"_s}));
}

void ToolRecordingsTest::rocmJson()
{
    const ToolReading output = readGpuTool(test::recordedFile(u"telemetry/rocm-smi_6.1.json"_s));
    QCOMPARE(output.format, u"rocm-smi-json"_s);
    QCOMPARE(output.ticks.size(), 2); // the cut object in between is left out
    const QList<ToolDevice>& gpus = output.ticks.at(0).devices;
    QCOMPARE(gpus.size(), 3); // "system" is not a device
    QCOMPARE(gpus.at(0).id, u"0"_s);
    QCOMPARE(gpus.at(1).id, u"2"_s); // by number, not by text
    QCOMPARE(gpus.at(2).id, u"10"_s);
    QCOMPARE(gpus.at(0).name, u"AMD Instinct MI300X OAM"_s);
    QCOMPARE(gpus.at(0).powerWatts, std::optional<double>(512));
    QCOMPARE(gpus.at(0).temperatureCelsius, std::optional<double>(66));
    QVERIFY(!gpus.at(1).powerWatts && !gpus.at(1).memoryTotalBytes);
    QVERIFY(!gpus.at(2).utilizationPercent);
    QCOMPARE(output.ticks.at(1).devices.first().utilizationPercent, std::optional<double>(95));
    QVERIFY(output.ignored.first().startsWith(u"Using lib from"_s));
}

void ToolRecordingsTest::rocmConcise_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QList<double>>("use");
    QTest::addColumn<QList<double>>("watts");
    QTest::addColumn<QList<double>>("celsius");
    QTest::newRow("5.7 with a hung GPU") << u"rocm-smi_5.7_concise.txt"_s << QList<double>{99, -1, 98}
                                         << QList<double>{402, -1, -1} << QList<double>{52, -1, 50};
    // the second row lost its degree sign, so that its columns are one place to the left
    QTest::newRow("6.3") << u"rocm-smi_6.3_concise.txt"_s << QList<double>{88, 87} << QList<double>{477, 455}
                         << QList<double>{61, 58};
}

void ToolRecordingsTest::rocmConcise()
{
    QFETCH(QString, file);
    QFETCH(QList<double>, use);
    QFETCH(QList<double>, watts);
    QFETCH(QList<double>, celsius);
    const ToolReading output = readGpuTool(test::recordedFile(u"telemetry/"_s + file));
    QCOMPARE(output.format, u"rocm-smi-concise"_s);
    QCOMPARE(output.ticks.size(), 1);
    QCOMPARE(output.ticks.first().devices.size(), use.size());
    for (int i = 0; i < use.size(); ++i) {
        const ToolDevice& sample = output.ticks.first().devices.at(i);
        QCOMPARE(sample.utilizationPercent.value_or(-1), use.at(i));
        QCOMPARE(sample.powerWatts.value_or(-1), watts.at(i));
        QCOMPARE(sample.temperatureCelsius.value_or(-1), celsius.at(i));
        QVERIFY(!sample.memoryUsedBytes); // the table reports a percentage only
    }
}

void ToolRecordingsTest::rocmLines()
{
    const ToolReading output = readGpuTool(test::recordedFile(u"telemetry/rocm-smi_5.7_lines.txt"_s));
    QCOMPARE(output.format, u"rocm-smi-text"_s);
    QCOMPARE(output.ticks.size(), 1);
    ToolDevice second = gpu(u"1"_s, 56, {}, 45);
    second.secondaryDie = true;
    second.package = 0;
    ToolDevice first = gpu(u"0"_s, 55, 201, 44);
    first.package = 0;
    QVERIFY(output.ticks.first().devices == QList<ToolDevice>({first, second}));
}

void ToolRecordingsTest::nvidiaCsvWithHeader()
{
    const ToolReading output = readGpuTool(test::recordedFile(u"telemetry/nvidia-smi_545.csv"_s));
    QCOMPARE(output.format, u"nvidia-smi-csv"_s);
    QCOMPARE(output.ticks.size(), 2); // by the index that starts again; the cut line is none
    const ToolDevice& first = output.ticks.first().devices.first();
    QCOMPARE(first.name, u"NVIDIA A100-SXM4-40GB"_s);
    QCOMPARE(first.memoryUsedBytes, std::optional<qint64>(12345LL * 1024 * 1024));
    QCOMPARE(first.memoryTotalBytes, std::optional<qint64>(42949672960));
    QCOMPARE(first.powerWatts, std::optional<double>(287.5));
    const ToolDevice& second = output.ticks.first().devices.at(1);
    QVERIFY(!second.utilizationPercent && !second.memoryUsedBytes && !second.powerWatts && !second.temperatureCelsius);
    QCOMPARE(output.ticks.at(1).devices.size(), 1); // GPU 1 vanished
    QVERIFY(output.warnings.contains(u"inforom_corrupted"_s) && output.warnings.contains(u"device_unreadable:1"_s));
}

void ToolRecordingsTest::nvidiaCsvWithFieldsOfItsDriver()
{
    const ToolReading output = readGpuTool("index, utilization.gpu [%], memory.used [MiB], power.draw [W], "
                                           "clocks_event_reasons.active, fan.speed [%], gsp.mode.current\n"
                                           "0, 98 %, 76057 MiB, 612.33 W, 0x0000000000000004, [N/A], Enabled\n"
                                           "1, 97 %, 76055 MiB, 598.11 W, 0x0000000000000000, [N/A], Enabled\n");
    QCOMPARE(output.format, u"nvidia-smi-csv"_s);
    QCOMPARE(output.ticks.size(), 1);
    QCOMPARE(output.ticks.first().devices.size(), 2);
    QCOMPARE(output.ticks.first().devices.at(1).powerWatts, std::optional<double>(598.11));
    QVERIFY(readGpuTool("ready, set, go\n1, 2, 3\n").ticks.isEmpty()); // names of nothing
}

void ToolRecordingsTest::nvidiaCsvByCommandLine()
{
    const QByteArray bytes = "0, 98, 76057\n1, 99, 75205\n0, 97, 76058\n";
    QVERIFY(readGpuTool(bytes).tool.isEmpty()); // nobody knows what these numbers are
    const ToolReading output = readGpuTool(bytes,
        {{}, u"nvidia-smi --query-gpu=index,utilization.gpu,memory.used --format=csv,noheader,nounits -lms 1000"_s});
    QCOMPARE(output.ticks.size(), 2);
    QCOMPARE(output.ticks.at(1).devices.first().utilizationPercent, std::optional<double>(97));
}

void ToolRecordingsTest::labelledStreams()
{
    QByteArray mixed;
    for (const QByteArray& line : test::recordedFile(u"telemetry/rocm-smi_5.6.csv"_s).split('\n').mid(0, 4)) {
        mixed += " 0: " + line + '\n';
        mixed += "11: " + QByteArray(line).replace("88", "11") + '\n';
    }
    const ToolReading output = readGpuTool(mixed);
    QCOMPARE(output.ticks.size(), 2);
    QCOMPARE(output.ticks.at(0).node, u"0"_s);
    QCOMPARE(output.ticks.at(1).node, u"11"_s);
    QCOMPARE(output.ticks.at(1).devices.first().utilizationPercent, std::optional<double>(11));
}

void ToolRecordingsTest::jsonCutByLabels()
{
    // srun gives every 1024 bytes of a longer line a label and a line end of their own
    const QByteArray json
        = R"JSON({"card0": {"GPU use (%)": "42", "VRAM Total Memory (B)": "1000"}, "card1": {"GPU use (%)": "43"}})JSON";
    for (int at = 5; at < json.size() - 2; at += 7) {
        const ToolReading output = readGpuTool("0: " + json.left(at) + "\n0: " + json.mid(at) + '\n');
        QCOMPARE(output.ticks.size(), 1);
        QCOMPARE(output.ticks.first().devices.at(1).utilizationPercent, std::optional<double>(43));
    }
}

void ToolRecordingsTest::failuresAreNamed_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("faultClass");
    const auto row
        = [](const char* line, const QString& faultClass) { QTest::newRow(line) << QByteArray(line) << faultClass; };
    row("ERROR:root:Driver not initialized (amdgpu not found in modules)", u"driver_not_loaded"_s);
    row("No devices were found", u"no_devices"_s);
    row("bash: line 1: rocm-smi: command not found", u"tool_missing"_s);
    row("ERROR: Cannot print JSON/CSV output for concise output", u"bad_arguments"_s);
    row("Field \"fan\" is not a valid field to query.", u"bad_arguments"_s);
}

void ToolRecordingsTest::failuresAreNamed()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, faultClass);
    const ToolReading output = readGpuTool(line + '\n');
    QVERIFY(output.ticks.isEmpty());
    QCOMPARE(output.faults.size(), 1);
    QCOMPARE(output.faults.first().faultClass, faultClass);
    QCOMPARE(output.faults.first().text, QString::fromUtf8(line));
}

void ToolRecordingsTest::whatNoGpuCanHaveIsUnknown()
{
    const ToolReading output = readGpuTool(
        R"JSON({"card0": {"GPU use (%)": "65535", "Current Socket Graphics Package Power (W)": "65535.0",
        "Temperature (Sensor edge) (C)": "4294967.0", "VRAM Total Memory (B)": "68702699520"},
        "card1": {"GPU use (%)": "101", "VRAM Total Used Memory (B)": "-4"}})JSON");
    QCOMPARE(output.ticks.size(), 1);
    const QList<ToolDevice>& gpus = output.ticks.first().devices;
    QVERIFY(!gpus.at(0).utilizationPercent && !gpus.at(0).powerWatts && !gpus.at(0).temperatureCelsius);
    QCOMPARE(gpus.at(0).memoryTotalBytes, std::optional<qint64>(68702699520));
    QVERIFY(!gpus.at(1).utilizationPercent && !gpus.at(1).memoryUsedBytes);
}

void ToolRecordingsTest::manyDevicesTakeTimeInStep()
{
    QByteArray report("<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n");
    constexpr int many = 60'000;
    for (int at = 0; at < many; ++at)
        report += "<gpu><utilization><gpu_util>97 %</gpu_util></utilization></gpu>\n";
    report += "</nvidia_smi_log>\n";
    const std::clock_t start = std::clock(); // processor time
    const ToolReading reading = readGpuTool(report);
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    QCOMPARE(reading.ticks.size(), 1);
    QCOMPARE(reading.ticks.first().devices.size(), many);
    // Compared each with each, it would be a minute.
    QVERIFY2(seconds < 8, qPrintable(QString::number(seconds)));
}

void ToolRecordingsTest::aSilentDeviceIsNoSecondDie()
{
    const ToolReading output = readGpuTool(R"JSON({"gpu_data": [{"gpu": 0, "usage": {"gfx_activity": {"value": 12,
        "unit": "%"}}, "power": {"socket_power": {"value": 140, "unit": "W"}}}, {"gpu": 1, "usage": "N/A",
        "power": {"socket_power": "N/A"}, "temperature": {"hotspot": "N/A"}}]})JSON");
    QCOMPARE(output.ticks.size(), 1);
    const QList<ToolDevice>& gpus = output.ticks.first().devices;
    QCOMPARE(gpus.size(), 2);
    QVERIFY(!gpus.at(0).package && !gpus.at(1).package && !gpus.at(1).secondaryDie);
}

void ToolRecordingsTest::everyCutIsSurvived_data()
{
    QTest::addColumn<QString>("file");
    for (const char* file : {"rocm-smi_5.6.csv", "rocm-smi_6.1.json", "rocm-smi_5.7_concise.txt",
             "rocm-smi_6.3_concise.txt", "rocm-smi_5.7_lines.txt", "nvidia-smi_545.csv"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void ToolRecordingsTest::everyCutIsSurvived()
{
    QFETCH(QString, file);
    const QByteArray bytes = test::recordedFile(u"telemetry/"_s + file);
    const auto whole = readGpuTool(bytes).ticks;
    for (qsizetype length = 0; length < bytes.size(); ++length) {
        const auto part = readGpuTool(bytes.left(length)).ticks;
        QVERIFY(part.size() <= whole.size());
        for (qsizetype i = 0; i + 1 < part.size(); ++i) // all but the newest are as they will be
            QVERIFY(part.at(i) == whole.at(i));
    }
}

RANKWRIGHT_TEST_MAIN(ToolRecordingsTest)
#include "tst_toolrecordings.moc"
