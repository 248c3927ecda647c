// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/designfields.h"

#include "models/core/quantitytext.h"
#include "widgets/form/fieldmakers.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using namespace fieldmaker;

constexpr qint64 mostNodes = 10000; // as resolve() clamps
constexpr qint64 most = 1000000000000;

DesignField clusterField()
{
    DesignField field = fieldOf(field::cluster, tr("Cluster"),
        tr("Where the job is to run. Hardware, limits, prices and defaults come from its description."), {},
        Kind::Choice);
    field.options = [](const Design& design) {
        // The practice cluster first, which needs no account; then by name those that take jobs, then the entry for any
        // other cluster; closed ones last.
        QList<ClusterProfile> clusters = design.catalogue().clusters;
        const auto placeOf = [](const ClusterProfile& profile) {
            const bool any = profile.name == QStringView(anyClusterName);
            const int kind = profile.name == QStringView(practiceName) ? 0 : !profile.acceptsJobs ? 3 : any ? 2 : 1;
            return std::pair(kind, profile.title.toCaseFolded());
        };
        std::stable_sort(clusters.begin(), clusters.end(),
            [&](const ClusterProfile& a, const ClusterProfile& b) { return placeOf(a) < placeOf(b); });
        QList<Option> options;
        for (const ClusterProfile& profile : std::as_const(clusters))
            options.append({profile.name, profile.acceptsJobs ? profile.title : tr("%1 (closed)").arg(profile.title),
                profile.status});
        return options;
    };
    return field;
}

DesignField partitionField()
{
    auto field = fieldOf(field::partition, tr("Partition"),
        tr("The queue. It decides whether nodes are shared, how long and how wide a job may be, and the price."),
        [](const Derived& d) {
            if (!d.profile->partition(d.resolved.partition))
                return QString();
            return d.resolved.partitionInfo.shared ? tr("shared nodes") : tr("whole nodes");
        });
    field.options = [](const Design& design) {
        QList<Option> options;
        for (const Partition& partition : design.derived().profile->partitions)
            options.append({partition.name, partition.name, partition.note});
        return options;
    };
    return field;
}

QList<DesignField> jobFields()
{
    auto account = fieldOf(field::account, tr("Account"), tr("The project that pays for the job."));
    account.placeholder = [](const Derived& d) {
        const LaunchDefaults& defaults = d.profile->launch;
        if (!defaults.accountRequired)
            return tr("not needed here");
        return tr("needed here");
    };
    auto reservation = fieldOf(field::reservation, tr("Reservation"),
        tr("Nodes set aside in advance, for example for a workshop. Leave it empty unless you were given one."));
    reservation.placeholder = [](const Derived&) { return tr("none"); };
    auto name = fieldOf(field::name, tr("Name"), tr("The job's name in the queue and in the name of its log file."));
    return {name, clusterField(), account, partitionField(), reservation};
}

/// One row for the option by which the program is given a figure.
DesignField optionField(QLatin1StringView path, const QString& label, ProgramFigure figure)
{
    auto made = fieldOf(path, label,
        tr("What your program calls it: the script then passes what the design has. “own”: the program takes it from its "
           "own configuration."),
        {}, Kind::Code);
    made.placeholder = [figure](const Derived& d) {
        return d.passing.follows.contains(figure) || d.passing.typed.contains(figure) ? tr("passed already")
            : d.passing.own.contains(figure)                                          ? tr("in its configuration")
                                                                                      : tr("--option");
    };
    return made;
}

QList<DesignField> optionFields()
{
    return {optionField(field::microBatchOption, tr("Micro-batch option"), ProgramFigure::MicroBatch),
        optionField(field::accumulationOption, tr("Accumulation option"), ProgramFigure::Accumulation),
        optionField(field::globalBatchOption, tr("Global batch option"), ProgramFigure::GlobalBatch),
        optionField(field::epochsOption, tr("Epochs option"), ProgramFigure::Epochs),
        optionField(field::precisionOption, tr("Precision option"), ProgramFigure::Precision)};
}

