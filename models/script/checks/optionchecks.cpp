// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/torchrelease.h"
#include "models/script/checks/designrule.h"
#include "models/script/write/bindingoptions.h"
#include "models/script/write/jobsampler.h"
#include "models/script/write/launchlayout.h"
#include "models/script/write/lifecycle.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

using Hits = QList<RuleHit>;

QString given(const std::optional<QString>& text) { return text.value_or(QString()).trimmed(); }

Hits signalForm(const RuleContext& context)
{
    const QString text = given(context.spec.options.signal);
    if (text.isEmpty() || parseSignal(text))
        return {};
    return {{field::signal,
        u"“%1” is not a signal that sbatch accepts: write a name and seconds before the limit, such as USR1@300."_s.arg(
            text.left(60)),
        Fix{u"Use USR1@300"_s, [](JobSpec& spec) { spec.options.signal = u"USR1@300"_s; }}}};
}

Hits signalReach(const RuleContext& context)
{
    const auto signal = parseSignal(context.resolved.signal);
    if (!signal)
        return {};
    const QString seconds = QString::number(signal->seconds);
    const QString better = (isAgent(starterOf(context.resolved)) ? u"TERM@"_s : signal->name + u'@') + seconds;
    const Fix fix{u"Use "_s + better, [better](JobSpec& spec) { spec.options.signal = better; }};
    if (signal->batchShellOnly)
        return {{field::signal,
            u"With “B:” only the batch shell gets the signal, and is killed by it: the program never receives it."_s,
            fix, Severity::Error}};
    if (signal->name == u"KILL" || signal->name == u"9")
        return {{field::signal,
            u"KILL cannot be caught: the program would be ended %1 seconds early, without saving."_s.arg(seconds),
            Fix{u"Use TERM"_s, [seconds](JobSpec& spec) { spec.options.signal = u"TERM@"_s + seconds; }},
            Severity::Error}};
    if (isAgent(starterOf(context.resolved)) && signal->name.startsWith(u"USR"_s))
        return {{field::signal,
            u"The agent that %1 starts is killed by %2 and ends its workers; it forwards TERM only."_s.arg(
                toText(context.resolved.launcher), signal->name),
            fix}};
    if (signal->seconds >= context.resolved.time.count)
        return {{field::signal,
            u"The signal would come %1 seconds before the limit, but the job may run %2 seconds only."_s.arg(
                seconds, QString::number(context.resolved.time.count))}};
    return {};
}

Hits requeueTimes(const RuleContext& context)
{
    const int times = context.spec.options.requeueAtLimit.value_or(0);
    if (times >= 0 && times <= 1000)
        return {};
    return {{field::requeueAtLimit, u"%1 is out of range: give 0 to 1000."_s.arg(times),
        Fix{u"Use 5"_s, [](JobSpec& spec) { spec.options.requeueAtLimit = 5; }}}};
}

Hits requeueWithoutResume(const RuleContext& context)
{
    const auto& options = context.spec.options;
    const bool again
        = options.requeue.value_or(false) || options.requeueAtLimit.value_or(0) > 0 || isChain(given(options.array));
    const bool lightning = trainerOf(context.resolved) == Trainer::Lightning; // finds its checkpoint itself
    const bool says = context.resolved.command.contains(u"resume"_s, Qt::CaseInsensitive);
    if (!again || lightning || says || !given(options.resumeArguments).isEmpty())
        return {};
    return {{field::resumeArguments,
        u"The job will start again, but nothing makes the program resume: unless it looks for its checkpoint by itself, it trains from the start."_s}};
}

Hits resumeNeverUsed(const RuleContext& context)
{
    if (given(context.spec.options.resumeArguments).isEmpty() || !continuationCondition(context.resolved).isEmpty())
        return {};
    return {{field::resumeArguments,
        u"These arguments are used only when a job resumes, and this one never does: it is neither requeued nor part of a chain."_s}};
}

Hits form(const std::optional<QString>& value, QLatin1StringView name, const QRegularExpression& expression,
    const QString& example)
{
    const QString text = given(value);
    if (text.isEmpty() || expression.match(text).hasMatch())
        return {};
    return {{name, u"“%1” is not accepted by sbatch here; it takes forms such as %2."_s.arg(text.left(60), example)}};
}

