// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolreader.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What tools print beside use, memory and power: errors of the memory, what slows a GPU down, and how much of it
/// works.
class ToolCausesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void reported_data();
    void reported();
    void profilingFaults_data();
    void profilingFaults();
};

void ToolCausesTest::reported_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("errors"); // ?: not reported
    QTest::addColumn<QString>("throttle"); // -: nothing slows it
    QTest::addColumn<QString>("active"); // memory, multiprocessors, warps, tensor cores
    const auto row = [](const char* name, const QByteArray& output, const char* format, const char* errors,
                         const char* throttle, const char* active) {
        QTest::newRow(name) << output << QString::fromLatin1(format) << QString::fromLatin1(errors)
                            << QString::fromLatin1(throttle) << QString::fromLatin1(active);
    };
    row("query",
        "index, utilization.gpu [%], utilization.memory [%], ecc.errors.uncorrected.volatile.total, "
        "clocks_event_reasons.active\n0, 97 %, 41 %, 3, 0x0000000000000024\n",
        "nvidia-smi-csv", "3", "power,thermal", "41 ? ? ?");
    row("query of a card without them",
        "index, utilization.gpu [%], ecc.errors.uncorrected.volatile.total, clocks_throttle_reasons.active\n"
        "0, 97 %, [N/A], 0x0000000000000001\n",
        "nvidia-smi-csv", "?", "-", "? ? ? ?");
    row("counts that cannot be",
        "index, utilization.gpu [%], ecc.errors.uncorrected.volatile.total\n0, 97 %, 99999999999999999999999\n",
        "nvidia-smi-csv", "?", "?", "? ? ? ?");
    row("counts below 0", "index, utilization.gpu [%], ecc.errors.uncorrected.volatile.total\n0, 97 %, -5\n",
        "nvidia-smi-csv", "?", "?", "? ? ? ?");
    row("dmon on Hopper",
        "# gpu     sm    mem  smutil  smocc  mmaact   dram\n# Idx      %      %   GPM:%  GPM:%   GPM:%  GPM:%\n"
        "    0     93     20      87     43    3.1   12.5\n",
        "nvidia-smi-dmon", "?", "?", "12.5 87 43 3.1");
    row("dmon before Hopper",
        "# gpu     sm    mem  smutil  smocc  mmaact   dram  sbecc  dbecc\n"
        "    0     93     20       -      -      -      -      7      2\n",
        "nvidia-smi-dmon", "2", "?", "20 ? ? ?");
    row("DCGM",
        "#Entity   GRACT        SMACT        SMOCC        TENSO        DRAMA\nID\n"
        "GPU 0     0.995        0.571        0.364        0.011        N/A\n",
        "dcgmi-dmon", "?", "?", "? 57.1 36.4 1.1");
    row("report for people",
        "==============NVSMI LOG==============\n\nGPU 00000000:07:00.0\n    Product Name  : NVIDIA A100\n"
        "    Clocks Event Reasons\n        Idle                          : Not Active\n"
        "        SW Power Cap                  : Active\n        HW Slowdown                   : Not Active\n"
        "            HW Thermal Slowdown       : Not Active\n        SW Thermal Slowdown           : Active\n"
        "    Utilization\n        GPU           : 93 %\n        Memory        : 20 %\n    ECC Errors\n"
        "        Volatile\n            SRAM Correctable          : 9\n            SRAM Uncorrectable        : 1\n"
        "            DRAM Uncorrectable        : 2\n        Aggregate\n            DRAM Uncorrectable        : 40\n",
        "nvidia-smi-text", "3", "power,thermal", "20 ? ? ?");
    row("report as XML",
        "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<gpu id=\"0\">\n<utilization><gpu_util>93 %</gpu_util><memory_util>20 "
        "%</memory_util></utilization>\n<ecc_errors><volatile><sram_uncorrectable>0</sram_uncorrectable>"
        "<dram_uncorrectable>4</dram_uncorrectable></volatile><aggregate><dram_uncorrectable>9</dram_uncorrectable>"
        "</aggregate></ecc_errors>\n<clocks_throttle_reasons><clocks_throttle_reason_hw_slowdown>Active"
        "</clocks_throttle_reason_hw_slowdown><clocks_throttle_reason_sw_power_cap>Not Active"
        "</clocks_throttle_reason_sw_power_cap></clocks_throttle_reasons>\n</gpu>\n</nvidia_smi_log>\n",
        "nvidia-smi-xml", "4", "hardware", "20 ? ? ?");
    row("amd-smi metric",
        "[\n{\"gpu\": 0, \"usage\": {\"gfx_activity\": {\"value\": 97, \"unit\": \"%\"}, \"umc_activity\": {\"value\": "
        "17, \"unit\": \"%\"}}, \"ecc\": {\"total_correctable_count\": 5, \"total_uncorrectable_count\": 2}, "
        "\"throttle\": {\"ppt_violation_status\": \"ACTIVE\", \"hbm_thermal_violation_status\": \"NOT ACTIVE\"}}\n]\n",
        "amd-smi-json", "2", "power", "17 ? ? ?");
    row("amd-smi without reasons",
        "[\n{\"gpu\": 0, \"usage\": {\"gfx_activity\": 97, \"umc_activity\": \"N/A\"}, \"power\": {\"throttle_status\": "
        "\"UNTHROTTLED\"}, \"ecc\": {\"total_uncorrectable_count\": \"N/A\"}}\n]\n",
        "amd-smi-json", "?", "-", "? ? ? ?");
    row("amd-smi monitor", "gpu,gfx,mem,single_bit_ecc,double_bit_ecc\n0,97,17,4,1\n", "amd-smi-csv", "1", "?",
        "17 ? ? ?");
    row("rocm-smi",
        "device,GPU use (%),GPU Memory Allocated (VRAM%),GPU Memory Read/Write Activity (%)\ncard0,97,88,31\n\n",
        "rocm-smi-csv", "?", "?", "31 ? ? ?");
    row("older rocm-smi", "{\"card0\": {\"GPU use (%)\": \"97\", \"GPU memory use (%)\": \"31\"}}\n", "rocm-smi-json",
        "?", "?", "31 ? ? ?");
    row("files of amdgpu",
        "/sys/class/drm/card1/device/gpu_busy_percent:97\n/sys/class/drm/card1/device/mem_busy_percent:31\n"
        "/sys/class/drm/card1/device/ras/umc_err_count:ue: 2\n/sys/class/drm/card1/device/ras/umc_err_count:ce: 7\n"
        "/sys/class/drm/card1/device/ras/gfx_err_count:ue: 1\n",
        "amdgpu-sysfs", "3", "?", "31 ? ? ?");
}

