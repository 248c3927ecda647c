// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisorigin.h"

#include "models/insight/progress/progressline.h"

#include <QRegularExpression>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

std::optional<int> numberIn(const QString& text)
{
    bool fine = false;
    const int value = text.toInt(&fine);
    return fine && value >= 0 ? std::optional<int>(value) : std::nullopt;
}

bool holds(const QString& tasks, int rank)
{
    for (const QString& part : tasks.split(u',')) {
        const int first = part.section(u'-', 0, 0).toInt();
        const int last = part.contains(u'-') ? part.section(u'-', 1, 1).toInt() : first;
        if (rank >= first && rank <= last)
            return true;
    }
    return false;
}

bool isQuotedCode(const QString& text)
{
    static const QRegularExpression form(uR"(^(?:\[?[\w ]*\d+\]?: *)?(?:raise|return) [A-Za-z_][\w.]*\()"_s);
    return form.match(text).hasMatch();
}

bool isTextAboutFailures(const QString& text)
{
    static const QRegularExpression form(
        uR"(^\W*(?:known issues?\b|note: if\b|(?:if|when) (?:you|the|your|dmesg|a|an)\b.*[`"'\x{201c}].*[`"'\x{201d}]))"
        uR"(|^\W*(?:\w+ \d+\W+)?(?:prompt|completion|question|answer|instruction|assistant)\s?: )"
        uR"(|^\{['"]\w+['"]: .*['"](?:passed|task_id|prompt|completion|answer)['"]: |^\{['"](?:task_id|prompt)['"]: )"
        uR"(|\bXid \d+ (?:means|is|indicates)\b|\b(?:this|which|problem|issue) (?:is|was|has been) (?:now )?(?:re)?solved\b)"
        uR"(|\b(?:why|how) (?:did|do|does|can|should)\b[^?]*\?["'\x{201d}]?$)"_s,
        QRegularExpression::CaseInsensitiveOption);
    return form.match(text).hasMatch();
}

bool isRowOfCells(const QString& text)
{
    constexpr qsizetype bordersOfTwo = 3;
    return text.count(u'\u2502') >= bordersOfTwo || text.count(u'\u2503') >= bordersOfTwo;
}

namespace {

/// "nid001234: ...", as pdsh, mpirun and loops over nodes print it; not "python3.10: ", "bf16: " or "srun: ".
QString nodeLabelOf(const QString& text)
{
    static const QRegularExpression form(uR"(^([a-z][a-z-]*\d{2,}[\w.-]*): )"_s);
    static const QRegularExpression noNode(
        uR"(^(?:[bt]?fp?|u?int|float|sm|gfx|cuda|rocm|hip|utf|lib|python|step|epoch|iter|rank|layer)"
        uR"(|block)[_-]?\d|\.(?:py|so|sh|c|cc|cpp|cu|log)\b)"_s);
    const auto match = form.match(text);
    return match.hasMatch() && !noNode.match(match.captured(1)).hasMatch() ? match.captured(1) : QString();
}

} // namespace

