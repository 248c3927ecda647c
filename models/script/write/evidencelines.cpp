// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/evidencelines.h"

#include "models/cluster/remote/remoteprogram.h"
#include "models/script/bash/launchnames.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

const QString evidenceSource = u"R44"_s;

const QList<FieldPath>& evidenceOrigins()
{
    static const QList<FieldPath> origins{field::hangEvidence};
    return origins;
}

/// Where one of these is set already, the line is left out.
struct EvidenceLine {
    std::array<QLatin1StringView, 3> names;
    QLatin1StringView text;
    QLatin1StringView reason;
};

constexpr EvidenceLine bufferLine{{"TORCH_FR_BUFFER_SIZE"_L1, "TORCH_NCCL_TRACE_BUFFER_SIZE"_L1},
    "export TORCH_FR_BUFFER_SIZE=2000 TORCH_NCCL_TRACE_BUFFER_SIZE=2000 # each rank remembers its last collectives"_L1,
    "PyTorch's Flight Recorder: who took part in which collective, and from which line. In memory, some microseconds "
    "each. Older releases, which know the second name alone, do not record unless they are asked to."_L1};
constexpr EvidenceLine timeoutLine{{"TORCH_FR_DUMP_ON_TIMEOUT"_L1, "TORCH_NCCL_DUMP_ON_TIMEOUT"_L1},
    "export TORCH_FR_DUMP_ON_TIMEOUT=1 TORCH_NCCL_DUMP_ON_TIMEOUT=1 # a time-out writes them down"_L1,
    "When a collective is given up, every rank's record is there to say who was missing."_L1};
constexpr EvidenceLine recordLine{{"TORCH_FR_DUMP_TEMP_FILE"_L1, "TORCH_NCCL_DEBUG_INFO_TEMP_FILE"_L1},
    "export TORCH_FR_DUMP_TEMP_FILE=\"$JOB_FILES/record_\" TORCH_NCCL_DEBUG_INFO_TEMP_FILE=\"$JOB_FILES/record_\" # in here"_L1,
    "A file per rank, its number behind the name. PyTorch's own place is the home directory's quota, or a node's /tmp, "
    "which is gone with the job."_L1};
constexpr EvidenceLine pipeLine{{"TORCH_FR_DEBUG_INFO_PIPE_FILE"_L1, "TORCH_NCCL_DEBUG_INFO_PIPE_FILE"_L1},
    "[[ ! -p $JOB_FILES/ask ]] || export TORCH_FR_DEBUG_INFO_PIPE_FILE=\"$JOB_FILES/ask_\" TORCH_NCCL_DEBUG_INFO_PIPE_FILE=\"$JOB_FILES/ask_\" # or when they are asked"_L1,
    "A byte in a rank's pipe makes it write its record while it goes on. Only where the folder can hold pipes: a rank "
    "that cannot make its own ends."_L1};
constexpr EvidenceLine rasLine{{"NCCL_RAS_ADDR"_L1, "NCCL_RAS_ENABLE"_L1},
    "export NCCL_RAS_ADDR=\"localhost:$((20000 + SLURM_JOB_ID % 8000))\" # NCCL answers on a port of this job's own"_L1,
    "Nodes are shared here: on its usual port 28028 the first job of the node would answer for all. RCCL reads it, too."_L1};
constexpr EvidenceLine signalLine{{"RANKWRIGHT_STACKS"_L1},
    "export RANKWRIGHT_STACKS=57 # at this signal Python writes its stacks,"_L1,
    "A signal that nothing else uses; it is sent only to a process that has taken it and says so."_L1};
constexpr EvidenceLine pathLine{{"RANKWRIGHT_STACKS"_L1},
    "export PYTHONPATH=\"$JOB_FILES/python${PYTHONPATH:+:$PYTHONPATH}\" # by this file, which it reads when it starts"_L1,
    "Python runs the first sitecustomize.py that it finds when it starts; the path of before stays behind it."_L1};

constexpr QLatin1StringView foldersLine{
    "{ mkdir -p \"$JOB_FILES/python\" && mkfifo \"$JOB_FILES/ask\"; } 2> /dev/null || :"};
// A file that is cut off (no room is left) would hide the sitecustomize.py that Python would have run without it.
constexpr QLatin1StringView fileLine{"cat 2> /dev/null > \"$JOB_FILES/python/sitecustomize.py\" <<'END_OF_FILE' || "
                                     "rm -f \"$JOB_FILES/python/sitecustomize.py\" 2> /dev/null || :"};

// The same in the container's shell, which has no other options and prints nothing: any sh, since an image need not
// have bash.
constexpr QLatin1StringView pipeInside{
    "[ -p \"$JOB_FILES/ask\" ] && [ -w \"$JOB_FILES\" ] && export TORCH_FR_DEBUG_INFO_PIPE_FILE=\"$JOB_FILES/ask_\" "
    "TORCH_NCCL_DEBUG_INFO_PIPE_FILE=\"$JOB_FILES/ask_\""};
constexpr QLatin1StringView pathInside{"export PYTHONPATH=\"$JOB_FILES/python${PYTHONPATH:+:$PYTHONPATH}\""};

/// Set by the design, by its set-up lines or by the site: left to them.
bool isTaken(const EvidenceLine& line, const LaunchPlan& plan)
{
    const auto isPlanned = [](const QList<PlannedVariable>& variables, const QString& name) {
        return std::any_of(variables.cbegin(), variables.cend(),
            [&name](const PlannedVariable& variable) { return variable.name == name; });
    };
    const QString setup = plan.resolved.spec.environment.setup.join(u'\n');
    return std::any_of(line.names.cbegin(), line.names.cend(), [&](QLatin1StringView view) {
        const QString name = view;
        return !name.isEmpty()
            && (isPlanned(plan.environment.batch, name) || isPlanned(plan.environment.task, name)
                || (setup.contains(name) && setup.contains(QRegularExpression(u"\\b%1\\b"_s.arg(name)))));
    });
}

