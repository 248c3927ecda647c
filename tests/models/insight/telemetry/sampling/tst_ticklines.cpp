// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/ticklines.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const QByteArray today = "@rw-gpus nid005001 1795257891159 "
                         "0;96;20734247731;68702699520;466.2;500.0;56.0;;1700;pt;1;|"
                         "1;97;20817140600;68702699520;;;57.0;s;1690;-;12;|2;0;11030528;68702699520;;;35.0;;;;;";
const QByteArray twoDies = "@rw-gpus nid005001 1795257891159 "
                           "0;96;20734247731;68702699520;466.2;500.0;56.0;|1;97;20817140600;68702699520;;;57.0;s";

} // namespace

class TickLinesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsALine();
    void readsClockThrottleAndProcesses();
    void readsErrorsOfTheMemory();
    void readsWhatWorks();
    void throttles_data();
    void throttles();
    void emptyIsNotZero();
    void labels_data();
    void labels();
    void badCells_data();
    void badCells();
    void refuses_data();
    void refuses();
    void silence();
    void cost();
    void everyCutIsSurvived_data();
    void everyCutIsSurvived();
    void noise();
};

void TickLinesTest::readsALine()
{
    const auto tick = parseTickLine(twoDies);
    QVERIFY_RESULT(tick);
    QCOMPARE(tick->node, u"nid005001"_s);
    QCOMPARE(tick->takenMs, qint64(1795257891159));
    QCOMPARE(tick->gpus.size(), 2);
    const GpuSample& first = tick->gpus.at(0);
    QCOMPARE(first.utilizationPercent, std::optional<double>(96));
    QCOMPARE(first.memoryUsedBytes, std::optional<qint64>(20734247731));
    QCOMPARE(first.memoryTotalBytes, std::optional<qint64>(68702699520));
    QCOMPARE(first.powerWatts, std::optional<double>(466.2));
    QCOMPARE(first.powerCapWatts, std::optional<double>(500));
    QCOMPARE(first.temperatureCelsius, std::optional<double>(56));
    QVERIFY(!first.secondaryDie);
    QVERIFY(tick->gpus.at(1).secondaryDie);
    QVERIFY(!tick->gpus.at(1).powerWatts);
}

void TickLinesTest::readsClockThrottleAndProcesses()
{
    const auto tick = parseTickLine(today);
    QVERIFY_RESULT(tick);
    QCOMPARE(tick->gpus.size(), 3);
    const GpuSample& first = tick->gpus.at(0);
    QCOMPARE(first.clockMhz, std::optional<double>(1700));
    QCOMPARE(first.throttle, std::optional<Throttles>(Throttle::Power | Throttle::Thermal));
    QCOMPARE(first.processes, std::optional<int>(1));
    QCOMPARE(tick->gpus.at(1).throttle, std::optional<Throttles>(Throttles())); // reported: nothing slows it
    QCOMPARE(tick->gpus.at(1).processes, std::optional<int>(12));
    QVERIFY(!tick->gpus.at(2).clockMhz && !tick->gpus.at(2).throttle && !tick->gpus.at(2).processes);
    const auto old = parseTickLine(twoDies); // a line of a sampler that did not report these
    QVERIFY(!old->gpus.first().clockMhz && !old->gpus.first().throttle && !old->gpus.first().processes);
}

/// Behind the processes; a count that may be cut is none.
void TickLinesTest::readsErrorsOfTheMemory()
{
    const auto errors = [](const QByteArray& cells) {
        return parseTickLine(QByteArray("@rw-gpus n1 5 0;96;7;8;100;200;40;;1700;-;1;" + cells))
            ->gpus.first()
            .memoryErrors;
    };
    QCOMPARE(errors("3;"), std::optional<qint64>(3));
    QCOMPARE(errors("0;"), std::optional<qint64>(0));
    for (const char* none : {"", "3", ";", "-1;", "[N/A];", "99999999999999999;"})
        QVERIFY2(!errors(none), none);
}