void readOrigin(const QString& text, Diagnosis& diagnosis)
{
    static const QRegularExpression tagged(uR"(^\[\d+,(\d+)\]<std(?:err|out)>)"_s); // Open MPI --tag-output
    static const QRegularExpression device(
        uR"(\bGPU (\d{1,3})\b(?= has a total|;)|\((?:GPU|device) (\d{1,3});|on (?:CUDA|GPU) device (\d{1,3})\b|\bcuda:(\d{1,3})\b)"_s);
    // "NODE:PID:TID [GPU] NCCL INFO ...", "NODE:PID:TID [GPU] transport/net.cc:12 NCCL WARN ..."
    static const QRegularExpression nccl(
        uR"((?:^|\s)(?=[\w.-]*[A-Za-z])([A-Za-z0-9][\w.-]*):\d+:\d+ \[(\d{1,3})\] (?:\S+:\d+ )?NCCL)"_s);
    static const QRegularExpression task(uR"(srun: error: ([\w.-]+): tasks? (\d+): )"_s);
    static const QRegularExpression slurmd(
        uR"(\*\*\* (?:JOB|STEP) \S+ ON ([\w.-]+) (?:FAILED|UNCORRECTABLE)|^slurmstepd-([\w.-]+): )"
        uR"(| failed on node ([\w.-]+): |error: Nodes ([\w.-]+) are still)"_s);
    static const QRegularExpression barrier(
        uR"((?:barrier on rank:|MPI_ABORT was invoked on rank|cli\.launcher:(?:Global r|R)ank) (\d+)\b)"_s);
    static const QRegularExpression mpirun(uR"(process rank (\d+) with PID \d+ on node ([\w.-]+) exited)"_s);
    static const QRegularExpression megatron(
        uR"((?:AssertionError: Rank|Unexpected result \S+ on rank) (\d+)\b(?:.*\bDevice: (\d+)(?:, node: ([\w.-]+))?)?)"_s);
    static const QRegularExpression mpich(
        uR"(\bMPICH ERROR \[Rank (\d+)\](?: \[[^\]]*\]){0,2} \[([A-Za-z][\w.-]*)\]|\bMPI_Abort\(.{0,60}\) - process (\d+))"_s);
    static const QRegularExpression fabric(uR"(libfabric:\d+:\d+:.*<\w+> ([A-Za-z][\w.-]*): )"_s);
    if (!diagnosis.rank)
        diagnosis.rank = rankOf(text);
    if (const auto match = tagged.match(text); match.hasMatch() && !diagnosis.rank)
        diagnosis.rank = numberIn(match.captured(1));
    if (const auto match = mpirun.match(text); match.hasMatch()) {
        diagnosis.rank = numberIn(match.captured(1));
        diagnosis.node = match.captured(2);
    }
    if (const auto match = megatron.match(text); match.hasMatch()) {
        diagnosis.rank = numberIn(match.captured(1));
        diagnosis.gpu = numberIn(match.captured(2));
        diagnosis.node = match.captured(3);
    }
    if (const auto match = slurmd.match(text); match.hasMatch() && diagnosis.node.isEmpty())
        diagnosis.node = match.captured(match.lastCapturedIndex());
    if (const auto match = barrier.match(text); match.hasMatch() && !diagnosis.rank)
        diagnosis.rank = numberIn(match.captured(1));
    if (const auto match = task.match(text); match.hasMatch() && !diagnosis.rank)
        diagnosis.rank = numberIn(match.captured(2));
    if (const auto match = device.match(text); match.hasMatch() && !diagnosis.gpu)
        diagnosis.gpu = numberIn(match.captured(match.lastCapturedIndex()));
    if (const auto match = nccl.match(text); match.hasMatch()) {
        if (diagnosis.node.isEmpty())
            diagnosis.node = match.captured(1);
        if (!diagnosis.gpu)
            diagnosis.gpu = numberIn(match.captured(2));
    }
    if (const auto match = mpich.match(text); match.hasMatch()) {
        diagnosis.rank = numberIn(match.captured(1) + match.captured(3));
        if (diagnosis.node.isEmpty())
            diagnosis.node = match.captured(2);
    }
    if (const auto match = fabric.match(text); match.hasMatch() && diagnosis.node.isEmpty())
        diagnosis.node = match.captured(1);
    if (diagnosis.node.isEmpty())
        diagnosis.node = nodeLabelOf(text);
}

QString frameworkOf(const QString& text)
{
    struct Mark {
        QRegularExpression form;
        QString name;
    };
    // as words of a message, not as part of a path: an image "lumi-pytorch-rocm.sif" prints nothing
    static const auto mark = [](const QString& form, const QString& name) {
        return Mark{QRegularExpression(form, QRegularExpression::CaseInsensitiveOption), name};
    };
    static const QList<Mark> marks{mark(uR"(huggingface(?:\.co\b|_hub\b)|\btransformers[./ ])"_s, u"transformers"_s),
        mark(u"rccl"_s, u"rccl"_s),
        mark(
            uR"((?<![\w./-])(?:py)?torch(?:\.[a-z_]|vision|elastic|run\b| )|\bc10d\b|ProcessGroupNCCL|RuntimeError: (?:CUDA|HIP) )"_s,
            u"pytorch"_s),
        mark(uR"((?<![\w./-])tensorflow(?:[./:]| ))"_s, u"tensorflow"_s),
        mark(uR"((?<![\w./-])jax(?:lib)?[. ])"_s, u"jax"_s)};
    for (const Mark& one : marks) {
        if (one.form.match(text).hasMatch())
            return one.name;
    }
    return {};
}

} // namespace rankwright::inline insight
