// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/watchjson.h"
#include "app/recording/jobrecorder.h"
#include "app/store/recordingreader.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

Alert idle()
{
    Alert alert;
    alert.kind = u"idle_gpus"_s;
    alert.rule = AlertKind::WrongBinding;
    alert.title = u"2 of 8 GCDs never did any work"_s;
    alert.sinceMs = recordedStart + 250;
    alert.gpus = {{0, 6}, {0, 7}};
    alert.nodes = {u"n1"_s};
    return alert;
}

Diagnosis outOfMemory()
{
    Diagnosis diagnosis;
    diagnosis.kind = u"oom_gpu"_s;
    diagnosis.rank = 3;
    diagnosis.line = 812;
    diagnosis.offset = 40'000;
    return diagnosis;
}

/// The members that say when and how it is reported, not what.
QJsonObject without(QJsonObject object, const QStringList& members)
{
    for (const QString& member : members)
        object.remove(member);
    return object;
}

QJsonObject lineOf(const QString& printed) { return QJsonDocument::fromJson(printed.toUtf8()).object(); }

} // namespace

/// `watch` and a recording report the same thing with the same members.
class WatchJsonTest final : public test::Suite {
    Q_OBJECT
private slots:
    void alertsAreToldAlike();
    void failuresAreToldAlike();
    void noFailureStands();
    void samplesAreTheValuesOfTheMap();
    void nodesTellWhatTheyHave();

private:
    /// The one element of the event's list, as the recorder wrote it.
    template <typename Value>
    QJsonObject recorded(const QList<Value>& told, const QString& kind)
    {
        QTemporaryDir folder;
        {
            JobRecorder recorder({folder.path()});
            recorder.begin(recordedJob());
            recorder.add(told, recordedStart);
        }
        const auto reader = RecordingReader::open(listRecordings(folder.path()).first().path);
        if (!reader)
            qFatal("%s", qPrintable(reader.error().oneLine()));
        const QByteArray json = (*reader)->events({0, recordedStart * 2}, kind).first().json;
        return QJsonDocument::fromJson(json).object().value(kind).toArray().first().toObject();
    }
};

void WatchJsonTest::alertsAreToldAlike()
{
    QString printed;
    QTextStream out(&printed);
    WatchJson printer(out);
    printer.printAlerts({idle()});
    const QJsonObject line = lineOf(printed);
    QCOMPARE(line.value(u"event"_s).toString(), u"alert"_s);
    QCOMPARE(line.value(u"change"_s).toString(), u"raised"_s);
    QCOMPARE(without(line, {u"event"_s, u"time"_s, u"change"_s}), recorded(QList<Alert>{idle()}, u"alerts"_s));
}

void WatchJsonTest::failuresAreToldAlike()
{
    QString printed;
    QTextStream out(&printed);
    WatchJson printer(out);
    printer.printDiagnoses({outOfMemory()}, {});
    QCOMPARE(
        without(lineOf(printed), {u"event"_s, u"time"_s}), recorded(QList<Diagnosis>{outOfMemory()}, u"failures"_s));
}

void WatchJsonTest::noFailureStands()
{
    QString printed;
    QTextStream out(&printed);
    WatchJson printer(out);
    printer.printDiagnoses({}, {});
    QVERIFY(lineOf(printed).value(u"class"_s).isNull());
    QCOMPARE(lineOf(printed).value(u"event"_s).toString(), u"diagnosis"_s);
}