Hits textForms(const RuleContext& context)
{
    static const QRegularExpression array(u"\\A\\d+(-\\d+(:\\d+)?)?(,\\d+(-\\d+(:\\d+)?)?)*(%\\d+)?\\z"_s);
    static const QString kinds
        = u"(after|afterany|afterburstbuffer|aftercorr|afternotok|afterok)(:\\d+(_(\\d+|\\*))?(\\+\\d+)?)+"_s;
    static const QRegularExpression dependency(u"\\A(singleton|%1)([,?](singleton|%1))*\\z"_s.arg(kinds));
    static const QRegularExpression mailType(
        u"\\A(NONE|BEGIN|END|FAIL|REQUEUE|INVALID_DEPEND|STAGE_OUT|ALL|TIME_LIMIT(_(90|80|50))?|ARRAY_TASKS)(,(NONE|BEGIN|END|FAIL|REQUEUE|INVALID_DEPEND|STAGE_OUT|ALL|TIME_LIMIT(_(90|80|50))?|ARRAY_TASKS))*\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    const auto& options = context.spec.options;
    return form(options.array, field::array, array, u"0-9 or 1,3,5"_s)
        + form(options.dependency, field::dependency, dependency, u"afterok:1234 or singleton"_s)
        + form(options.mailType, field::mailType, mailType, u"END,FAIL"_s);
}

Hits logNames(const RuleContext& context)
{
    const auto& options = context.spec.options;
    const bool array = !given(options.array).isEmpty();
    Hits hits;
    const auto look = [&](QLatin1StringView name, const std::optional<QString>& value) {
        const QString text = given(value);
        if (text.isEmpty() || text == u"/dev/null")
            return;
        const Fix open{u"Use the usual name"_s,
            [name](JobSpec& spec) { (name == field::output ? spec.options.output : spec.options.error).reset(); }};
        static const QRegularExpression ofJob(u"%\\d*[jA]"_s), ofTask(u"%\\d*[aj]"_s);
        if (text.contains(u'$'))
            hits.append({name, u"sbatch expands no variables: the log would be called “%1”."_s.arg(text.left(60)), open,
                Severity::Error});
        else if (text.contains(u'/'))
            hits.append({name,
                u"The folder of “%1” has to exist before the job is submitted; otherwise the job fails at once, without a log."_s
                    .arg(text.left(60))});
        else if (!text.contains(array ? ofTask : ofJob))
            hits.append({name,
                array ? u"All tasks of the array write into the one file “%1”: add %a."_s.arg(text.left(60))
                      : u"The next job of this kind writes into the same file “%1”: add %j."_s.arg(text.left(60)),
                open});
    };
    look(field::output, options.output);
    look(field::error, options.error);
    return hits;
}

Hits bindingRefused(const RuleContext& context)
{
    const QString refusal = bindingOptions(context.resolved, context.profile).refusal;
    if (!context.spec.options.cpuBinding.value_or(false) || refusal.isEmpty())
        return {};
    return {{field::cpuBinding, u"Ranks cannot be bound to cores here. "_s + refusal,
        Fix{u"Leave it open"_s, [](JobSpec& spec) { spec.options.cpuBinding.reset(); }}}};
}

/// torchrun's own binding, against the launcher, the software and the other way to bind.
Hits numaBinding(const RuleContext& context)
{
    const auto& options = context.spec.options;
    if (!options.numaBinding)
        return {};
    const Fix open{u"Leave it open"_s, [](JobSpec& spec) { spec.options.numaBinding.reset(); }};
    if (const QString obstacle = numaBindingObstacle(context.resolved, context.profile); !obstacle.isEmpty())
        return {{field::numaBinding, obstacle + u" It is not written."_s, open}};
    if (options.cpuBinding.value_or(false))
        return {{field::numaBinding,
            u"The design asks twice for a binding: torchrun's --numa-binding takes the place of the cores by local rank."_s,
            Fix{u"Leave cpuBinding open"_s, [](JobSpec& spec) { spec.options.cpuBinding.reset(); }},
            Severity::Warning}};
    if (!hasNumaBinding(context.resolved, context.profile))
        return {{field::numaBinding,
            u"--numa-binding needs PyTorch %1 or newer and the program numactl beside it; of this job's software neither is known."_s
                .arg(numaBindingSince().toString()),
            std::nullopt, Severity::Hint}};
    return {};
}

Hits deepspeedOverNodes(const RuleContext& context)
{
    if (context.resolved.launcher != Launcher::Deepspeed || context.resolved.nodes == 1)
        return {};
    return {{field::launcher,
        u"On %1 nodes the deepspeed command would log in to each by ssh, which clusters do not allow: torchrun starts the ranks instead, DeepSpeed itself is the same."_s
            .arg(context.resolved.nodes),
        Fix{u"Use torchrun"_s, [](JobSpec& spec) { spec.launcher = Launcher::Torchrun; }}}};
}

Hits horovodIsOld(const RuleContext& context)
{
    if (context.resolved.strategy != Strategy::Horovod)
        return {};
    return {{field::strategy,
        u"Horovod is no longer recommended by the sites that taught it; PyTorch's own DDP does the same."_s,
        Fix{u"Use ddp"_s, [](JobSpec& spec) {
                spec.parallel.strategy = Strategy::Ddp;
                spec.launcher.reset();
            }}}};
}

Hits diskNotOffered(const RuleContext& context)
{
    const auto& disk = context.spec.options.localDisk;
    if (!disk || disk->count <= 0 || context.profile.launch.gpuRequest == GpuRequest::Gres)
        return {};
    return {{field::localDisk, u"%1 offers no local disk on request."_s.arg(context.profile.title),
        Fix{u"Remove it"_s, [](JobSpec& spec) { spec.options.localDisk.reset(); }}}};
}

Hits samplerInterval(const RuleContext& context)
{
    const int seconds = context.spec.monitor.interval.value_or(1);
    if (seconds >= 1 && seconds <= mostSamplerSeconds)
        return {};
    return {{field::samplerInterval,
        u"%1 s between two readings is out of range: give 1 to %2 s."_s.arg(seconds).arg(mostSamplerSeconds),
        Fix{u"Leave it open"_s, [](JobSpec& spec) { spec.monitor.interval.reset(); }}}};
}

} // namespace

