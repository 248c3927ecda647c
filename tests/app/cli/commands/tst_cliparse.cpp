// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

struct Answer {
    int code = -1;
    QByteArray out;
    QByteArray err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

Answer run(const QStringList& arguments, const QByteArray& input)
{
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + u"/rankwright-cli"_s, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(test::longWaitMs))
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QByteArray sample(const QString& name)
{
    QFile file(rankwright::test::sourcePath(u"/tests/data/telemetry/samples/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// `rankwright-cli parse gpu`, as docs/cli.md promises it.
class CliParseTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void unknownIsNull();
    void headerlessNeedsTheCommand();
    void faultIsReported();
    void longOutputOfAPipe();
    void utf16();
    void textForm();
    void wrongUse_data();
    void wrongUse();
};

void CliParseTest::initTestCase()
{
    if (!QFile::exists(QCoreApplication::applicationDirPath() + u"/rankwright-cli"_s))
        QSKIP("rankwright-cli is not built beside the tests");
}

/// The second die of an MI250X reports no power.
void CliParseTest::unknownIsNull()
{
    const Answer answer = run({u"parse"_s, u"gpu"_s, u"--json"_s}, sample(u"amd-smi_6.2.2_mi250x_monitor-csv.txt"_s));
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.json().value(u"tool"_s), u"amd-smi"_s);
    const QJsonArray devices = answer.json().value(u"devices"_s).toArray();
    QCOMPARE(devices.size(), 8);
    const QJsonObject second = devices.at(1).toObject();
    QVERIFY(second.value(u"powerWatts"_s).isNull());
    for (const QString& name : {u"memoryErrors"_s, u"throttle"_s, u"computeActivePercent"_s, u"tensorActivePercent"_s})
        QVERIFY2(second.contains(name) && second.value(name).isNull(), qPrintable(name));
    QCOMPARE(second.value(u"package"_s).toInt(-1), 0);
    QCOMPARE(second.value(u"index"_s).toInt(-1), 1);
    QVERIFY(second.value(u"node"_s).isNull());
    QVERIFY(devices.at(0).toObject().value(u"powerWatts"_s).toDouble() > 0);
}

void CliParseTest::headerlessNeedsTheCommand()
{
    const QByteArray rows = "0, 98, 76057\n1, 99, 75205\n";
    const Answer blind = run({u"parse"_s, u"gpu"_s, u"--json"_s}, rows);
    QCOMPARE(blind.code, 0);
    QVERIFY(blind.json().value(u"devices"_s).toArray().isEmpty());
    const Answer reported = run({u"parse"_s, u"gpu"_s, u"--json"_s, u"--command"_s,
                                    u"nvidia-smi --query-gpu=index,utilization.gpu,memory.used "
                                    "--format=csv,noheader,nounits"_s},
        rows);
    const QJsonArray devices = reported.json().value(u"devices"_s).toArray();
    QCOMPARE(devices.size(), 2);
    QCOMPARE(devices.at(1).toObject().value(u"utilizationPercent"_s).toDouble(), 99.0);
    QCOMPARE(devices.at(1).toObject().value(u"memoryUsedBytes"_s).toDouble(), 75205.0 * 1048576);
    QVERIFY(devices.at(1).toObject().value(u"temperatureCelsius"_s).isNull());
}

void CliParseTest::faultIsReported()
{
    const Answer answer = run({u"parse"_s, u"gpu"_s, u"--json"_s}, "bash: line 1: rocm-smi: command not found\n");
    QCOMPARE(answer.code, 0);
    const QJsonArray faults = answer.json().value(u"faults"_s).toArray();
    QCOMPARE(faults.size(), 1);
    QCOMPARE(faults.at(0).toObject().value(u"class"_s), u"tool_missing"_s);
    QVERIFY(!faults.at(0).toObject().value(u"text"_s).toString().isEmpty());
}

/// A pipe holds 64 KiB at a time.
void CliParseTest::longOutputOfAPipe()
{
    const QByteArray tick = "0, 5 %, 100 MiB\n1, 6 %, 200 MiB\n";
    const Answer answer = run(
        {u"parse"_s, u"gpu"_s, u"--json"_s}, "index, utilization.gpu [%], memory.used [MiB]\n" + tick.repeated(20000));
    QCOMPARE(answer.json().value(u"ticks"_s).toInt(), 20000);
    QVERIFY(answer.json().value(u"ignored"_s).toArray().isEmpty());
}

/// What PowerShell writes with ">".
void CliParseTest::utf16()
{
    const auto wide = [](const QString& text) -> QByteArray {
        return QByteArray("\xff\xfe") + QByteArray(reinterpret_cast<const char*>(text.utf16()), text.size() * 2);
    };
    const Answer gpu = run({u"parse"_s, u"gpu"_s, u"--json"_s},
        wide(u"index, utilization.gpu [%], memory.used [MiB]\r\n0, 5 %, 100 MiB\r\n"_s));
    QCOMPARE(gpu.json().value(u"devices"_s).toArray().size(), 1);
    const Answer log = run({u"parse"_s, u"log"_s, u"--json"_s},
        wide(u"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\r\n"_s));
    const QJsonArray reported = log.json().value(u"diagnoses"_s).toArray();
    QCOMPARE(reported.first().toObject().value(u"class"_s), u"oom_gpu"_s);
}

void CliParseTest::textForm()
{
    const Answer answer = run({u"parse"_s, u"gpu"_s}, sample(u"amd-smi_6.2.2_mi250x_monitor-csv.txt"_s));
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.out.contains("GiB") && !answer.out.startsWith('{'));
    QVERIFY(answer.out.contains("slowed by") && answer.out.contains("at work"));
}

void CliParseTest::wrongUse_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing to read") << QStringList{u"parse"_s, u"cpu"_s};
    QTest::newRow("no such tool") << QStringList{u"parse"_s, u"gpu"_s, u"--tool"_s, u"radeontop"_s};
}

void CliParseTest::wrongUse()
{
    QFETCH(QStringList, arguments);
    const Answer answer = run(arguments, {});
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.out.isEmpty());
    QCOMPARE(answer.err.count('\n'), 1);
}

RANKWRIGHT_TEST_MAIN(CliParseTest)
#include "tst_cliparse.moc"
