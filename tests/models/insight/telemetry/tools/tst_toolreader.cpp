// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolreader.h"
#include "tests/support/cpuclock.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QByteArray contents(const QString& name)
{
    QFile file(rankwright::test::sourcePath(u"/tests/data/telemetry/samples/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(file.fileName()));
    return file.readAll();
}

const QJsonObject& expectations()
{
    static const QJsonObject all = QJsonDocument::fromJson(contents(u"expected.json"_s)).object();
    return all;
}

QString shown(std::optional<double> value) { return value ? QString::number(*value, 'f', 2) : u"-"_s; }
QString shown(const QJsonValue& value) { return value.isNull() ? u"-"_s : QString::number(value.toDouble(), 'f', 2); }

/// Bytes of tables that print GiB to one decimal agree within `tolerance`.
bool sameBytes(std::optional<qint64> value, const QJsonValue& expected, double tolerance)
{
    if (!value || expected.isNull())
        return !value && expected.isNull();
    return qAbs(double(*value) - expected.toDouble()) <= tolerance;
}

QString difference(const ToolTick& tick, const QJsonObject& expected, double tolerance)
{
    if (tick.node != expected.value(u"node"_s).toString())
        return u"node "_s + tick.node;
    const QJsonArray devices = expected.value(u"devices"_s).toArray();
    if (devices.size() != tick.devices.size())
        return u"%1 devices, not %2"_s.arg(tick.devices.size()).arg(devices.size());
    for (qsizetype i = 0; i < devices.size(); ++i) {
        const QJsonArray wanted = devices.at(i).toArray();
        const ToolDevice& device = tick.devices.at(i);
        const QString where = u"device %1: "_s.arg(device.id);
        if (device.id != wanted.at(0).toString())
            return where + u"not "_s + wanted.at(0).toString();
        if (shown(device.utilizationPercent) != shown(wanted.at(1)))
            return where + u"use "_s + shown(device.utilizationPercent);
        if (!sameBytes(device.memoryUsedBytes, wanted.at(2), tolerance))
            return where + u"used "_s + QString::number(device.memoryUsedBytes.value_or(-1));
        if (!sameBytes(device.memoryTotalBytes, wanted.at(3), tolerance))
            return where + u"total "_s + QString::number(device.memoryTotalBytes.value_or(-1));
        if (shown(device.powerWatts) != shown(wanted.at(4)))
            return where + u"power "_s + shown(device.powerWatts);
        if (shown(device.temperatureCelsius) != shown(wanted.at(5)))
            return where + u"temperature "_s + shown(device.temperatureCelsius);
    }
    return {};
}

ToolDevice only(const ToolReading& reading)
{
    const QList<ToolTick> newest = newestTicks(reading);
    return newest.size() == 1 && newest.first().devices.size() == 1 ? newest.first().devices.first() : ToolDevice();
}

QStringList ids(const ToolReading& reading)
{
    QStringList all;
    for (const ToolTick& tick : newestTicks(reading)) {
        for (const ToolDevice& device : tick.devices)
            all.append(tick.node.isEmpty() ? device.id : tick.node + u'/' + device.id);
    }
    return all;
}

} // namespace

class ToolReaderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void samples_data();
    void samples();
    void newestCompleteTick();
    void packages();
    void packagesByTheirLimit();
    void implausiblePower_data();
    void implausiblePower();
    void hostLabels();
    void migInstances();
    void reportForPeople();
    void metricForPeople();
    void errorsInATable();
    void lostGpuInACell();
    void vanishedGpu();
    void reconnected();
    void headerlessWithoutCommand();
    void faults_data();
    void faults();
    void everyCutIsSurvived();
    void effortGrowsWithTheInput();
};

void ToolReaderTest::samples_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("crlf");
    for (const QString& file : expectations().keys()) {
        QTest::newRow(qPrintable(file)) << file << false;
        QTest::newRow(qPrintable(file + u" CRLF"_s)) << file << true;
    }
}

