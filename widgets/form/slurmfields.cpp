// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/enumwords.h"
#include "models/planner/design/torchrelease.h"
#include "models/script/write/jobsampler.h"
#include "widgets/form/fieldmakers.h"

namespace rankwright {

using namespace Qt::StringLiterals;
using namespace fieldmaker;

namespace {

/// A field with three states: open, yes, no.
DesignField flagField(QLatin1StringView path, const QString& label, const QString& help)
{
    DesignField field = fieldOf(path, label, help, {}, Kind::Choice);
    field.options = [](const Design&) {
        return QList<Option>{{QString(), tr("site default"), {}}, {u"yes"_s, tr("yes"), {}}, {u"no"_s, tr("no"), {}}};
    };
    return field;
}

/// A text that nothing else stands for while it is open.
DesignField slurmText(QLatin1StringView path, const QString& label, const QString& help, const QString& placeholder,
    Kind kind = Kind::Line)
{
    DesignField field = fieldOf(path, label, help, {}, kind);
    field.placeholder = [placeholder](const Derived&) { return placeholder; };
    return field;
}

/// Offered where the cluster's image is known to have it, or a design has it; elsewhere greyed, with the reason.
DesignField numaField()
{
    DesignField field = fieldOf(field::numaBinding, tr("NUMA binding"),
        tr("torchrun itself puts each worker on the cores beside its GPU (--numa-binding), in place of the cores by "
           "local rank. It needs PyTorch 2.9 and numactl."),
        {}, Kind::Choice);
    field.options = [](const Design& design) {
        const Derived& derived = design.derived();
        const auto& asked = design.spec().options.numaBinding;
        QList<Option> options{{QString(), tr("none"), {}}};
        const bool offered = derived.profile != nullptr && hasNumaBinding(derived.resolved, *derived.profile);
        QString why = derived.profile ? numaBindingObstacle(derived.resolved, *derived.profile) : QString();
        if (why.isEmpty())
            why = tr("Not known to be in this image: it needs PyTorch 2.9 and numactl there.");
        for (const auto& one : enumWords<NumaBinding>()) {
            const bool possible = offered || asked == one.value;
            options.append({one.word, one.title, possible ? QString() : why, possible});
        }
        return options;
    };
    return field;
}

QList<DesignField> nodeFields()
{
    return {slurmText(field::qos, tr("QoS"),
                tr("Quality of service, where the site has some. It determines priority and limits."), tr("none")),
        slurmText(field::constraint, tr("Constraint"),
            tr("Only nodes with this feature. It replaces the site's default."), tr("site default")),
        flagField(field::exclusive, tr("Whole nodes"),
            tr("No other job on these nodes, also where nodes are shared. The whole node is billed.")),
        flagField(field::cpuBinding, tr("Bind to cores"),
            tr("Each rank on the cores beside its GPU. Possible on whole nodes whose map is published.")),
        numaField()};
}

QList<DesignField> lifeFields()
{
    auto signal = slurmText(field::signal, tr("Signal"),
        tr("Sent to every rank this many seconds before the time limit, such as USR1@300, so that it can save."),
        tr("none"));
    signal.placeholder = [](const Derived& d) { return d.resolved.signal.isEmpty() ? tr("none") : d.resolved.signal; };
    auto again = wholeField(field::requeueAtLimit, tr("Start again"),
        tr("How often the job may queue itself again when its time limit ended it. The program has to save and "
           "resume."),
        0, 1000, [](const Derived&) { return tr("times"); });
    again.placeholder = [](const Derived&) { return tr("never"); };
    return {signal, again,
        flagField(field::requeue, tr("Requeue"),
            tr("Back into the queue after a node failure or preemption. The log is continued, not overwritten.")),
        slurmText(field::resumeArguments, tr("To resume"),
            tr("Added to the command when the job continues an earlier one. Without it such a job trains from the "
               "start."),
            tr("nothing"), Kind::Code),
        slurmText(field::array, tr("Array"),
            tr("The same job several times: 0-9. With %1 after it, one after the other, as a chain."), tr("one job")),
        slurmText(field::dependency, tr("Starts after"),
            tr("Waits for other jobs, such as afterok:1234. If that job fails, this one is cancelled."),
            tr("at once"))};
}

/// What the job keeps for later questions: the record of its GPUs, evidence of where it hangs.
QList<DesignField> recordFields()
{
    auto record = flagField(field::sampler, tr("Record GPUs"),
        tr("A small step beside the training writes down what every GPU does, some 25 bytes each time, so that nothing "
           "is missing after this computer was off. It takes no core, memory or GPU from the job."));
    record.options = [](const Design&) { return QList<Option>{{QString(), tr("no"), {}}, {u"yes"_s, tr("yes"), {}}}; };
    record.text = [](const JobSpec& spec) { return spec.monitor.sampler.value_or(false) ? u"yes"_s : QString(); };
    auto interval = wholeField(field::samplerInterval, tr("Record every"),
        tr("Seconds between two readings. Left open: 5, and more for jobs on many nodes or over many days."), 1,
        mostSamplerSeconds, [](const Derived&) { return tr("s"); });
    interval.placeholder = [](const Derived& d) { return QString::number(samplerSeconds(d.resolved)); };
    auto evidence = flagField(field::hangEvidence, tr("If it hangs"),
        tr("Jobs of several ranks keep what later shows which rank hangs, in which call and line: PyTorch's record "
           "of its "
           "last collectives, NCCL's port and Python's stacks. It costs next to nothing."));
    evidence.options = [](const Design&) {
        return QList<Option>{{QString(), tr("can be asked"), {}}, {u"no"_s, tr("no"), {}}};
    };
    evidence.text
        = [](const JobSpec& spec) { return spec.environment.hangEvidence.value_or(true) ? QString() : u"no"_s; };
    return {record, interval, evidence};
}

} // namespace

QList<DesignField> slurmFields()
{
    const QList<DesignField> words{
        slurmText(field::output, tr("Log"),
            tr("Name of the log: %x is the job's name, %j its id. Folders have to exist."), u"%x-%j.out"_s),
        slurmText(
            field::mailUser, tr("Mail to"), tr("Address for Slurm's mail. Not every site sends any."), tr("nobody")),
        slurmText(field::mailType, tr("Mail when"),
            tr("Words such as END,FAIL. Without an address the mail goes to your account's."), tr("never"))};
    return nodeFields() + lifeFields() + recordFields() + words;
}

} // namespace rankwright
