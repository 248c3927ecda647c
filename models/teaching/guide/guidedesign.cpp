// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidedesign.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/cost.h"
#include "models/planner/estimate/network/modelchoice.h"
#include "models/planner/estimate/network/modellist.h"
#include "models/planner/planning/estimatetext.h"
#include "models/planner/planning/remedies.h"

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

constexpr qint64 firstBatch = 64; // samples: any usual number of GPUs divides it, and a step is seconds, not minutes
constexpr Seconds practiceTime{15 * 60};
constexpr Seconds firstTime{30 * 60}; // a first run is short; only what is used is billed
constexpr int practiceSteps = 30;
constexpr int practiceSeconds = 20;
constexpr QLatin1StringView practiceProgram("train_ddp.py");
constexpr QLatin1StringView firstModel("gpt-neo-1.3b");

bool isPracticeCluster(const QString& cluster) { return cluster == QString::fromUtf16(practiceName); }

bool runsPracticeProgram(const JobSpec& spec)
{
    return spec.command && spec.command->section(u' ', 0, 0).endsWith(practiceProgram);
}

/// The practice cluster's program with the batch of the design, so that what runs is what was shown.
QString practiceCommand(const ResolvedSpec& resolved)
{
    const BatchPlan plan = planBatch(resolved);
    const QString alone = resolved.worldSize() == 1 ? u" --alone"_s : QString(); // whatever starts its one rank
    return u"%1 --global-batch %2 --micro-batch %3 --steps %4 --epochs 3 --seconds %5"_s.arg(practiceProgram)
               .arg(plan.globalBatch)
               .arg(plan.microBatch)
               .arg(practiceSteps)
               .arg(practiceSeconds)
        + alone;
}

const ClusterProfile& noProfile()
{
    static const ClusterProfile none;
    return none;
}

std::optional<QString> textOf(const QString& text)
{
    const QString plain = text.trimmed();
    return plain.isEmpty() ? std::nullopt : std::optional(plain);
}

} // namespace

const ClusterProfile& GuideContext::profile() const
{
    const ClusterProfile* found = catalogue.find(spec.cluster);
    return found ? *found : noProfile();
}

bool GuideContext::isPractice() const { return isPracticeCluster(spec.cluster); }

QString GuideContext::lockedWhy(std::initializer_list<QLatin1StringView> fields) const
{
    QString why;
    for (const QLatin1StringView field : fields) {
        if (!isLocked(field))
            return {};
        why = why.isEmpty() ? settled.locks.value(QString(field)) : why;
    }
    return why;
}

JobSpec guidedDesign(const QString& cluster, const Catalogue& catalogue)
{
    JobSpec spec;
    spec.name = u"my-first-job"_s;
    spec.model = QJsonObject{{u"preset"_s, QString(firstModel)}};
    spec.training.globalBatch = firstBatch;
    spec.monitor.sampler = true; // what is begun in the window records itself unless one says no
    return movedTo(spec, cluster, catalogue);
}

JobSpec movedTo(JobSpec spec, const QString& cluster, const Catalogue& catalogue)
{
    const bool practice = isPracticeCluster(cluster);
    if (spec.cluster != cluster) {
        spec.cluster = cluster;
        spec.partition.reset();
        spec.account.reset();
        spec.reservation.reset();
        spec.workdir.reset();
        spec.resources = {};
        spec.environment = {};
        spec.options = {};
        spec.training.framework.reset();
        spec.parallel = {};
        spec.launcher.reset();
        spec.overrides.clear();
        spec.time = practice ? practiceTime : firstTime;
        if (!practice && runsPracticeProgram(spec))
            spec.command.reset();
    }
    if (practice && !runsPracticeProgram(spec))
        spec.command = QString(practiceProgram);
    return settled(spec, catalogue, {});
}

JobSpec settled(JobSpec spec, const Catalogue& catalogue, const GuideLocks& locks)
{
    const ClusterProfile* profile = catalogue.find(spec.cluster);
    const ResolvedSpec resolved = resolve(spec, profile ? *profile : noProfile());
    const int ranks = resolved.dataParallel();
    qint64 batch = spec.training.globalBatch.value_or(firstBatch);
    if (!locks.contains(QString(field::globalBatch)) && (batch < ranks || batch % ranks != 0)) {
        batch = qMax<qint64>(1, (qMax(batch, firstBatch) + ranks / 2) / ranks) * ranks;
        spec.training.globalBatch = batch;
    }
    if (const auto micro = spec.training.microBatch;
        micro && !locks.contains(QString(field::microBatch)) && (batch / ranks) % qMax<qint64>(1, *micro) != 0)
        spec.training.microBatch.reset();
    if (isPracticeCluster(spec.cluster) && runsPracticeProgram(spec) && !locks.contains(QString(field::command)))
        spec.command = practiceCommand(resolve(spec, profile ? *profile : noProfile()));
    return spec;
}

namespace {

/// Did a change leave alone what a class prescribes?
bool keepsLocked(const JobSpec& before, const JobSpec& after, const GuideContext& context)
{
    const auto keeps = [&context](QLatin1StringView path, bool same) { return same || !context.isLocked(path); };
    return keeps(field::nodes, before.resources.nodes == after.resources.nodes)
        && keeps(field::gpusPerNode, before.resources.gpusPerNode == after.resources.gpusPerNode)
        && keeps(field::strategy, before.parallel == after.parallel)
        && keeps(field::partition, before.partition == after.partition)
        && keeps(field::globalBatch, before.training.globalBatch == after.training.globalBatch)
        && keeps(field::microBatch, before.training.microBatch == after.training.microBatch)
        && keeps(field::optimizer, before.training.optimizer == after.training.optimizer)
        && keeps(field::offload, before.training.offload == after.training.offload)
        && keeps(field::activationCheckpointing,
            before.training.activationCheckpointing == after.training.activationCheckpointing);
}

} // namespace