/// Behind the errors: memory, multiprocessors, their warps, tensor cores. Samplers of AMD end behind the first.
void TickLinesTest::readsWhatWorks()
{
    const auto active = [](const QByteArray& cells) {
        return parseTickLine(QByteArray("@rw-gpus n1 5 0;96;7;8;100;200;40;;1700;-;1;0;" + cells))
            ->gpus.first()
            .activity;
    };
    QVERIFY(active("12;87;43;3.1;") == (GpuActivity{12.0, 87.0, 43.0, 3.1}));
    QVERIFY(active("12;;0;0.4;") == (GpuActivity{12.0, {}, 0.0, 0.4}));
    QVERIFY(active("12;") == (GpuActivity{12.0, {}, {}, {}}));
    QVERIFY(active("12;87;43;3") == (GpuActivity{12.0, 87.0, 43.0, {}})); // cut
    for (const char* none : {"", "1", "101;", "-1;-;N/A;1e2;"})
        QVERIFY2(active(none) == GpuActivity(), none);
}

void TickLinesTest::throttles_data()
{
    QTest::addColumn<QByteArray>("cell");
    QTest::addColumn<int>("reported"); // -1: not reported
    QTest::newRow("nothing slows it") << QByteArray("-") << 0;
    QTest::newRow("power") << QByteArray("p") << 1;
    QTest::newRow("heat") << QByteArray("t") << 2;
    QTest::newRow("hardware and heat") << QByteArray("ht") << 6;
    QTest::newRow("not reported") << QByteArray() << -1;
    QTest::newRow("a letter of tomorrow") << QByteArray("px") << -1;
}

void TickLinesTest::throttles()
{
    QFETCH(QByteArray, cell);
    QFETCH(int, reported);
    const auto tick = parseTickLine(QByteArray("@rw-gpus n1 5 3;1;2;3;4;5;6;;1700;" + cell + ";2;"));
    QVERIFY_RESULT(tick);
    const auto throttle = tick->gpus.first().throttle;
    QCOMPARE(throttle ? int(*throttle) : -1, reported);
    QCOMPARE(tick->gpus.first().processes, std::optional<int>(2));
}

void TickLinesTest::emptyIsNotZero()
{
    const auto tick = parseTickLine("@rw-gpus n1 5 3;;;;;;;");
    QVERIFY_RESULT(tick);
    GpuSample nothing;
    nothing.index = 3;
    QVERIFY(tick->gpus.first() == nothing);
    // a true zero stays one; 0 W is a sensor that says nothing
    const auto idle = parseTickLine("@rw-gpus n1 5 3;0;0;10;0.0;0;0;");
    QVERIFY_RESULT(idle);
    QCOMPARE(idle->gpus.first().utilizationPercent, std::optional<double>(0));
    QCOMPARE(idle->gpus.first().memoryUsedBytes, std::optional<qint64>(0));
    QVERIFY(!idle->gpus.first().powerWatts && !idle->gpus.first().powerCapWatts);
}

void TickLinesTest::labels_data()
{
    QTest::addColumn<QByteArray>("label");
    for (const char* label : {"", "0: ", "11: ", " 3: ", "  3: "})
        QTest::newRow(label) << QByteArray(label);
}

void TickLinesTest::labels()
{
    QFETCH(QByteArray, label);
    QVERIFY_RESULT(parseTickLine(QByteArray(label + twoDies)));
}

void TickLinesTest::badCells_data()
{
    QTest::addColumn<QByteArray>("cell");
    for (const char* cell : {"N/A", "[Not Supported]", "-5", "1141796410", "nan", "inf", "1e9", "9,5", " "})
        QTest::newRow(cell) << QByteArray(cell);
}

void TickLinesTest::badCells()
{
    QFETCH(QByteArray, cell);
    const auto tick = parseTickLine(QByteArray("@rw-gpus n1 5 3;" + cell + ";7;8;100;200;40;"));
    QVERIFY_RESULT(tick);
    QVERIFY(!tick->gpus.first().utilizationPercent); // the rest of the device stays
    QCOMPARE(tick->gpus.first().memoryUsedBytes, std::optional<qint64>(7));
}