QList<DesignField> batchFields()
{
    auto epochs = fieldOf(field::epochs, tr("Epochs"), tr("How often the data set is read."));
    epochs.placeholder = [](const Derived&) { return tr("not given"); };
    epochs.hint = [](const Derived& d) {
        const auto& asked = d.resolved.spec.training.epochs;
        if (d.passing.isUnsaid(ProgramFigure::Epochs))
            return notPassed();
        if (!asked || !d.batch.stepsPerEpoch)
            return QString();
        return counted(qRound64(*asked * *d.batch.stepsPerEpoch), tr("step"));
    };
    auto samples = wholeField(field::datasetSamples, tr("Data set"),
        tr("Sequences in the data set: gives the number of steps in an epoch."), 1, most, [](const Derived& d) {
            return d.batch.stepsPerEpoch ? tr("%1 each").arg(counted(qRound64(*d.batch.stepsPerEpoch), tr("step")))
                                         : tr("sequences");
        });
    samples.placeholder = [](const Derived&) { return tr("not given"); };
    auto tokens = wholeField(field::datasetTokens, tr("Data set, tokens"),
        tr("Tokens of the data set where its sequences are not counted: with the sequence length they give the steps of an epoch."),
        1, most, [](const Derived&) { return tr("tokens"); });
    tokens.placeholder = [](const Derived&) { return tr("not given"); };
    auto global = wholeField(field::globalBatch, tr("Global batch"),
        tr("Sequences of all ranks together per optimiser step. It decides how the training converges."), 1, most,
        [](const Derived& d) { return d.passing.batchIsUnsaid() ? notPassed() : tr("sequences"); });
    global.placeholder = [](const Derived& d) { return humanNumber(double(d.batch.globalBatch)); };
    auto micro = wholeField(field::microBatch, tr("Micro-batch"),
        tr("Sequences that one rank computes at a time. It decides how much memory activations take."), 1, most,
        [](const Derived& d) {
            if (d.passing.isUnsaid(ProgramFigure::MicroBatch))
                return notPassed();
            if (d.estimate)
                return d.estimate->largestMicroBatch > 0
                    ? tr("largest that fits: %1").arg(humanNumber(double(d.estimate->largestMicroBatch)))
                    : tr("not even 1 fits");
            return counted(d.batch.gradientAccumulation, tr("accumulation step"));
        });
    micro.placeholder = [](const Derived& d) { return humanNumber(double(d.batch.microBatch)); };
    return {global, micro, samples, tokens, epochs};
}

DesignField memoryField()
{
    DesignField field = fieldOf(field::memoryPerNode, tr("Memory per node"),
        tr("Main memory, not the GPUs'. Written as Slurm does: 480G, 125000M."));
    field.hint = [](const Derived& d) {
        return d.resolved.node.memory.count > 0 ? tr("max %1").arg(humanBytes(d.resolved.node.memory, 0)) : QString();
    };
    return field;
}

DesignField timeField()
{
    DesignField field = fieldOf(field::time, tr("Time limit"),
        tr("Slurm ends the job after this time. Forms: minutes, HH:MM:SS, D-HH, D-HH:MM:SS."));
    field.hint = [](const Derived& d) {
        // The meaning shown back: "48" is 48 minutes, and usually meant as hours.
        const QString limit = d.resolved.partitionInfo.maxTime
            ? tr("max %1").arg(humanDuration(*d.resolved.partitionInfo.maxTime))
            : QString();
        if (!d.resolved.spec.time)
            return limit;
        const QString meaning = humanDuration(*d.resolved.spec.time);
        return limit.isEmpty() ? meaning : meaning + u" · "_s + limit;
    };
    return field;
}

