// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosisorigin.h"

#include "models/insight/progresspatterns.h"

#include <QRegularExpression>

namespace rankwright {

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

void readOrigin(const QString& text, Diagnosis& diagnosis)
{
    static const QRegularExpression tagged(uR"(^\[\d+,(\d+)\]<std(?:err|out)>)"_s); // Open MPI --tag-output
    static const QRegularExpression device(
        uR"(\bGPU (\d{1,3})\b(?= has a total|;)|\((?:GPU|device) (\d{1,3});|on (?:CUDA|GPU) device (\d{1,3})\b|\bcuda:(\d{1,3})\b)"_s);
    static const QRegularExpression nccl(uR"((?:^|\s)([A-Za-z][\w.-]*):\d+:\d+ \[(\d{1,3})\] NCCL)"_s);
    static const QRegularExpression task(uR"(srun: error: ([\w.-]+): tasks? (\d+): )"_s);
    static const QRegularExpression fabric(uR"(libfabric:\d+:\d+:.*<\w+> ([A-Za-z][\w.-]*): )"_s);
    if (!diagnosis.rank)
        diagnosis.rank = rankOf(text);
    if (const auto match = tagged.match(text); match.hasMatch() && !diagnosis.rank)
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
    if (const auto match = fabric.match(text); match.hasMatch() && diagnosis.node.isEmpty())
        diagnosis.node = match.captured(1);
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

} // namespace rankwright