void TickLinesTest::refuses_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("banner") << QByteArray("module: loading rocm/6.0");
    QTest::newRow("srun") << QByteArray("srun: error: nid005001: task 0: Terminated");
    QTest::newRow("other tag") << QByteArray("@rw-gpus2 n1 5 3;1;2;3;4;5;6;");
    QTest::newRow("no node") << QByteArray("@rw-gpus  5 3;1;2;3;4;5;6;");
    QTest::newRow("no time") << QByteArray("@rw-gpus n1 x 3;1;2;3;4;5;6;");
    QTest::newRow("no samples") << QByteArray("@rw-gpus n1 5 ");
    QTest::newRow("record cut") << QByteArray("@rw-gpus n1 5 3;96;2073424");
    QTest::newRow("bad index") << QByteArray("@rw-gpus n1 5 x;1;2;3;4;5;6;");
    QTest::newRow("huge index") << QByteArray("@rw-gpus n1 5 99999;1;2;3;4;5;6;");
    QTest::newRow("too long")
        << QByteArray("@rw-gpus n1 5 3;1;2;3;4;5;6;").leftJustified(1024, 's'); // srun would have cut it
}

void TickLinesTest::refuses()
{
    QFETCH(QByteArray, line);
    const auto tick = parseTickLine(line);
    QVERIFY(!tick);
    QCOMPARE(tick.error().fault, Fault::Unreadable);
}

void TickLinesTest::silence()
{
    const auto silent = parseSilenceLine("0: @rw-silence n1 1795257891159 ERROR:root:Driver not  initialized");
    QVERIFY(silent);
    QCOMPARE(silent->node, u"n1"_s);
    QCOMPARE(silent->reason, u"ERROR:root:Driver not initialized"_s);
    QVERIFY(!parseSilenceLine(twoDies));
    QVERIFY(!parseTickLine("@rw-silence n1 1795257891159 3;1;2;3;4;5;6;"));
}

void TickLinesTest::cost()
{
    const auto reported = parseCostLine(" 0: @rw-cost n1 1795257891159 12.34;");
    QVERIFY(reported);
    QVERIFY(*reported == (SamplerCost{u"n1"_s, 1795257891159, 12.34}));
    QVERIFY(!parseCostLine("@rw-cost n1 1795257891159 12.3")); // cut
    QVERIFY(!parseCostLine("@rw-cost n1 1795257891159 x;"));
    QVERIFY(!parseCostLine(today));
}

void TickLinesTest::everyCutIsSurvived_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("today's") << today;
    QTest::newRow("older") << twoDies;
}

void TickLinesTest::everyCutIsSurvived()
{
    QFETCH(QByteArray, line);
    const auto whole = parseTickLine(line);
    for (qsizetype length = 0; length < line.size(); ++length) {
        const auto part = parseTickLine(line.left(length));
        if (!part)
            continue;
        // what a cut line still reports is true: no number without its last digits
        for (qsizetype i = 0; i < part->gpus.size(); ++i) {
            GpuSample expected = whole->gpus.at(i);
            const GpuSample& reported = part->gpus.at(i);
            expected.secondaryDie = reported.secondaryDie; // what is at the very end may be missing
            expected.clockMhz = reported.clockMhz ? expected.clockMhz : std::nullopt;
            expected.throttle = reported.throttle ? expected.throttle : std::nullopt;
            expected.processes = reported.processes ? expected.processes : std::nullopt;
            QVERIFY(reported == expected);
        }
    }
}

void TickLinesTest::noise()
{
    QRandomGenerator random(7);
    for (int round = 0; round < 20000; ++round) {
        const QByteArray& good = round % 2 == 0 ? today : twoDies;
        QByteArray line = good.left(random.bounded(good.size()));
        for (int i = 0; i < 4 && !line.isEmpty(); ++i)
            line[random.bounded(line.size())] = char(random.bounded(256));
        parseTickLine(line);
        parseSilenceLine(line);
        parseCostLine(line);
    }
}

RANKWRIGHT_TEST_MAIN(TickLinesTest)
#include "tst_ticklines.moc"