void ToolReaderTest::samples()
{
    QFETCH(QString, file);
    QFETCH(bool, crlf);
    const QJsonObject expected = expectations().value(file).toObject();
    QByteArray bytes = contents(file);
    if (crlf) // ssh -tt
        bytes = bytes.replace("\r\n", "\n").replace('\n', "\r\n");
    const ToolReading reading = readGpuTool(bytes, {{}, expected.value(u"command"_s).toString()});
    QCOMPARE(reading.format, expected.value(u"format"_s).toString());
    QCOMPARE(QJsonArray::fromStringList(reading.warnings), expected.value(u"warnings"_s).toArray());
    QCOMPARE(reading.faults.isEmpty() ? QString() : reading.faults.first().faultClass,
        expected.value(u"fault"_s).toString());
    const double tolerance = expected.value(u"tolerance"_s).toObject().value(u"mem_used_bytes"_s).toDouble();
    QList<QJsonObject> ticks; // ours come node by node
    for (const ToolTick& tick : reading.ticks) {
        const bool known = std::any_of(ticks.cbegin(), ticks.cend(),
            [&](const QJsonObject& one) { return one.value(u"node"_s).toString() == tick.node; });
        for (const QJsonValue& one : known ? QJsonArray() : expected.value(u"ticks"_s).toArray()) {
            if (one.toObject().value(u"node"_s).toString() == tick.node)
                ticks.append(one.toObject());
        }
    }
    QCOMPARE(reading.ticks.size(), expected.value(u"ticks"_s).toArray().size());
    QCOMPARE(ticks.size(), reading.ticks.size());
    for (qsizetype i = 0; i < ticks.size(); ++i)
        QCOMPARE(difference(reading.ticks.at(i), ticks.at(i), tolerance), QString());
}

void ToolReaderTest::newestCompleteTick()
{
    const auto newest = [](const QString& file) {
        const QString command = expectations().value(file).toObject().value(u"command"_s).toString();
        return newestTicks(readGpuTool(contents(file), {{}, command}));
    };
    for (const QString& file :
        {u"rocm-smi_5.7.1_mi250x_csv_stream-truncated.txt"_s, u"nvidia-smi_550_a100x4_stream-truncated.txt"_s}) {
        const QList<ToolTick> ticks = newest(file);
        QCOMPARE(ticks.size(), 1);
        QVERIFY(ticks.first().complete);
        QCOMPARE(ticks.first().devices.size(), file.startsWith(u"rocm") ? 8 : 4);
    }
    QCOMPARE(newest(u"nvidia-smi_535_a100_srun-label-2nodes.txt"_s).size(), 2);
}

void ToolReaderTest::packages()
{
    const auto packagesOf = [](const QString& file) {
        QString all;
        const QList<ToolDevice> devices = newestTicks(readGpuTool(contents(file))).first().devices;
        for (const ToolDevice& device : devices)
            all += device.package ? QString::number(*device.package) : u"-"_s;
        return all;
    };
    QCOMPARE(packagesOf(u"rocm-smi_5.2.3_mi250x_csv.txt"_s), u"00112233"_s);
    QCOMPARE(packagesOf(u"amd-smi_6.2.2_mi250x_monitor-csv.txt"_s), u"00112233"_s);
    QCOMPARE(packagesOf(u"rocm-smi_6.2.2_mi300x_concise.txt"_s), u"--------"_s);
}

/// Of an MI250X's two dies the second has no limit of its own: it shares the first one's package and power.
void ToolReaderTest::packagesByTheirLimit()
{
    const auto card = [](int number, const char* limit) {
        return QStringLiteral("\"card%1\": {\"GPU use (%)\": \"90\", \"Average Graphics Package Power (W)\": \"%2\", "
                              "\"Max Graphics Package Power (W)\": \"%3\"}")
            .arg(QString::number(number), number % 2 == 0 ? u"410.0"_s : u"N/A"_s, QLatin1StringView(limit));
    };
    const QStringList cards{card(0, "560.0"), card(1, "0.0"), card(2, "560.0"), card(3, "0.0")};
    const ToolReading reading = readGpuTool((u'{' + cards.join(u", "_s) + u'}').toUtf8());
    const QList<ToolTick> ticks = newestTicks(reading);
    QCOMPARE(ticks.size(), 1);
    QStringList found;
    for (const ToolDevice& device : ticks.first().devices)
        found.append(u"%1%2"_s.arg(device.package.value_or(-1)).arg(device.secondaryDie ? u"b"_s : u"a"_s));
    QCOMPARE(found, QStringList({u"0a"_s, u"0b"_s, u"1a"_s, u"1b"_s}));
}

