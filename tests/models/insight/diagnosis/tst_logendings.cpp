// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/progress/traininglogreader.h"
#include "tests/models/support/jsoncases.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// One JSON object per line: "name", "log", and what a correct reader reports: "class" (null: nothing), "rank", "gpu",
/// "node", "evidence" (a part of what is quoted), "progress". What is absent is not evaluated; null is "not reported".
QList<QJsonObject> cases()
{
    return test::jsonCases(u"logs/endings.jsonl"_s) + test::jsonCases(u"logs/public.jsonl"_s)
        + test::jsonCases(u"logs/public_aside.jsonl"_s) + test::jsonCases(u"logs/public_2026.jsonl"_s)
        + test::jsonCases(u"logs/public_late2026.jsonl"_s) + test::jsonCases(u"logs/public_newest2026.jsonl"_s)
        + test::jsonCases(u"logs/healthy_2026.jsonl"_s);
}

QJsonObject reportedBy(const TrainingProgress& progress)
{
    return {{u"epoch"_s, test::jsonOf(progress.epoch)}, {u"epochs"_s, test::jsonOf(progress.epochs)},
        {u"step"_s, test::jsonOf(progress.step)}, {u"steps"_s, test::jsonOf(progress.steps)},
        {u"loss"_s, test::jsonOf(progress.loss)}, {u"rate"_s, test::jsonOf(progress.rate)},
        {u"rateUnit"_s, test::jsonOf(progress.rateUnit)}, {u"etaSeconds"_s, test::jsonOf(progress.etaSeconds)},
        {u"microBatch"_s, test::jsonOf(progress.microBatch)}, {u"globalBatch"_s, test::jsonOf(progress.globalBatch)},
        {u"reward"_s, test::jsonOf(progress.reward)}, {u"kl"_s, test::jsonOf(progress.kl)},
        {u"evalLoss"_s, test::jsonOf(progress.evalLoss)},
        {u"tokensPerSecond"_s, test::jsonOf(progress.tokensPerSecond)},
        {u"samplesPerSecond"_s, test::jsonOf(progress.samplesPerSecond)}};
}

QString shown(const QJsonValue& value)
{
    return QString::fromUtf8(QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact));
}

bool isSame(const QJsonValue& one, const QJsonValue& other)
{
    if (one.isDouble() && qIsNaN(one.toDouble())) // JSON has no word for it
        return other.isNull();
    if (one.isDouble() && other.isDouble())
        return qAbs(one.toDouble() - other.toDouble()) <= 1e-9 + 0.001 * qAbs(other.toDouble());
    return one == other;
}

} // namespace

/// The ends of outputs as many programs print them, healthy and not; names and figures invented.
class LogEndingsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void reported_data();
    void reported();
    void cutAnywhere_data() { reported_data(); }
    void cutAnywhere();
};

void LogEndingsTest::reported_data()
{
    QTest::addColumn<QJsonObject>("sample");
    const QList<QJsonObject> all = cases();
    QVERIFY(all.size() > 100);
    for (const QJsonObject& sample : all)
        QTest::newRow(qPrintable(sample.value(u"name"_s).toString())) << sample;
}

void LogEndingsTest::reported()
{
    QFETCH(QJsonObject, sample);
    const QByteArray log = sample.value(u"log"_s).toString().toUtf8();
    const QList<Diagnosis> found = diagnose(log);
    const Diagnosis first = found.value(0);
    const QJsonObject who{{u"class"_s, test::jsonOf(first.kind)}, {u"rank"_s, test::jsonOf(first.rank)},
        {u"gpu"_s, test::jsonOf(first.gpu)}, {u"node"_s, test::jsonOf(first.node)}};
    for (const QString& key : who.keys()) {
        if (!sample.contains(key))
            continue;
        QVERIFY2(who.value(key) == sample.value(key),
            qPrintable(key + u": "_s + shown(who.value(key)) + u" of "_s + first.evidence));
    }
    QVERIFY2(first.evidence.contains(sample.value(u"evidence"_s).toString()), qPrintable(first.evidence));
    TrainingLogReader reader;
    reader.setSummaryOnly(true);
    reader.feed(log);
    reader.finish();
    const QJsonObject progress = reportedBy(reader.progress()), wanted = sample.value(u"progress"_s).toObject();
    for (const QString& key : wanted.keys())
        QVERIFY2(
            isSame(progress.value(key), wanted.value(key)), qPrintable(key + u": "_s + shown(progress.value(key))));
    if (sample.contains(u"framework"_s))
        QCOMPARE(reader.progress().framework, sample.value(u"framework"_s).toString());
}

/// Output comes in pieces that end anywhere.
void LogEndingsTest::cutAnywhere()
{
    QFETCH(QJsonObject, sample);
    const QByteArray log = sample.value(u"log"_s).toString().toUtf8();
    for (const int piece : {7, 61}) {
        LogDiagnoser diagnoser;
        for (qsizetype at = 0; at < log.size(); at += piece)
            diagnoser.feed(log.mid(at, piece));
        QCOMPARE(diagnoser.diagnoses(), diagnose(log));
    }
}

RANKWRIGHT_TEST_MAIN(LogEndingsTest)
#include "tst_logendings.moc"