/// Of a package of two dies one reports the power of both, as the map shows it.
void WatchJsonTest::samplesAreTheValuesOfTheMap()
{
    NodeTick tick{u"n1"_s, recordedStart, {}};
    for (int die = 0; die < 2; ++die) {
        GpuSample gpu;
        gpu.index = die;
        gpu.utilizationPercent = 40 + die;
        gpu.memoryUsedBytes = 68'702'699'521 - die;
        gpu.processes = 1;
        gpu.activity.tensor = 3.1;
        gpu.secondaryDie = die == 1;
        if (die == 0)
            gpu.powerWatts = 431.5;
        tick.gpus.append(gpu);
    }
    QString printed;
    QTextStream out(&printed);
    WatchJson printer(out);
    printer.setGpusPerPackage(2);
    printer.printTick(tick, recordedStart);
    const QStringList lines = printed.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    for (int die = 0; die < 2; ++die) {
        const QJsonObject line = lineOf(lines.at(die));
        QCOMPARE(line.value(u"powerWatts"_s).toDouble(), 431.5);
        QCOMPARE(line.value(u"secondaryDie"_s).toBool(), die == 1);
        QCOMPARE(line.value(u"utilizationPercent"_s).toDouble(), 40.0 + die);
        QCOMPARE(line.value(u"memoryUsedBytes"_s).toInteger(), 68'702'699'521 - die);
        QCOMPARE(line.value(u"processes"_s).toInt(), 1);
        QVERIFY(line.value(u"clockMhz"_s).isNull());
        QVERIFY(line.contains(u"memoryErrors"_s) && line.value(u"memoryErrors"_s).isNull());
        QCOMPARE(line.value(u"tensorActivePercent"_s).toDouble(), 3.1);
        for (const QString& part : {u"memoryActivePercent"_s, u"computeActivePercent"_s, u"occupancyPercent"_s})
            QVERIFY2(line.contains(part) && line.value(part).isNull(), qPrintable(part));
    }
}

/// What a node has beside its GPUs; null where it is not known.
void WatchJsonTest::nodesTellWhatTheyHave()
{
    NodeProcesses reported{u"n1"_s, recordedStart, {}, 56, {}, {}};
    const auto printed = [&reported] {
        QString text;
        QTextStream out(&text);
        WatchJson(out).printProcesses(reported, recordedStart);
        return lineOf(text);
    };
    for (const QString& part : {u"network"_s, u"files"_s, u"memory"_s})
        QVERIFY(printed().contains(part) && printed().value(part).isNull());
    reported.resources = NodeResources();
    QVERIFY(printed().value(u"network"_s).isNull());
    QVERIFY(printed().value(u"files"_s).toObject().value(u"waiting"_s).isNull());
    reported.resources->network = NetworkKind::InfiniBand;
    reported.resources->received = 1'200'000'000;
    reported.resources->waiting = 3;
    reported.resources->pressureOf = ResourceScope::Job;
    reported.resources->someWait = 0.74;
    reported.resources->cached = 30'000;
    reported.resources->shared = 10'000;
    const QJsonObject line = printed();
    QCOMPARE(line.value(u"event"_s).toString(), u"ranks"_s);
    const QJsonObject network = line.value(u"network"_s).toObject();
    QCOMPARE(network.value(u"kind"_s).toString(), u"infiniband"_s);
    QCOMPARE(network.value(u"receivedBytesPerSecond"_s).toInteger(), 1'200'000'000);
    QVERIFY(network.value(u"sentBytesPerSecond"_s).isNull() && network.value(u"capacityBytesPerSecond"_s).isNull());
    QCOMPARE(line.value(u"files"_s).toObject().value(u"waiting"_s).toInt(), 3);
    QCOMPARE(line.value(u"files"_s).toObject().value(u"pressureOf"_s).toString(), u"job"_s);
    QCOMPARE(line.value(u"files"_s).toObject().value(u"someWaitShare"_s).toDouble(), 0.74);
    QCOMPARE(line.value(u"memory"_s).toObject().value(u"pageCacheBytes"_s).toInteger(), 20'000);
    QVERIFY(line.value(u"memory"_s).toObject().value(u"anonymousBytes"_s).isNull());
}

RANKWRIGHT_TEST_MAIN(WatchJsonTest)
#include "tst_watchjson.moc"