void ToolReaderTest::implausiblePower_data()
{
    QTest::addColumn<QByteArray>("use");
    QTest::addColumn<QByteArray>("power");
    QTest::addColumn<bool>("isSaid");
    QTest::newRow("1 W at full load") << QByteArray("100 %") << QByteArray("1.00 W") << true;
    QTest::newRow("1 W at half load") << QByteArray("50 %") << QByteArray("1.00 W") << true;
    QTest::newRow("1 W at less") << QByteArray("49 %") << QByteArray("1.00 W") << false;
    QTest::newRow("10 W") << QByteArray("100 %") << QByteArray("10.00 W") << false;
    QTest::newRow("not measured") << QByteArray("100 %") << QByteArray("[N/A]") << false;
}

void ToolReaderTest::implausiblePower()
{
    QFETCH(QByteArray, use);
    QFETCH(QByteArray, power);
    const ToolReading reading
        = readGpuTool("index, utilization.gpu [%], power.draw [W]\n0, " + use + ", " + power + '\n');
    QCOMPARE(reading.ticks.size(), 1);
    QTEST(reading.warnings.contains(u"implausible_power"_s), "isSaid");
}

void ToolReaderTest::hostLabels()
{
    const ToolReading reading = readGpuTool("nid001: index, utilization.gpu [%], memory.used [MiB]\n"
                                            "nid002: index, utilization.gpu [%], memory.used [MiB]\n"
                                            "nid002: 0, 7 %, 10 MiB\nnid001: 0, 99 %, 20 MiB\n"
                                            "srun: error: nid003: task 2: Killed\n");
    QCOMPARE(ids(reading), QStringList({u"nid001/0"_s, u"nid002/0"_s}));
    QCOMPARE(reading.ticks.first().devices.first().utilizationPercent.value_or(-1), 99.0);
}

void ToolReaderTest::migInstances()
{
    const QByteArray xml = "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<gpu id=\"00000000:01:00.0\">\n"
                           "<product_name>NVIDIA A100</product_name>\n<mig_devices><mig_device>\n<index>0</index>\n"
                           "<gpu_instance_id>2</gpu_instance_id><compute_instance_id>0</compute_instance_id>\n"
                           "<fb_memory_usage><total>19968 MiB</total><used>12 MiB</used></fb_memory_usage>\n"
                           "</mig_device></mig_devices>\n"
                           "<fb_memory_usage><total>40960 MiB</total><used>30 MiB</used></fb_memory_usage>\n"
                           "<utilization><gpu_util>N/A</gpu_util></utilization>\n"
                           "<gpu_power_readings><average_power_draw>61.5 W</average_power_draw>\n"
                           "<instant_power_draw>70 W</instant_power_draw></gpu_power_readings>\n"
                           "</gpu>\n</nvidia_smi_log>\n";
    const ToolReading reading = readGpuTool(xml);
    QCOMPARE(ids(reading), QStringList({u"0"_s, u"0:2:0"_s}));
    const QList<ToolDevice> devices = reading.ticks.first().devices;
    QCOMPARE(devices.at(0).memoryUsedBytes.value_or(-1), 30LL * 1048576);
    QCOMPARE(devices.at(0).powerWatts.value_or(-1), 61.5);
    QCOMPARE(devices.at(1).memoryTotalBytes.value_or(-1), 19968LL * 1048576);
    QCOMPARE(devices.at(1).package.value_or(-1), 0);
    QVERIFY(!devices.at(1).powerWatts);
}