QList<DesignRule> optionChecks()
{
    const QString measured = u"measured with Slurm 22.05"_s;
    return {
        {{u"R116"_s, u"signal-form"_s, Severity::Error, {}, {}, u"sbatch(1)"_s}, signalForm},
        {{u"L26"_s, u"signal-reach"_s, Severity::Warning, {}, {}, measured}, signalReach},
        {{u"R104"_s, u"size-range"_s, Severity::Error, {}, {}, u"arithmetic"_s}, requeueTimes},
        {{u"L49"_s, u"requeue-without-resume"_s, Severity::Hint, {}, {}, u"rule R32"_s}, requeueWithoutResume},
        {{u"R117"_s, u"resume-unused"_s, Severity::Hint, {}, {}, u"rule R32"_s}, resumeNeverUsed},
        {{u"R118"_s, u"option-form"_s, Severity::Error, {}, {}, u"sbatch(1)"_s}, textForms},
        {{u"L14"_s, u"log-name"_s, Severity::Warning, {}, {}, measured}, logNames},
        {{u"R20"_s, u"binding-refused"_s, Severity::Warning, {}, {}, u"rule R20"_s}, bindingRefused},
        {{u"R303"_s, u"numa-binding"_s, Severity::Error, {}, {},
             u"pytorch/pytorch, torch/numa/binding.py; torch/distributed/run.py"_s},
            numaBinding},
        {{u"R28"_s, u"deepspeed-ssh"_s, Severity::Hint, {}, {}, u"DeepSpeed, launcher/runner.py; rule R28"_s},
            deepspeedOverNodes},
        {{u"R41"_s, u"horovod-legacy"_s, Severity::Hint, {}, {}, u"CSC user guide (no longer mentions it); rule R41"_s},
            horovodIsOld},
        {{u"R104"_s, u"size-range"_s, Severity::Error, {}, {}, u"arithmetic"_s}, samplerInterval},
        {{u"R119"_s, u"local-disk"_s, Severity::Warning, {}, {}, u"the site's description"_s}, diskNotOffered},
    };
}

} // namespace rankwright::inline script
