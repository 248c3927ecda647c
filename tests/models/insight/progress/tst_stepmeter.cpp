// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/stepmeter.h"
#include "models/insight/progress/traininglogreader.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

#include <cmath>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

TrainingProgress at(qint64 step)
{
    TrainingProgress progress;
    progress.step = step;
    return progress;
}

bool isNear(double value, double truth) { return std::abs(value / truth - 1) <= 0.05; }

/// Lines that are written at known times come in pieces of a buffer, over a line with a delay.
struct Way {
    const char* name;
    int buffer; ///< bytes; 1: each line at once
    qint64 pollMs; ///< arrivals are looked for so often
    bool stalls; ///< the link hangs for a tenth of the run
    bool splits; ///< a burst comes in two parts
};

constexpr Way ways[]{{"each line", 1, 1, false, false}, {"poll", 1, 400, false, false},
    {"buffer", 4096, 1, false, false}, {"buffer, split", 8192, 1, false, true},
    {"buffer, poll", 4096, 400, false, true}, {"stall", 1, 200, true, true}};

struct Arrival {
    QByteArray bytes;
    qint64 ms = 0;
};

QList<Arrival> sent(const Way& way, const QList<std::pair<QByteArray, qint64>>& lines)
{
    QList<Arrival> all;
    QByteArray buffer;
    const qint64 length = lines.last().second;
    for (const auto& [line, writtenMs] : lines) {
        buffer += line;
        if (buffer.size() < way.buffer)
            continue;
        qint64 ms = (writtenMs / way.pollMs + 1) * way.pollMs;
        if (way.stalls && ms >= length * 6 / 10 && ms < length * 7 / 10)
            ms = length * 7 / 10;
        if (way.splits) {
            all.append({buffer.left(buffer.size() * 3 / 5), ms});
            all.append({buffer.mid(buffer.size() * 3 / 5), ms + 40});
        } else {
            all.append({buffer, ms});
        }
        buffer.clear();
    }
    return all;
}

} // namespace

/// The one meter for the time of a step: planted truths, whatever the way of the output.
class StepMeterTest final : public test::Suite {
    Q_OBJECT
private slots:
    void plantedTruth_data();
    void plantedTruth();
    void pausesAndWarmingUp();
    void fewStepsSayNothing();
    void ratesOfEveryUnit();
    void countersOfOtherThings_data();
    void countersOfOtherThings();
    void batchOfTheLog_data();
    void batchOfTheLog();
};

void StepMeterTest::plantedTruth_data()
{
    QTest::addColumn<int>("way");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("layout");
    for (const double seconds : {0.0033, 0.0125, 0.114, 0.73, 1.83}) {
        for (const QString& layout : {u"own rate"_s, u"bare"_s, u"epochs"_s, u"samples"_s}) {
            for (int way = 0; way < int(std::size(ways)); ++way)
                QTest::addRow("%g s, %s, %s", seconds, qPrintable(layout), ways[way].name) << way << seconds << layout;
        }
    }
}

void StepMeterTest::plantedTruth()
{
    QFETCH(int, way);
    QFETCH(double, seconds);
    QFETCH(QString, layout);
    QList<std::pair<QByteArray, qint64>> lines;
    constexpr int perEpoch = 250;
    const int steps = qBound(600, int(120 / seconds), 3000);
    if (layout == u"samples")
        lines.append({"world size 8, micro-batch 4 x accumulation 2 x ranks 8 = global batch 64, 9000 steps\n", 0});
    for (int step = 1; step <= steps; ++step) {
        const auto ms = qint64(step * seconds * 1000);
        QByteArray line;
        if (layout == u"own rate")
            line = QString::asprintf("step %d/%d loss 2.1 time: %.4f, lr 1e-4\n", step, steps, seconds).toUtf8();
        else if (layout == u"bare")
            line = QString::asprintf("step %d/%d loss 2.1234 lr 1.000e-04 grad norm 0.55\n", step, steps).toUtf8();
        else if (layout == u"samples")
            line = QString::asprintf("step %d/%d loss 2.1234 %.2f samples/s\n", step, steps, 64 / seconds).toUtf8();
        else
            line = QString::asprintf("epoch %d/%d step %d/%d loss 2.1234 lr 1.000e-04\n", (step - 1) / perEpoch + 1,
                steps / perEpoch, (step - 1) % perEpoch + 1, perEpoch)
                       .toUtf8();
        lines.append({line, ms});
    }
    TrainingLogReader reader;
    StepMeter meter;
    for (const Arrival& arrival : sent(ways[way], lines)) {
        reader.feed(arrival.bytes);
        meter.addProgress(reader.progress(), arrival.ms);
    }
    QVERIFY(meter.stepSeconds());
    QVERIFY2(isNear(*meter.stepSeconds(), seconds), qPrintable(QString::number(*meter.stepSeconds())));
}