void ToolReaderTest::reportForPeople()
{
    const ToolReading reading = readGpuTool("\n==============NVSMI LOG==============\n\n"
                                            "Timestamp                                 : Mon Nov  2 10:00:00 2026\n"
                                            "Driver Version                            : 535.54.03\n"
                                            "Attached GPUs                             : 1\n"
                                            "GPU 00000000:01:00.0\n"
                                            "    Product Name                          : NVIDIA A100\n"
                                            "    FB Memory Usage\n"
                                            "        Total                             : 40960 MiB\n"
                                            "        Used                              : 1024 MiB\n"
                                            "    BAR1 Memory Usage\n"
                                            "        Used                              : 3 MiB\n"
                                            "    Utilization\n"
                                            "        Gpu                               : 55 %\n"
                                            "    Temperature\n"
                                            "        GPU Current Temp                  : 41 C\n"
                                            "    GPU Power Readings\n"
                                            "        Power Draw                        : 88.25 W\n"
                                            "    Module Power Readings\n"
                                            "        Power Draw                        : 200 W\n");
    const ToolDevice gpu = only(reading);
    QCOMPARE(reading.format, u"nvidia-smi-text"_s);
    QCOMPARE(gpu.name, u"NVIDIA A100"_s);
    QCOMPARE(gpu.memoryUsedBytes.value_or(-1), 1024LL * 1048576);
    QCOMPARE(gpu.utilizationPercent.value_or(-1), 55.0);
    QCOMPARE(gpu.powerWatts.value_or(-1), 88.25);
}

void ToolReaderTest::metricForPeople()
{
    const ToolReading reading
        = readGpuTool("GPU: 0\n    USAGE:\n        GFX_ACTIVITY: 97 %\n        UMC_ACTIVITY: 17 %\n"
                      "    POWER:\n        SOCKET_POWER: 568 W\n    TEMPERATURE:\n"
                      "        EDGE: N/A\n        HOTSPOT: 64 °C\n        MEM: 60 °C\n"
                      "    MEM_USAGE:\n        TOTAL_VRAM: 196592 MB\n        USED_VRAM: 16 MB\n");
    const ToolDevice gpu = only(reading);
    QCOMPARE(reading.format, u"amd-smi-text"_s);
    QCOMPARE(gpu.utilizationPercent.value_or(-1), 97.0);
    QCOMPARE(gpu.powerWatts.value_or(-1), 568.0);
    QCOMPARE(gpu.temperatureCelsius.value_or(-1), 64.0);
    QCOMPARE(gpu.memoryUsedBytes.value_or(-1), 16LL * 1048576);
}

void ToolReaderTest::errorsInATable()
{
    QByteArray table = contents(u"nvidia-smi_515_v100_default-table_narrow.txt"_s);
    table.replace("| N/A   37C    P0    43W / 300W |      0MiB / 32768MiB |      0%      Default |",
        "|ERR!   ERR!  ERR!    ERR! / 300W |  Unknown Error         | ERR!      Default |");
    table.replace("  Unknown Error         ", "      0MiB / 32768MiB ");
    const ToolDevice gpu = newestTicks(readGpuTool(table)).first().devices.last();
    QVERIFY(gpu.unreadable);
    QVERIFY(!gpu.powerWatts && !gpu.temperatureCelsius && !gpu.utilizationPercent);
}

void ToolReaderTest::lostGpuInACell()
{
    const ToolReading reading = readGpuTool("index, utilization.gpu [%], power.draw [W]\n0, 10 %, 60.00 W\n"
                                            "1, [GPU is lost], [GPU is lost]\n");
    QCOMPARE(ids(reading), QStringList({u"0"_s, u"1"_s}));
    QCOMPARE(reading.faults.size(), 1);
    QCOMPARE(reading.faults.first().faultClass, u"gpu_lost"_s);
    QCOMPARE(reading.warnings, QStringList({u"device_unreadable:1"_s}));
}

void ToolReaderTest::vanishedGpu()
{
    const ToolHint hint{{}, u"nvidia-smi --query-gpu=index,utilization.gpu --format=csv,noheader,nounits -lms 1000"_s};
    const ToolReading reading = readGpuTool("0, 1\n1, 2\n2, 3\n0, 1\n2, 3\n0, 4\n2, 5\n", hint);
    QCOMPARE(reading.ticks.size(), 3);
    QCOMPARE(ids(reading), QStringList({u"0"_s, u"2"_s}));
    QCOMPARE(reading.warnings, QStringList({u"device_vanished:1"_s}));
}

