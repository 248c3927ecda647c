// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/memorycase.h"
#include "app/report/reportinputs.h"
#include "app/report/reportjson.h"
#include "app/report/reportmaker.h"
#include "models/insight/report/reportmarkdown.h"
#include "models/script/document/designjson.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// Llama 3 8B on two nodes, sharded, which the planner takes to fit.
JobSpec fittingDesign()
{
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_462000265"_s;
    spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    spec.resources.nodes = 2;
    spec.resources.gpusPerNode = 8;
    spec.parallel.strategy = Strategy::Fsdp;
    spec.training.microBatch = 4;
    spec.training.globalBatch = 64;
    spec.training.activationCheckpointing = ActivationCheckpointing::None;
    return spec;
}

/// A design with all that is worked out of it.
struct Planned {
    const ClusterProfile& profile;
    CalibrationTable learned;
    ResolvedSpec resolved;
    BatchPlan batch;
    std::optional<DesignEstimate> estimate;

    Planned(const ClusterProfile& site, const JobSpec& spec)
        : profile(site), resolved(resolve(spec, site)), batch(planBatch(resolved))
    {
        if (const auto made = estimateDesign(resolved, batch, profile))
            estimate = *made;
    }
    PlannedJob job() const { return {resolved, batch, estimate, profile, learned}; }
};

Diagnosis failure(const MemoryMessage& message)
{
    Diagnosis diagnosis;
    diagnosis.kind = u"oom_gpu"_s;
    diagnosis.evidence = u"HIP out of memory."_s;
    diagnosis.memory = message;
    return diagnosis;
}

MemoryMessage messageOf(double allocatedGib, double triedGib, double unusedGib = 0)
{
    MemoryMessage message;
    message.runtime = MemoryMessage::Runtime::Hip;
    message.tried = Bytes::gib(triedGib);
    message.capacity = Bytes::gib(64);
    message.free = Bytes::gib(1);
    message.allocated = Bytes::gib(allocatedGib);
    message.unused = Bytes::gib(unusedGib);
    return message;
}

JobUsage failedJob()
{
    JobUsage usage;
    usage.job.id = u"7100"_s;
    usage.job.state = JobState::Failed;
    usage.job.nodes = 2;
    usage.job.gpus = 16;
    return usage;
}

} // namespace

/// What took a GPU's memory: the message, the plan beside it, the smallest change.
class MemoryCaseTest final : public test::Suite {
    Q_OBJECT
private slots:
    void withoutADesignOnlyTheMessage();
    void moreThanPlanned();
    void theSmallestChangeFits();
    void piecesThatAreTooSmall();
    void whatNothingPasses();
    void changesOfADesign();
    void inTheReport();

private:
    Catalogue m_catalogue = loadCatalogue({});
    const ClusterProfile& site() const { return *m_catalogue.find(u"lumi"_s); }
};

void MemoryCaseTest::withoutADesignOnlyTheMessage()
{
    const auto shortage = memoryShortage({failure(messageOf(60, 2))}, nullptr, {});
    QVERIFY(shortage && !shortage->plan && !shortage->excess() && !shortage->passingBytes());
    const QStringList said = statementsOf(*shortage, u"GCD"_s);
    QCOMPARE(said.size(), 1);
    QVERIFY2(said.first().contains(u"60"_s) && said.first().contains(u"GCD"_s), qPrintable(said.first()));
    Diagnosis host;
    host.kind = u"oom_host"_s;
    QVERIFY(!memoryShortage({host}, nullptr, {}));
    Diagnosis hint = failure(messageOf(60, 2));
    hint.confirmed = false;
    QVERIFY(!memoryShortage({hint}, nullptr, {}));
    MemoryMessage shared = messageOf(40, 2);
    shared.others = Bytes::gib(20);
    const auto crowded = memoryShortage({failure(shared)}, nullptr, {});
    QVERIFY(statementsOf(*crowded, u"GCD"_s).at(1).startsWith(u"Other processes held"_s));
}

void MemoryCaseTest::moreThanPlanned()
{
    const Planned planned(site(), fittingDesign());
    QVERIFY(planned.estimate);
    const double expected = planned.estimate->memory.totalBytes / bytesPerGib;
    const PlannedJob job = planned.job();
    const auto more = memoryShortage({failure(messageOf(expected * 1.5, 2))}, &job, {});
    QVERIFY(more && more->plan);
    QVERIFY(*more->excess() > 1.5);
    QVERIFY(*more->passingBytes() > more->plan->passingBytes);
    double sum = 0;
    for (const MemoryShortage::Part& part : more->plan->parts)
        sum += part.bytes;
    QVERIFY(sum > 0 && sum < 1.2 * more->plan->totalBytes);
    const auto as = memoryShortage({failure(messageOf(expected * 0.9, 0.1))}, &job, {});
    QVERIFY(!as->excess() && !as->passingBytes());
    QVERIFY(statementsOf(*as, u"GCD"_s).size() >= 2);
}

