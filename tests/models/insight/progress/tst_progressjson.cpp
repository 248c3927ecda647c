// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/progressjson.h"
#include "tests/support/testbase.h"

#include <QJsonDocument>

#include <cmath>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

TrainingProgress everything()
{
    TrainingProgress progress;
    progress.framework = u"tqdm"_s;
    progress.epoch = 1.5;
    progress.epochs = 3;
    progress.step = 30;
    progress.steps = 600;
    progress.loss = 2.5;
    progress.rate = 3.25;
    progress.rateUnit = u"it/s"_s;
    progress.etaSeconds = 175;
    progress.stepWithinEpoch = true;
    progress.reward = 0.75;
    progress.kl = 0.002;
    progress.evalLoss = 2.75;
    progress.tokensPerSecond = 41000;
    progress.samplesPerSecond = 12.5;
    return progress;
}

} // namespace

/// A training's state: the same members wherever it is reported, and read back as it was.
class ProgressJsonTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsWhatItWrote();
    void unknownIsNull();
    void damaged_data();
    void damaged();
};

void ProgressJsonTest::readsWhatItWrote()
{
    for (const TrainingProgress& progress : {everything(), TrainingProgress()}) {
        QJsonObject json = progressJson(progress);
        json.insert(u"further"_s, true);
        const auto back = progressFromJson(JsonReader(json));
        QVERIFY_RESULT(back);
        QCOMPARE(*back, progress);
    }
}

void ProgressJsonTest::unknownIsNull()
{
    const QJsonObject json = progressJson({});
    for (const char* member : {"epoch", "epochs", "step", "steps", "loss", "rate", "rateUnit", "etaSeconds"})
        QVERIFY2(json.contains(QLatin1StringView(member)) && json.value(QLatin1StringView(member)).isNull(), member);
    for (const char* member : {"reward", "kl", "evalLoss", "tokensPerSecond", "samplesPerSecond"})
        QVERIFY2(!json.contains(QLatin1StringView(member)), member);
    TrainingProgress lost;
    lost.loss = std::numeric_limits<double>::quiet_NaN(); // JSON has no such number
    QJsonObject said = progressJson(lost);
    QVERIFY(said.take(u"lossNotFinite"_s).toBool());
    QCOMPARE(QJsonDocument(said).toJson(), QJsonDocument(json).toJson());
    const QByteArray kept = QJsonDocument(progressJson(lost)).toJson();
    const auto back = progressFromJson(JsonReader(QJsonDocument::fromJson(kept).object()));
    QVERIFY_RESULT(back);
    QVERIFY(back->loss && std::isnan(*back->loss)); // lost, and not unknown
}

void ProgressJsonTest::damaged_data()
{
    QTest::addColumn<QString>("member");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("why");
    QTest::newRow("step") << u"step"_s << QJsonValue(u"30"_s)
                          << u"$.step: expected a whole number, found the text “30”"_s;
    QTest::newRow("loss") << u"loss"_s << QJsonValue(true) << u"$.loss: expected a number, found true or false"_s;
    QTest::newRow("unit") << u"rateUnit"_s << QJsonValue(1) << u"$.rateUnit: expected text, found the number 1"_s;
}

void ProgressJsonTest::damaged()
{
    QFETCH(QString, member);
    QFETCH(QJsonValue, value);
    QJsonObject json = progressJson(everything());
    json.insert(member, value);
    const auto back = progressFromJson(JsonReader(json));
    QVERIFY(!back);
    QTEST(back.error().what, "why");
}

RANKWRIGHT_TEST_MAIN(ProgressJsonTest)
#include "tst_progressjson.moc"
