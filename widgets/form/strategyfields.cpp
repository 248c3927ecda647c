// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/strategyname.h"
#include "models/script/write/launchers.h"
#include "widgets/form/fieldmakers.h"

namespace rankwright {

using namespace Qt::StringLiterals;
using namespace fieldmaker;

namespace {

/// Strategies of one kind, the usual one first.
struct Family {
    const char* title;
    QList<Strategy> members;
    const char* note;
};

const QList<Family>& families()
{
    static const QList<Family> all{
        {"Single", {Strategy::Single}, QT_TRANSLATE_NOOP("DesignField", "One process, one GPU.")},
        {"DDP", {Strategy::Ddp, Strategy::Horovod},
            QT_TRANSLATE_NOOP("DesignField",
                "Every rank holds the whole model and sees its own data. Once per step the gradients are averaged.")},
        {"FSDP", {Strategy::Fsdp, Strategy::Hsdp},
            QT_TRANSLATE_NOOP("DesignField",
                "PyTorch splits weights, gradients and optimiser state over the ranks. For models that do not fit one "
                "GPU; the program wraps its model itself.")},
        {"ZeRO", {Strategy::Zero3, Strategy::Zero2, Strategy::Zero1},
            QT_TRANSLATE_NOOP("DesignField",
                "DeepSpeed splits the training's state over the ranks. The script writes its configuration and hands "
                "it to the program.")},
        {"3D", {Strategy::ThreeD, Strategy::Tensor, Strategy::Pipeline},
            QT_TRANSLATE_NOOP("DesignField",
                "Layers are cut across ranks, beside data parallelism. For Megatron-LM the script writes the "
                "arguments, "
                "for torchtitan its configuration.")}};
    return all;
}

const Family& familyOf(Strategy strategy)
{
    for (const Family& family : families()) {
        if (family.members.contains(strategy))
            return family;
    }
    return families().first();
}

QString noteOf(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Single:
    case Strategy::Ddp: break;
    case Strategy::Horovod: return tr("Needs MPI and one task for each GPU. No longer recommended: DDP does the same.");
    case Strategy::Fsdp: return tr("Split over all ranks. Needs least memory, sends most.");
    case Strategy::Hsdp: return tr("Split within a node, copied between nodes. Less traffic on the network.");
    case Strategy::Zero1: return tr("Only the optimiser's state is split. Costs next to no speed.");
    case Strategy::Zero2: return tr("Optimiser state and gradients are split. About as fast as DDP.");
    case Strategy::Zero3: return tr("Weights are split, too. Needs least memory, sends most.");
    case Strategy::ThreeD: return tr("Tensor, pipeline and data parallel together. For the largest models.");
    case Strategy::Tensor:
        return tr("Each layer is shared by a few ranks. They belong on one node, on the fast links.");
    case Strategy::Pipeline: return tr("Each rank holds some of the layers. Little traffic, but ranks wait in turn.");
    }
    return tr("The only one of its kind.");
}

/// What resolve() took.
QString strategyTaken(const Derived& derived) { return toText(derived.resolved.strategy); }

DesignField familyField()
{
    DesignField field = fieldOf(
        field::strategy, tr("Strategy"), tr("How the ranks share the work of one model."), {}, Kind::Segments);
    field.wide = true;
    field.placeholder = strategyTaken;
    field.options = [](const Design& design) {
        // A segment stands for its family: while a member is taken, it is that member.
        const Strategy taken = design.derived().resolved.strategy;
        QList<Option> options;
        for (const Family& family : families()) {
            const Strategy value = family.members.contains(taken) ? taken : family.members.first();
            options.append({toText(value), QString::fromLatin1(family.title), tr(family.note)});
        }
        return options;
    };
    return field;
}

DesignField variantField()
{
    DesignField field = fieldOf(field::strategy, tr("Variant"),
        tr("Kinds of the same idea. They differ in what is split and how much travels."), {}, Kind::Choice);
    field.placeholder = strategyTaken;
    field.options = [](const Design& design) {
        const Strategy taken = design.derived().resolved.strategy;
        QList<Option> options;
        if (!design.spec().parallel.strategy)
            options.append({QString(), tr("%1 (proposed)").arg(strategyName(taken)), noteOf(taken)});
        for (const Strategy member : familyOf(taken).members)
            options.append({toText(member), strategyName(member), noteOf(member)});
        return options;
    };
    return field;
}

QString degreeHint(const Derived& derived) { return tr("× %1 data parallel").arg(derived.resolved.dataParallel()); }

QString launcherNote(Launcher launcher)
{
    switch (launcher) {
    case Launcher::Torchrun: return tr("An agent on each node starts its ranks. The usual way for PyTorch.");
    case Launcher::Srun:
        return tr("Slurm starts each rank and can bind it to the cores beside its GPU. The program reads RANK and "
                  "LOCAL_RANK.");
    case Launcher::Accelerate:
        return tr("Hugging Face's agent on each node, with a configuration that the script writes. For programs made "
                  "with accelerate.");
    case Launcher::Deepspeed:
        return tr("DeepSpeed's own command, on one node. On several torchrun takes over, since the command needs ssh "
                  "between nodes.");
    case Launcher::Lightning:
        return tr(
            "Slurm starts each rank, Lightning reads Slurm's variables. Its devices and nodes must be the job's.");
    case Launcher::Horovod: return tr("Slurm starts one MPI process for each GPU. For Horovod programs only.");
    }
    return {};
}

/// Yes or no; open: what the stack does.
DesignField switchField(QLatin1StringView path, const QString& label, const QString& help)
{
    DesignField field = fieldOf(path, label, help, {}, Kind::Choice);
    field.placeholder = [path](const Derived& d) {
        const Choice* choice = choiceOf(d, path);
        return choice != nullptr ? choice->value : tr("as the stack does");
    };
    field.options = [](const Design&) {
        return QList<Option>{
            {QString(), tr("as the stack does"), {}}, {u"yes"_s, tr("yes"), {}}, {u"no"_s, tr("no"), {}}};
    };
    return field;
}

QList<DesignField> spreadFields()
{
    auto expert = wholeField(field::expert, tr("Experts over"),
        tr("Ranks that share one set of experts, for a mixture of experts. They are data-parallel ranks otherwise."), 1,
        4096, {});
    expert.placeholder
        = [](const Derived& d) { return QString::number(d.estimate ? d.estimate->run.layout.expert : 1); };
    auto chunks = wholeField(field::virtualStages, tr("Chunks per stage"),
        tr("Virtual pipeline stages: each rank holds several shorter pieces of the model, so that it waits less."), 1,
        1000, {});
    chunks.placeholder = [](const Derived&) { return u"1"_s; };
    const auto end = [](QLatin1StringView path, const QString& label, bool first) {
        auto layers = wholeField(path, label,
            tr("Layers of this end of the pipeline. The ends also hold the embedding and the head, so that fewer layers "
               "let all stages take as long."),
            1, 100000, {});
        layers.placeholder = [first](const Derived& d) {
            if (!d.estimate || d.estimate->run.layout.pipeline < 2)
                return QString();
            const PlannedRun& run = d.estimate->run;
            const StageLayers cut = stageLayers(pipelineLayers(run.workload.shape), run.layout);
            return QString::number(first ? cut.first : cut.last);
        };
        return layers;
    };
    return {expert, chunks, end(field::firstStageLayers, tr("First stage's layers"), true),
        end(field::lastStageLayers, tr("Last stage's layers"), false),
        switchField(field::sequenceParallel, tr("Sequence parallel"),
            tr("Norms and dropout split over the tensor ranks, too: less memory for the same traffic.")),
        switchField(field::shardOptimizer, tr("Split optimiser"),
            tr("Optimiser state split over the data-parallel ranks (Megatron's distributed optimiser).")),
        switchField(field::reshard, tr("Reshard"),
            tr("FSDP drops gathered weights after the forward pass and gathers them again: less memory, more "
               "traffic."))};
}

} // namespace

