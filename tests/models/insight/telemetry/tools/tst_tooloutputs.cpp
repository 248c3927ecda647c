// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolreader.h"
#include "tests/models/support/jsoncases.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// One JSON object per line: "name", "output", "command"; "format", "fault" (class of the first, or null), "devices":
/// {id: [use, used bytes, total bytes, W, °C]} with null for what is not reported.
QList<QJsonObject> cases() { return test::jsonCases(u"telemetry/outputs.jsonl"_s); }

QJsonObject devicesOf(const ToolReading& reading)
{
    QJsonObject devices;
    for (const ToolTick& tick : newestTicks(reading)) {
        for (const ToolDevice& device : tick.devices) {
            const QString id = tick.node.isEmpty() ? device.id : tick.node + u'/' + device.id;
            devices.insert(id,
                QJsonArray{test::jsonOf(device.utilizationPercent), test::jsonOf(device.memoryUsedBytes),
                    test::jsonOf(device.memoryTotalBytes), test::jsonOf(device.powerWatts),
                    test::jsonOf(device.temperatureCelsius)});
        }
    }
    return devices;
}

} // namespace

/// What vendor tools print, in many versions and states; figures invented.
class ToolOutputsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void reported_data();
    void reported();
};

void ToolOutputsTest::reported_data()
{
    QTest::addColumn<QJsonObject>("sample");
    const QList<QJsonObject> all = cases();
    QVERIFY(all.size() > 40);
    for (const QJsonObject& sample : all)
        QTest::newRow(qPrintable(sample.value(u"name"_s).toString())) << sample;
}

void ToolOutputsTest::reported()
{
    QFETCH(QJsonObject, sample);
    const ToolReading reading = readGpuTool(
        sample.value(u"output"_s).toString().toUtf8(), {QString(), sample.value(u"command"_s).toString()});
    QCOMPARE(reading.format, sample.value(u"format"_s).toString());
    if (sample.contains(u"fault"_s))
        QCOMPARE(reading.faults.value(0).faultClass, sample.value(u"fault"_s).toString());
    const QByteArray found = QJsonDocument(devicesOf(reading)).toJson(QJsonDocument::Compact);
    QCOMPARE(found, QJsonDocument(sample.value(u"devices"_s).toObject()).toJson(QJsonDocument::Compact));
}

RANKWRIGHT_TEST_MAIN(ToolOutputsTest)
#include "tst_tooloutputs.moc"