void ToolCausesTest::reported()
{
    QFETCH(QByteArray, output);
    const ToolReading reading = readGpuTool(output);
    QTEST(reading.format, "format");
    QVERIFY2(reading.faults.isEmpty(), qPrintable(reading.faults.value(0).text));
    const QList<ToolTick> ticks = newestTicks(reading);
    QCOMPARE(ticks.size(), 1);
    QCOMPARE(ticks.first().devices.size(), 1);
    const ToolDevice& device = ticks.first().devices.first();
    QVERIFY(device.utilizationPercent > 90);
    QTEST(device.memoryErrors ? QString::number(*device.memoryErrors) : u"?"_s, "errors");
    const QStringList reasons = device.throttle.value_or(QStringList(u"?"_s));
    QTEST(reasons.isEmpty() ? u"-"_s : reasons.join(u','), "throttle");
    QStringList shares;
    for (const auto& share :
        {device.memoryActivePercent, device.computeActivePercent, device.occupancyPercent, device.tensorActivePercent})
        shares.append(share ? QString::number(*share) : u"?"_s);
    QTEST(shares.join(u' '), "active");
}

void ToolCausesTest::profilingFaults_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("faultClass");
    QTest::newRow("counters that somebody has, or for root alone") << QByteArray(
        "# Entity  SMACT  TENSO\n      Id\nError setting watches. Result: The third-party Profiling "
        "module returned an unrecoverable error\n") << u"permission"_s;
    QTest::newRow("no host engine") << QByteArray(
        "Error: unable to establish a connection to the specified host: localhost\nError: Unable to connect to host "
        "engine. Host engine connection invalid/disconnected.\n")
                                    << u"unreachable"_s;
}

void ToolCausesTest::profilingFaults()
{
    QFETCH(QByteArray, output);
    const ToolReading reading = readGpuTool(output);
    QCOMPARE(reading.tool, u"dcgmi"_s);
    QVERIFY(!reading.faults.isEmpty());
    QTEST(reading.faults.first().faultClass, "faultClass");
    QVERIFY(newestTicks(reading).isEmpty());
}

RANKWRIGHT_TEST_MAIN(ToolCausesTest)
#include "tst_toolcauses.moc"