/// PYTHONPATH is a list with a colon between its folders: one in the name of the working folder would cut it there.
bool isPathCut(const LaunchPlan& plan) { return plan.resolved.spec.workdir.value_or(QString()).contains(u':'); }

/// Whether Python is to find the file that writes its stacks.
bool hasStacks(const LaunchPlan& plan) { return !isTaken(pathLine, plan) && !isPathCut(plan); }

/// What finds one of these names, written "a|b", among the words of a command.
QRegularExpression wordsNaming(const QString& names)
{
    return QRegularExpression(
        u"(?:^|[\\s/._-])(?:%1)(?:[\\s/._-]|$)"_s.arg(names), QRegularExpression::CaseInsensitiveOption);
}

/// Not where a program starts further worlds beside its own (reinforcement learning, servers): of two processes of the
/// same rank number that make their pipe in the same moment one ends.
bool hasPipe(const LaunchPlan& plan)
{
    static const QRegularExpression severalWorlds = wordsNaming(u"ray|verl|vllm|sglang|openrlhf|rlhf|grpo|ppo"_s);
    return !isTaken(pipeLine, plan) && !plan.resolved.command.contains(severalWorlds);
}

QString containerLine(const QString& text)
{
    return u"export %1='%2' # for the shell in the container"_s.arg(evidenceVariable, text);
}

QString joined(const QString& one, const QString& other)
{
    return one.isEmpty() || other.isEmpty() ? QString(one + other) : QString(one + u"; "_s + other);
}

} // namespace

bool writesEvidence(const ResolvedSpec& resolved)
{
    if (!resolved.spec.environment.hangEvidence.value_or(true) || !isDistributed(resolved) || resolved.worldSize() < 2)
        return false;
    const bool byOther = trainerOf(resolved) == Trainer::Horovod || resolved.strategy == Strategy::Horovod
        || resolved.launcher == Launcher::Horovod;
    static const QRegularExpression others = wordsNaming(u"jax|flax|maxtext|tensorflow|horovod"_s);
    return !byOther && (resolved.spec.training.framework || !resolved.command.contains(others));
}

QString evidenceInContainer(const LaunchPlan& plan)
{
    if (plan.resolved.container.isEmpty() || !writesEvidence(plan.resolved))
        return {};
    return joined(hasPipe(plan) ? pipeInside : QLatin1StringView(), hasStacks(plan) ? pathInside : QLatin1StringView());
}

void writeEvidence(ScriptBuilder& builder, const LaunchPlan& plan)
{
    if (!writesEvidence(plan.resolved))
        return;
    const auto line = [&builder](const QString& text, const QString& reason) {
        builder.line(text, evidenceOrigins(), reason, evidenceSource);
    };
    const auto setting = [&](const EvidenceLine& one) {
        if (!isTaken(one, plan))
            line(one.text, one.reason);
    };
    const bool inContainer = !plan.resolved.container.isEmpty();
    builder.heading(
        u"Evidence for \"rankwright-cli where\", should the job hang: next to free; PyTorch reads the new names or the old ones"_s,
        evidenceOrigins());
    if (!plan.trainer.file) // else its lines are above
        line(jobFilesLine(),
            u"A folder that all nodes see and no other job uses; it stays behind as a record of the run."_s);
    line(foldersLine, u"Where the folder cannot be written to or holds no pipes, the job runs all the same."_s);
    for (const EvidenceLine* one : {&bufferLine, &timeoutLine, &recordLine})
        setting(*one);
    if (!inContainer && hasPipe(plan))
        setting(pipeLine);
    if (!plan.resolved.wholeNodes)
        setting(rasLine);
    if (!isPathCut(plan))
        setting(signalLine);
    else
        builder.heading(u"No stacks of Python: the colon in the working folder's name would cut PYTHONPATH there"_s,
            evidenceOrigins());
    if (const QString text = evidenceInContainer(plan); !text.isEmpty())
        line(containerLine(text),
            u"Set in there, before the program: only where the container has this folder, and in front of its own "
            "PYTHONPATH, which one from outside would replace."_s);
    else if (!inContainer && hasStacks(plan))
        setting(pathLine);
    if (hasStacks(plan)) {
        line(fileLine, u"The quoted word keeps the shell out of the text below."_s);
        const QStringList program = remoteProgram(u"hang-stacks.py"_s).split(u'\n', Qt::SkipEmptyParts);
        for (const QString& text : program)
            line(text,
                u"Part of the program: takes the signal, then runs the sitecustomize.py that was there before."_s);
        line(u"END_OF_FILE"_s, u"End of the file."_s);
    }
    builder.blank();
}

bool isEvidence(const QStringList& lines)
{
    static const QSet<QString> known = [] {
        QSet<QString> all{foldersLine, fileLine, containerLine(pipeInside), containerLine(pathInside),
            containerLine(joined(pipeInside, pathInside))};
        for (const EvidenceLine* one :
            {&bufferLine, &timeoutLine, &recordLine, &pipeLine, &rasLine, &signalLine, &pathLine})
            all.insert(one->text);
        return all;
    }();
    return known.contains(lines.value(0)); // after it there is the file's text alone
}

void dropUsualEvidence(JobSpec& spec, const ClusterProfile& profile)
{
    JobSpec open = spec;
    open.environment.hangEvidence.reset();
    if (writesEvidence(resolve(open, profile)) == writesEvidence(resolve(spec, profile)))
        spec = open;
}

} // namespace rankwright::inline script