QList<DesignField> strategyFields()
{
    auto tensor = wholeField(field::tensor, tr("Tensor"),
        tr("Ranks that share each layer. They communicate in every layer, so keep them on one node."), 1, 4096,
        degreeHint);
    tensor.placeholder = [](const Derived& d) { return QString::number(d.resolved.tensor); };
    auto pipeline = wholeField(field::pipeline, tr("Pipeline"),
        tr("Stages that the layers are cut into. They send little, but need many micro-batches to stay busy."), 1, 4096,
        {});
    pipeline.placeholder = [](const Derived& d) { return QString::number(d.resolved.pipeline); };
    auto context = wholeField(field::context, tr("Context"),
        tr("Ranks that share each sequence. For sequences so long that their activations fill a GPU."), 1, 4096, {});
    context.placeholder = [](const Derived& d) { return QString::number(d.resolved.context); };
    return QList<DesignField>{familyField(), variantField(), tensor, pipeline, context} + spreadFields();
}

DesignField launcherField()
{
    DesignField field = fieldOf(field::launcher, tr("Processes by"),
        tr("Who starts the ranks. Agents start those of a node; otherwise Slurm starts each and can bind it to "
           "cores."),
        {}, Kind::Choice);
    field.placeholder = [](const Derived& d) { return toText(d.resolved.launcher); };
    field.options = [](const Design& design) {
        ResolvedSpec probe = design.derived().resolved;
        QList<Option> options{
            {QString(), design.spec().launcher ? tr("as proposed") : tr("%1 (proposed)").arg(toText(probe.launcher)),
                tr("What the site, the strategy and the framework suggest.")}};
        for (const Launcher launcher : {Launcher::Torchrun, Launcher::Srun, Launcher::Accelerate, Launcher::Deepspeed,
                 Launcher::Lightning, Launcher::Horovod}) {
            probe.launcher = launcher;
            const QString problem = launchProblem(probe);
            options.append({toText(launcher), toText(launcher),
                problem.isEmpty() ? launcherNote(launcher) : problem + u'.', problem.isEmpty()});
        }
        return options;
    };
    return field;
}

} // namespace rankwright