void ToolReaderTest::reconnected()
{
    const ToolReading reading
        = readGpuTool("index, utilization.gpu [%]\n0, 1 %\n0, 2 %\nindex, utilization.gpu [%]\n0, 3 %\n");
    QCOMPARE(reading.warnings, QStringList({u"transport_reconnected"_s}));
    QCOMPARE(only(reading).utilizationPercent.value_or(-1), 3.0);
}

void ToolReaderTest::headerlessWithoutCommand()
{
    const ToolReading reading = readGpuTool("0, 98, 76057\n1, 99, 75205\n");
    QVERIFY(reading.ticks.isEmpty()); // nobody knows what these numbers are
    QCOMPARE(reading.faults.size(), 1);
    QCOMPARE(reading.faults.first().faultClass, u"no_data"_s);
}

void ToolReaderTest::faults_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("faultClass");
    QTest::addColumn<QString>("tool");
    const auto row = [](const char* text, const char* faultClass, const char* tool) {
        QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(faultClass) << QString::fromLatin1(tool);
    };
    row("", "no_data", "");
    row("slurmstepd: error: execve(): rocm-smi: No such file or directory\n", "tool_missing", "rocm-smi");
    row("sh: 1: nvidia-smi: not found", "tool_missing", "nvidia-smi");
    row("Failed to initialize NVML: Unknown Error\n", "nvml_error", "nvidia-smi");
    row("Failed to initialize NVML: Insufficient Permissions\n", "permission", "nvidia-smi");
    row("Unable to determine the device handle for GPU 0000:02:00.0: GPU is lost.  Reboot the system to recover this "
        "GPU\n",
        "gpu_lost", "nvidia-smi");
    row("ERROR:root:Unable to get devices, driver not initialized (amdgpu not found in modules)\n", "driver_not_loaded",
        "amd-smi"); // amdsmi_init.py, amdsmi_commands.py
    row("ERROR:root:Driver not initialized (amdgpu not found in modules)\n", "driver_not_loaded", "rocm-smi");
    row("ERROR:root:Unable to detect any GPU devices, check amdgpu version and module status (sudo modprobe amdgpu)\n",
        "no_devices", "amd-smi");
    row("NOT_SUPPORTED: Cannot print JSON/CSV output for concise output\n", "bad_arguments", "rocm-smi");
    row("Unable to load the rocm_smi library.\n", "tool_broken", "rocm-smi");
}

void ToolReaderTest::faults()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, faultClass);
    QFETCH(QString, tool);
    const ToolReading reading = readGpuTool(text);
    QVERIFY(reading.ticks.isEmpty());
    QCOMPARE(reading.faults.size(), 1);
    QCOMPARE(reading.faults.first().faultClass, faultClass);
    QCOMPARE(reading.tool, tool);
}

void ToolReaderTest::everyCutIsSurvived()
{
    for (const QString& file : expectations().keys()) {
        const QByteArray bytes = contents(file);
        const ToolHint hint{{}, expectations().value(file).toObject().value(u"command"_s).toString()};
        const qsizetype whole = readGpuTool(bytes, hint).ticks.size();
        for (qsizetype cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 40)
            QVERIFY2(readGpuTool(bytes.left(cut), hint).ticks.size() <= whole, qPrintable(file));
    }
}

void ToolReaderTest::effortGrowsWithTheInput()
{
    const rankwright::test::CpuClock clock;
    for (const QByteArray& piece : {QByteArray("{\"card0\": {"), QByteArray("[[[["), QByteArray("0: 1, 2, 3\n"),
             QByteArray("| 1 | 2 / 3 | 4 |\n"), QByteArray("\x1b["), QByteArray("GPU[0]\t\t: a: b\n")})
        readGpuTool(piece.repeated(200000 / piece.size()));
    QVERIFY2(clock.elapsedMs() < 8000, qPrintable(QString::number(clock.elapsedMs())));
}

RANKWRIGHT_TEST_MAIN(ToolReaderTest)
#include "tst_toolreader.moc"