void StepMeterTest::pausesAndWarmingUp()
{
    StepMeter meter;
    for (int i = 0; i < 100; ++i) // ten steps every 4 s, slow at first, one pause late
        meter.addProgress(at(i * 10), i * 4000 + (i < 20 ? 0 : 60000) + (i < 80 ? 0 : 90000));
    QCOMPARE(meter.stepSeconds(), std::optional(0.4));
}

void StepMeterTest::fewStepsSayNothing()
{
    StepMeter meter;
    QVERIFY(!meter.stepSeconds());
    for (int step = 1; step <= 3; ++step)
        meter.addProgress(at(step), step * 1000);
    QVERIFY(!meter.stepSeconds());
}

void StepMeterTest::ratesOfEveryUnit()
{
    TrainingProgress progress;
    const auto by = [&](double rate, const QString& unit) {
        progress.rate = rate;
        progress.rateUnit = unit;
        return stepSecondsByRate(progress);
    };
    QCOMPARE(by(4, u"it/s"_s), std::optional(0.25));
    QCOMPARE(by(2.5, u"s/it"_s), std::optional(2.5));
    QCOMPARE(by(250, u"ms/it"_s), std::optional(0.25));
    QVERIFY(!by(128, u"samples/s"_s)); // of what batch?
    progress.globalBatch = 64;
    QCOMPARE(by(128, u"samples/s"_s), std::optional(0.5));
    QVERIFY(!by(0, u"it/s"_s));
    QVERIFY(!by(128, u"tokens/s"_s));
}

void StepMeterTest::countersOfOtherThings_data()
{
    QTest::addColumn<QString>("line"); // %1: steps, %2: samples, %3: tokens so far
    QTest::addColumn<bool>("known");
    QTest::newRow("steps") << u"train: 50%|#####     | %1/900 [00:10<00:10, 2.00it/s]"_s << true;
    QTest::newRow("samples") << u"train: 50%|#####     | %2/57600 [00:10<00:10, 128.0samples/s]"_s << false;
    QTest::newRow("tokens") << u"train: 50%|#####     | %3/58982400 [00:10<00:10, 131072tok/s]"_s << false;
    QTest::newRow("samples, no total") << u"train: %2samples [00:10, 128.0samples/s]"_s << false;
    QTest::newRow("tokens, no total") << u"%3tok [00:10, 131072tok/s]"_s << false;
}

/// A counter of samples or tokens gives no time of a step, unless the log says how many make one.
void StepMeterTest::countersOfOtherThings()
{
    QFETCH(QString, line);
    QFETCH(bool, known);
    for (const bool batch : {false, true}) {
        if (batch && line.contains(u"tok"_s))
            continue; // how many tokens a sample has is not said
        TrainingLogReader reader;
        StepMeter meter;
        if (batch)
            reader.feed("global batch size: 64\n");
        for (int step = 1; step <= 900; ++step) {
            const QString text = QString(line)
                                     .replace(u"%1"_s, QString::number(step))
                                     .replace(u"%2"_s, QString::number(64 * step))
                                     .replace(u"%3"_s, QString::number(65536 * step));
            reader.feed(text.toUtf8() + '\r');
            meter.addProgress(reader.progress(), step * 500);
        }
        QCOMPARE(meter.stepSeconds().has_value(), known || batch);
        if (known || batch)
            QVERIFY2(isNear(*meter.stepSeconds(), 0.5), qPrintable(QString::number(*meter.stepSeconds())));
    }
}

