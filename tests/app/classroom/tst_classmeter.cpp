// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/classmeter.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What is measured of a watched job for the checks of a class.
class ClassMeterTest final : public test::Suite {
    Q_OBJECT
private slots:
    void findsTheLeastBusy();
    void whatWasNotReportedIsNotZero();
    void knowsTheSpeed();
    void readsWhereItBegan_data();
    void readsWhereItBegan();
    void goingOnIsNotTakenBack();
    void knowsHowTheLossWent();

private:
    static NodeTick tick(const QString& node, const QList<std::optional<double>>& use);
};

NodeTick ClassMeterTest::tick(const QString& node, const QList<std::optional<double>>& use)
{
    NodeTick made{node, 0, {}};
    for (int i = 0; i < use.size(); ++i) {
        GpuSample sample;
        sample.index = i;
        sample.utilizationPercent = use.at(i);
        made.gpus.append(sample);
    }
    return made;
}

void ClassMeterTest::findsTheLeastBusy()
{
    ClassMeter meter(u"GCD"_s);
    meter.addTick(tick(u"n1"_s, {0.0, 0.0})); // the program starts
    meter.addTick(tick(u"n1"_s, {90.0, 40.0}));
    meter.addTick(tick(u"n1"_s, {90.0, 20.0}));
    meter.addTick(tick(u"n2"_s, {80.0, 250.0})); // no tool may say more than all
    RunFacts facts;
    meter.fill(facts);
    QCOMPARE(facts.leastBusyPercent, 30.0);
    QCOMPARE(facts.leastBusyGpu, u"n1, GCD 1"_s);
}

void ClassMeterTest::whatWasNotReportedIsNotZero()
{
    ClassMeter meter;
    meter.addTick(tick(u"n1"_s, {std::nullopt, std::nullopt}));
    meter.addTick(tick(u"n1"_s, {0.0, 0.0})); // never worked: nothing is known yet
    RunFacts facts;
    facts.ranks = 8;
    meter.fill(facts);
    QVERIFY(!facts.leastBusyPercent);
    QVERIFY(!facts.stepSeconds);
    QVERIFY(!facts.resumed);
    QCOMPARE(facts.ranks, 8); // what was known stays
    meter.addTick(tick(u"n1"_s, {70.0, std::nullopt}));
    meter.fill(facts);
    QCOMPARE(facts.leastBusyPercent, 70.0);
}

void ClassMeterTest::knowsTheSpeed()
{
    ClassMeter meter;
    TrainingProgress progress;
    progress.stepSeconds = 0.5;
    meter.addProgress(progress);
    RunFacts facts;
    meter.fill(facts);
    QCOMPARE(facts.stepSeconds, 0.5);
    QVERIFY(!facts.samplesPerSecond);
    progress.globalBatch = 32;
    meter.addProgress(progress);
    meter.fill(facts);
    QCOMPARE(facts.samplesPerSecond, 64.0);
}

void ClassMeterTest::readsWhereItBegan_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<std::optional<bool>>("resumed");
    QTest::newRow("at 0") << u"training starts at step 0"_s << std::optional(false);
    QTest::newRow("later") << u"[rank 0] Training starts at step 40 of 60"_s << std::optional(true);
    QTest::newRow("practice") << u"resumed from /users/ada/ckpt.pt at step 40"_s << std::optional(true);
    QTest::newRow("practice, anew") << u"no checkpoint class.pt yet, starting at step 0"_s << std::optional(false);
    QTest::newRow("transformers") << u"Resuming training from checkpoint-500"_s << std::optional(true);
    QTest::newRow("no checkpoint") << u"no checkpoint found, training from scratch"_s << std::optional(false);
    QTest::newRow("a step") << u"step 40 loss 2.1"_s << std::optional<bool>();
    QTest::newRow("an advice") << u"save checkpoints and resume"_s << std::optional<bool>();
    QTest::newRow("very long") << QString(5000, u'x') + u" resumed from a"_s << std::optional<bool>();
}

void ClassMeterTest::readsWhereItBegan()
{
    QFETCH(const QString, line);
    QFETCH(const std::optional<bool>, resumed);
    QCOMPARE(resumedBy(line), resumed);
}

void ClassMeterTest::goingOnIsNotTakenBack()
{
    ClassMeter meter;
    meter.addLine(u"no checkpoint found"_s);
    meter.addLine(u"resumed from a.pt at step 4"_s);
    meter.addLine(u"epoch 2 starts at step 0"_s);
    RunFacts facts;
    meter.fill(facts);
    QCOMPARE(facts.resumed, true);
}

void ClassMeterTest::knowsHowTheLossWent()
{
    ClassMeter meter;
    RunFacts facts;
    meter.setLosses(QList<LossPoint>{});
    meter.setLosses(QList<LossPoint>{{1, 2.5}});
    meter.fill(facts);
    QVERIFY(!facts.firstLoss && !facts.lastLoss); // one value says nothing of a fall
    meter.setLosses(QList<LossPoint>{{1, 2.5}, {2, 2.25}});
    meter.setLosses(QList<LossPoint>{{2, 2.25}, {4, 2.0}}); // the first point of a long curve was left out
    meter.fill(facts);
    QCOMPARE(facts.firstLoss, 2.5);
    QCOMPARE(facts.lastLoss, 2.0);
    TrainingProgress progress;
    progress.loss = std::numeric_limits<double>::quiet_NaN();
    meter.addProgress(progress);
    meter.fill(facts);
    QCOMPARE(facts.firstLoss, 2.5);
    QVERIFY(std::isinf(*facts.lastLoss)); // it did not end at 2
    progress.loss = 1.9; // a step that was left out
    meter.addProgress(progress);
    meter.fill(facts);
    QCOMPARE(facts.lastLoss, 2.0);
}

RANKWRIGHT_TEST_MAIN(ClassMeterTest)
#include "tst_classmeter.moc"