QList<DesignField> resourceFields()
{
    auto nodes = wholeField(field::nodes, tr("Nodes"), tr("Machines that the job gets at the same time."), 1, mostNodes,
        [](const Derived& d) {
            const auto limit = d.resolved.partitionInfo.maxNodes;
            return limit ? tr("max %1").arg(humanNumber(*limit)) : QString();
        });
    auto gpus = wholeField(field::gpusPerNode, tr("%1s per node"),
        tr("GPUs of each node, one rank on each, as Slurm and PyTorch count them."), 1, 64,
        [](const Derived& d) { return d.resolved.node.gpus > 0 ? tr("of %1").arg(d.resolved.node.gpus) : QString(); });
    auto cores = wholeField(field::cpusPerGpu, tr("Cores per %1"),
        tr("For data loading beside each rank. More than the fair share is billed as more GPUs on shared nodes."), 1,
        1024, [](const Derived& d) {
            const auto share = d.resolved.node.coresPerGpu;
            return share ? tr("fair share %1").arg(*share) : QString();
        });
    return {nodes, gpus, cores, memoryField(), timeField()};
}

QList<DesignField> launchFields()
{
    auto container = fieldOf(field::container, tr("Container"),
        tr("Image file with PyTorch in it; “none” to go without. A dated name keeps runs repeatable."));
    container.placeholder = [](const Derived& d) {
        return d.resolved.container.isEmpty() ? tr("none") : d.resolved.container.section(u'/', -1);
    };
    auto modules
        = fieldOf(field::modules, tr("Modules"), tr("Loaded before the program, one per line."), {}, Kind::Lines);
    modules.placeholder = [](const Derived& d) {
        const QStringList own
            = d.resolved.container.isEmpty() ? d.profile->modulesOf(d.resolved.partition) : QStringList();
        return own.isEmpty() ? tr("none") : own.join(u' ');
    };
    auto venv = fieldOf(field::venv, tr("Virtual environment"),
        tr("Folder of a Python environment (venv) that the job enters before the program."), {}, Kind::Code);
    venv.placeholder = [](const Derived&) { return tr("none"); };
    auto conda = fieldOf(field::conda, tr("Conda environment"),
        tr("Name or folder of a conda environment that the job activates before the program."), {}, Kind::Code);
    conda.placeholder = [](const Derived&) { return tr("none"); };
    auto setup = fieldOf(field::setup, tr("Set-up lines"),
        tr("Lines of bash that run before the launch, as you type them: source env.sh, export NAME=$(...)."), {},
        Kind::Lines);
    setup.placeholder = [](const Derived&) { return tr("none"); };
    auto variables = fieldOf(field::variables, tr("Variables"),
        tr("Exported to all ranks, NAME=value, one per line; the values are taken literally."), {}, Kind::Lines);
    variables.placeholder = [](const Derived&) { return tr("NAME=value"); };
    auto command = fieldOf(field::command, tr("Command"),
        tr("Your program and its arguments, as you would type them after “python3”."), {}, Kind::Code);
    auto workdir = fieldOf(field::workdir, tr("Folder"),
        tr("Working folder on the cluster; the job starts and logs there."), {}, Kind::Code);
    workdir.placeholder = [](const Derived&) { return tr("submit folder"); };
    return QList<DesignField>{launcherField(), container, modules, venv, conda, setup, variables, command}
    + optionFields() + QList<DesignField>{workdir};
}

} // namespace

QList<DesignField> designFields()
{
    return modelFields() + jobFields() + strategyFields() + batchFields() + resourceFields() + launchFields()
        + slurmFields();
}

QString groupTitle(FieldGroup group)
{
    switch (group) {
    case FieldGroup::Model: return tr("MODEL");
    case FieldGroup::Job: return tr("JOB");
    case FieldGroup::Strategy: return tr("STRATEGY");
    case FieldGroup::Batch: return tr("BATCH");
    case FieldGroup::Resources: return tr("RESOURCES");
    case FieldGroup::Launch: return tr("LAUNCH");
    case FieldGroup::Slurm: return tr("MORE FOR SLURM");
    }
    return {};
}

const Choice* choiceOf(const Derived& derived, const FieldPath& path)
{
    for (const Choice& choice : derived.choices) {
        if (choice.field == path)
            return &choice;
    }
    return nullptr;
}

QString labelOf(const DesignField& field, const Derived& derived)
{
    return field.label.contains(u"%1"_s) ? field.label.arg(derived.resolved.node.gpu.word) : field.label;
}

} // namespace rankwright