void StepMeterTest::batchOfTheLog_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<qint64>("micro");
    QTest::addColumn<qint64>("global");
    QTest::newRow("per GPU") << QByteArray("model vit-b, batch 32 per GPU, 8 GPUs") << 32LL << -1LL;
    QTest::newRow("Transformers") << QByteArray("  Instantaneous batch size per device = 8") << 8LL << -1LL;
    QTest::newRow("Transformers, total") << QByteArray(
        "  Total train batch size (w. parallel, distributed & accumulation) = 64")
                                         << -1LL << 64LL;
    QTest::newRow("Megatron's arguments")
        << QByteArray("  micro_batch_size ................................ 4") << 4LL << -1LL;
    QTest::newRow("Megatron's line") << QByteArray(
        " iteration 100/ 1000 | consumed samples: 25600 | elapsed time per iteration (ms): 512.3 | "
        "global batch size:   256 | lm loss: 7.1E+00 |")
                                     << -1LL << 256LL;
    QTest::newRow("own") << QByteArray("world size 8, micro-batch 4 x accumulation 2 x ranks 8 = global batch 64")
                         << 4LL << 64LL;
    QTest::newRow("memory") << QByteArray("using 31.2 GiB per GPU") << -1LL << -1LL;
    QTest::newRow("a micro-batch of several") << QByteArray("step 5 | micro batch 3/4 | loss 2.1") << -1LL << -1LL;
    QTest::newRow("micro-batch 3 of 4") << QByteArray("step 5, micro batch: 3 of 4, loss 2.1") << -1LL << -1LL;
    QTest::newRow("the 120th global batch") << QByteArray("global batch 120 | loss 2.31 | lr 1e-4") << -1LL << -1LL;
    QTest::newRow("size by a colon") << QByteArray("micro batch: 4, global batch = 256") << 4LL << 256LL;
    QTest::newRow("product") << QByteArray("Effective batch size: 32 × 4 = 128") << -1LL << 128LL;
    QTest::newRow("product without its result") << QByteArray("global batch size: 8 x 4 x 2") << -1LL << 64LL;
    QTest::newRow("product with words") << QByteArray("Effective batch size: 32 per GPU * 4 GPUs = 128") << 32LL
                                        << 128LL;
    QTest::newRow("product with brackets")
        << QByteArray("Total batch size: 4 (micro) x 8 (accumulation) = 32, lr = 3") << -1LL << 32LL;
    QTest::newRow("explained before the colon") << QByteArray("Effective batch size (32 x 4): 128") << -1LL << 128LL;
    QTest::newRow("another value behind a product") << QByteArray("global batch size: 8 x 4 lr = 3") << -1LL << 32LL;
    QTest::newRow("no product") << QByteArray("global batch size: 512 max steps = 100") << -1LL << 512LL;
    QTest::newRow("another value behind it") << QByteArray("global batch size: 512 lr = 3") << -1LL << 512LL;
    QTest::newRow("evaluation") << QByteArray("Evaluating with batch size per device = 16") << -1LL << -1LL;
}

void StepMeterTest::batchOfTheLog()
{
    QFETCH(QByteArray, line);
    QFETCH(qint64, micro);
    QFETCH(qint64, global);
    for (const bool summary : {false, true}) {
        TrainingLogReader reader;
        reader.setSummaryOnly(summary);
        reader.feed(line + '\n');
        reader.finish();
        QCOMPARE(reader.progress().microBatch.value_or(-1), micro);
        QCOMPARE(reader.progress().globalBatch.value_or(-1), global);
    }
}

RANKWRIGHT_TEST_MAIN(StepMeterTest)
#include "tst_stepmeter.moc"