JobSpec withModel(const GuideContext& context, const QJsonObject& model)
{
    JobSpec spec = context.spec;
    spec.model = model;
    spec.training.sequence.reset();
    const auto open = [&context](QLatin1StringView path, auto& value) {
        if (!context.isLocked(path))
            value.reset();
    };
    open(field::microBatch, spec.training.microBatch);
    open(field::optimizer, spec.training.optimizer);
    open(field::offload, spec.training.offload);
    open(field::activationCheckpointing, spec.training.activationCheckpointing);
    if (!context.isLocked(field::strategy))
        spec.parallel = {};
    if (!context.isLocked(field::nodes) && !context.isLocked(field::gpusPerNode))
        spec.resources = {};
    return fitted(settled(spec, context.catalogue, context.settled.locks), context);
}

JobSpec fitted(const JobSpec& spec, const GuideContext& context)
{
    const ClusterProfile* profile = context.catalogue.find(spec.cluster);
    if (!profile)
        return spec;
    const GuideTrial trial = tried(spec, *profile, context.calibrations);
    if (!trial.estimate || mayRun(trial.estimate->memory))
        return spec;
    for (const Remedy& remedy : remedies(trial.resolved, *profile, trial.estimate, context.calibrations)) {
        JobSpec after = spec;
        remedy.apply(after);
        if (keepsLocked(spec, after, context))
            return settled(after, context.catalogue, context.settled.locks);
    }
    return spec;
}

GuideTrial tried(const JobSpec& spec, const ClusterProfile& profile, const CalibrationTable& calibrations)
{
    GuideTrial trial;
    trial.spec = spec;
    trial.resolved = resolve(spec, profile);
    trial.estimate = estimateDesign(trial.resolved, planBatch(trial.resolved), profile, calibrations);
    return trial;
}

std::optional<GuidePrice> guidePrice(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const CostQuote quote = quoteCost(resolved, profile);
    if (!quote.billingAccounts || quote.billingAccounts->isEmpty())
        return {};
    const CostQuote::BillingAccount& first = quote.billingAccounts->first();
    return GuidePrice{first.perHour, first.amount, first.unit};
}

QString priceWords(const std::optional<GuidePrice>& price)
{
    return price ? u"%1 for each hour"_s.arg(amountText(price->perHour, price->unit))
                 : u"what an hour costs is not published"_s;
}

QString guideModelName(const JobSpec& spec)
{
    if (spec.model.isEmpty())
        return u"no model"_s;
    if (const ListedModel* listed = findListedModel(spec.model.value(u"preset"_s).toString()))
        return listed->title;
    const QJsonValue count = spec.model.value(u"parameters"_s);
    const auto parameters = count.isString() ? parameterCountFrom(count.toString())
        : count.isDouble()                   ? std::optional(count.toDouble())
                                             : std::nullopt;
    if (parameters)
        return u"a model of %1 parameters"_s.arg(EstimateText::parameters(*parameters));
    return u"your model"_s;
}

MemoryParts wholeCopyParts(const DesignEstimate& estimate)
{
    Workload work = estimate.run.workload;
    work.offload = Offload::None;
    return MemoryModel(work, stackOf(Framework::Pytorch), estimate.run.gpu).estimate(Layout()).parts;
}

std::optional<double> wholeCopyBytes(const GuideTrial& trial)
{
    if (!trial.estimate)
        return {};
    const MemoryParts parts = wholeCopyParts(*trial.estimate);
    return parts.weights + parts.gradients + parts.optimizer;
}

Result<JobSpec> withEntry(const GuideContext& context, const FieldPath& field, const QString& text)
{
    JobSpec spec = context.spec;
    if (context.settled.locks.contains(field))
        return fail(Fault::Invalid, context.settled.locks.value(field));
    if (field == field::account) {
        spec.account = textOf(text);
    } else if (field == field::command) {
        spec.command = textOf(text);
    } else if (field == field::workdir) {
        spec.workdir = textOf(text);
    } else if (field == field::cluster) {
        const auto& all = context.catalogue.clusters;
        const auto found = std::find_if(all.cbegin(), all.cend(),
            [&text](const ClusterProfile& one) { return one.title == text || one.name == text; });
        if (found == all.cend())
            return fail(Fault::Invalid, u"No cluster of the catalogue is called “%1”."_s.arg(text), {},
                u"Choose one of the list, or have a file drafted on the Clusters page."_s);
        return fitted(movedTo(spec, found->name, context.catalogue), context);
    } else if (field == field::model) {
        const QString plain = text.simplified();
        QJsonObject model{{u"preset"_s, plain}};
        if (const auto count = findListedModel(plain) ? std::nullopt : parameterCountFrom(plain))
            model = QJsonObject{{u"parameters"_s, *count}};
        if (const auto shape = chooseModel(model); !shape)
            return fail(shape.error());
        return withModel(context, model);
    } else {
        return fail(Fault::Invalid, u"The guide does not ask for “%1”."_s.arg(field));
    }
    return settled(spec, context.catalogue, context.settled.locks);
}

} // namespace rankwright::inline teaching