void MemoryCaseTest::theSmallestChangeFits()
{
    const Planned planned(site(), fittingDesign());
    const PlannedJob job = planned.job();
    const double usable = planned.estimate->memory.usableBytes;
    auto shortage = *memoryShortage({failure(messageOf(usable / bytesPerGib, 3))}, &job, {});
    shortage.unpassed.clear();
    const auto change = memoryChange(shortage, job, {});
    QVERIFY(change && change->kind == AdviceKind::Design && change->changesDesign());
    JobSpec after = planned.resolved.spec;
    QVERIFY(applyAdvice(after, *change));
    QVERIFY(after != planned.resolved.spec);
    const Planned then(site(), after);
    QVERIFY(then.estimate);
    const double more = qMax(1.0, double(shortage.said.needed()->count) / planned.estimate->memory.totalBytes);
    QVERIFY2(then.estimate->memory.heldBytes * more <= usable * 1.02, qPrintable(change->text));
}

void MemoryCaseTest::piecesThatAreTooSmall()
{
    const Planned planned(site(), fittingDesign());
    const PlannedJob job = planned.job();
    MemoryMessage message = messageOf(40, 2, 15);
    const auto hip = memoryShortage({failure(message)}, &job, {});
    QVERIFY(hip->isFragmented());
    message.runtime = MemoryMessage::Runtime::Cuda;
    const auto cuda = memoryShortage({failure(message)}, &job, {});
    const auto change = memoryChange(*cuda, job, {});
    QVERIFY(change);
    JobSpec after = planned.resolved.spec;
    QVERIFY(applyAdvice(after, *change));
    QCOMPARE(after.environment.variables.value(u"PYTORCH_CUDA_ALLOC_CONF"_s), u"expandable_segments:True"_s);
    const auto set = memoryChange(*cuda, job, "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n");
    QVERIFY(!set || !set->design.contains("expandable_segments"));
    message.unused = Bytes::gib(1);
    QVERIFY(!memoryShortage({failure(message)}, &job, {})->isFragmented());
}

void MemoryCaseTest::whatNothingPasses()
{
    JobSpec spec = fittingDesign();
    spec.training.activationCheckpointing = ActivationCheckpointing::Full;
    const Planned planned(site(), spec);
    const PlannedJob job = planned.job();
    const QList<Diagnosis> found{failure(messageOf(60, 2))};
    const auto silent = memoryShortage(found, &job, "#!/bin/bash\nsrun python train.py\n");
    QVERIFY(silent->unpassed.contains(u"recomputed activations"_s));
    QVERIFY(!memoryChange(*silent, job, {})); // a change of the design would change nothing that runs
    const auto said = memoryShortage(found, &job, "srun python train.py --gradient_checkpointing True\n");
    QVERIFY(!said->unpassed.contains(u"recomputed activations"_s));
    const auto unknown = memoryShortage(found, &job, {});
    QVERIFY(!unknown->unpassed.contains(u"recomputed activations"_s));
}

void MemoryCaseTest::changesOfADesign()
{
    const JobSpec before = fittingDesign();
    QVERIFY(designChange(before, before).isEmpty());
    JobSpec after = before;
    after.training.microBatch = 1;
    after.training.activationCheckpointing.reset();
    after.environment.variables.insert(u"A"_s, u"1"_s);
    const QByteArray change = designChange(before, after);
    QVERIFY(!change.contains("llama"));
    JobSpec taken = before;
    QVERIFY(applyDesignChange(taken, change));
    QVERIFY(taken == after);
    JobSpec typed = before; // what runs is what its command passes
    typed.command = u"train_ddp.py --micro-batch 4 --steps 30"_s;
    typed.training.microBatch = 4;
    QVERIFY(applyDesignChange(typed, change));
    QCOMPARE(typed.training.microBatch, std::optional<qint64>(1));
    QCOMPARE(typed.command, std::optional(u"train_ddp.py --micro-batch 1 --steps 30"_s));
    QVERIFY(!applyDesignChange(taken, {}));
    QVERIFY(!applyDesignChange(taken, "{\"training\":{\"microBatch\":\"many\"}}"));
    QVERIFY(taken == after);
}

void MemoryCaseTest::inTheReport()
{
    JobEvidence evidence;
    evidence.design = writeDesign(fittingDesign());
    evidence.ending.diagnoses = {failure(messageOf(61, 3))};
    const JobCase made = makeCase(failedJob(), UsageSource::Accounting, evidence, &site(), {});
    const EfficiencyReport report = makeReport(made.inputs);
    QVERIFY(report.shortage && report.shortage->plan);
    QVERIFY(report.findings.contains(statementsOf(*report.shortage, report.gpuWord).first()));
    JobReports reports;
    reports.reports = {report};
    const QJsonObject json
        = reportsJson(reports).value(u"jobs"_s).toArray().first().toObject().value(u"outOfMemory"_s).toObject();
    QVERIFY(json.value(u"neededBytes"_s).toDouble() > 0);
    QVERIFY(json.value(u"plannedParts"_s).toObject().value(u"weights"_s).toDouble() > 0);
    QVERIFY(toMarkdown(reports.reports, {}, {}).contains(u"When the memory ran out"_s));
    evidence.ending.diagnoses.clear();
    const EfficiencyReport healthy
        = makeReport(makeCase(failedJob(), UsageSource::Accounting, evidence, &site(), {}).inputs);
    QVERIFY(!healthy.shortage);
    reports.reports = {healthy};
    QVERIFY(reportsJson(reports).value(u"jobs"_s).toArray().first().toObject().value(u"outOfMemory"_s).isNull());
}

RANKWRIGHT_TEST_MAIN(MemoryCaseTest)
#include "tst_memorycase.moc"
