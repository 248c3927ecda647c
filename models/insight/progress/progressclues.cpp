// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/progressclues.h"

#include "models/insight/progress/progressline.h"
#include "models/insight/text/wordfinder.h"

#include <QRegularExpression>

namespace rankwright {

namespace {

const WordFinder& clueFinder()
{
    static const WordFinder finder(
        {{"loss", LineClues::Loss}, {"step", LineClues::Step}, {"iter", LineClues::Iter}, {"epoch", LineClues::Epoch},
            {"train: ", LineClues::TrainColon}, {"/s", LineClues::PerSecond}, {"_per_second", LineClues::PerSecond},
            {"tps", LineClues::Tps}, {"time", LineClues::Time}, {"ms", LineClues::Milliseconds},
            {"ups=", LineClues::Ups}, {"train_step_timing", LineClues::StepTiming}, {"seconds:", LineClues::Seconds},
            {"time:", LineClues::Seconds}, {"eta", LineClues::Remaining}, {"remaining time", LineClues::Remaining},
            {"time left", LineClues::Remaining}, {"ms/step", LineClues::Remaining},
            {"starts at step", LineClues::StartsAt}, {"micro_step=", LineClues::MicroStep},
            {"total optimization steps", LineClues::Totals}, {"num epochs", LineClues::Totals},
            {"valid", LineClues::Evaluation}, {"eval", LineClues::Evaluation}, {"test", LineClues::Evaluation},
            {"predict", LineClues::Evaluation}, {"inference", LineClues::Evaluation}, {"sanity", LineClues::Evaluation},
            {"class", LineClues::Evaluation}, {"(val)", LineClues::Evaluation}, {"it [", LineClues::Counted},
            {"step [", LineClues::Counted}, {"steps [", LineClues::Counted}, {"batch [", LineClues::Counted},
            {"batches [", LineClues::Counted}, {"ba [", LineClues::Counted}, {"sample [", LineClues::Counted},
            {"samples [", LineClues::Counted}, {"tok [", LineClues::Counted}, {"tokens [", LineClues::Counted},
            {"seq [", LineClues::Counted}, {"seqs [", LineClues::Counted}, {"sequences [", LineClues::Counted},
            {"img [", LineClues::Counted}, {"imgs [", LineClues::Counted}, {"image [", LineClues::Counted},
            {"images [", LineClues::Counted}, {"iters [", LineClues::Counted}, {"iterations [", LineClues::Counted},
            {"[titan]", LineClues::Titan}, {"mfu ", LineClues::Mfu}, {"mmengine", LineClues::OpenMm},
            {"mmdet", LineClues::OpenMm}, {"v_num=", LineClues::VersionNumber}, {"global batch", LineClues::BatchSize},
            {"global_batch", LineClues::BatchSize}, {"global-batch", LineClues::BatchSize},
            {"micro batch", LineClues::BatchSize}, {"micro_batch", LineClues::BatchSize},
            {"micro-batch", LineClues::BatchSize}, {"train batch size", LineClues::BatchSize},
            {"batch size per ", LineClues::BatchSize}, {"total batch size", LineClues::BatchSize},
            {"effective batch", LineClues::BatchSize}, {"_train_batch_size", LineClues::BatchSize},
            {" per gpu", LineClues::BatchSize}, {" per gcd", LineClues::BatchSize}, {" per rank", LineClues::BatchSize},
            {" per device", LineClues::BatchSize}});
    return finder;
}

} // namespace

LineClues::LineClues(const QString& line) : m_words(clueFinder().findBits(line.toUtf8())) { }

using namespace Qt::StringLiterals;

namespace {

constexpr auto noCase = QRegularExpression::CaseInsensitiveOption;

/// How many characters a launcher's label takes at the begin of a line, and the rank that it names: srun --label
/// ("3: ", but "10:00:00" is a time), Open MPI's --tag-output ("[1,3]<stdout>:"), horovodrun ("[3]<stderr>:"), and
/// torchrun, which names a local rank only ("[default0]:").
qsizetype labelOf(const QString& line, std::optional<int>& rank)
{
    const QChar first = line.isEmpty() ? QChar() : line.at(0);
    const bool isDated = first.isUpper() && line.left(48).contains(u"]<std"); // "Fri Sep 25 16:52:36 2020[1]<stderr>:"
    if (first != u' ' && first != u'[' && !first.isDigit() && !isDated)
        return 0;
    static const QRegularExpression srun(uR"(^ *(\d{1,6}):(?: |$))"_s);
    static const QRegularExpression mpi(
        uR"(^(?:[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ [\d:]{8} \d{4})?\[(?:\d+,)?(\d{1,6})\](?:\[[\w.-]*\])?<std(?:out|err)>: ?)"_s);
    static const QRegularExpression agent(uR"(^\[(?:default|trainer|worker|[a-z_]+\.)\d{1,6}\]: ?)"_s);
    for (const QRegularExpression* form : {&srun, &mpi}) {
        if (const auto match = form->match(line); match.hasMatch()) {
            rank = match.captured(1).toInt();
            return match.capturedLength();
        }
    }
    const auto match = agent.match(line);
    return match.hasMatch() ? match.capturedLength() : 0;
}

} // namespace

QString withoutTaskLabel(const QString& line)
{
    std::optional<int> rank;
    const qsizetype length = labelOf(line, rank);
    return length > 0 ? line.mid(length) : line;
}

std::optional<int> rankOf(const QString& line)
{
    static const QRegularExpression named(uR"(\[rank[ :]?(\d{1,6})(?:/\d+)?\])"_s, noCase);
    if (line.contains(u"[rank"_s, Qt::CaseInsensitive)) {
        if (const auto match = named.match(line); match.hasMatch())
            return match.captured(1).toInt();
    }
    std::optional<int> rank;
    labelOf(line, rank);
    return rank;
}

namespace {

const WordFinder& progressClues()
{
    static const WordFinder finder({{"%|", 0}, {"loss", 0}, {"epoch", 0}, {"optimization steps", 0},
        {"starts at step", 0}, {"/sec", 0}, {"[batch=", 0}, {"it [", 0}, {"step [", 0}, {"ba [", 0}, {"sample [", 0},
        {"samples [", 0}, {"tok [", 0}, {"tokens [", 0}, {"seq [", 0}, {"seqs [", 0}, {"sequences [", 0}, {"img [", 0},
        {"imgs [", 0}, {"image [", 0}, {"images [", 0}, {"iters [", 0}, {"iterations [", 0}, {"batch [", 0},
        {"steps [", 0}, {"batches [", 0}, {"xent:", 0}, {"[step=", 0}, {"throughput/device/", 0},
        {"training: step ", 0}, {"step_avg:", 0}, {"- global_seqlen/", 0}, {"% \u2501", 0}, {"global batch", 0},
        {"global_batch", 0}, {"global-batch", 0}, {"micro batch", 0}, {"micro_batch", 0}, {"micro-batch", 0},
        {"train batch size", 0}, {"batch size per ", 0}, {"total batch size", 0}, {"effective batch", 0},
        {"_train_batch_size", 0}, {" per gpu", 0}, {" per gcd", 0}, {" per rank", 0}, {" per device", 0}});
    return finder;
}

const WordFinder& errorClues()
{
    static const WordFinder finder(
        {{"error", 0}, {"exception", 0}, {"fatal", 0}, {"traceback", 0}, {"segmentation fault", 0},
            {"out of memory", 0}, {"oom", 0}, {"core dumped", 0}, {"aborted", 0}, {"cancelled at", 0}});
    return finder;
}

} // namespace

bool mayReportProgress(QByteArrayView raw) { return progressClues().firstEnd(raw) >= 0; }
bool mayReportError(QByteArrayView raw) { return errorClues().firstEnd(raw) >= 0; }
qsizetype nextProgressClue(QByteArrayView text, qsizetype from) { return progressClues().firstEnd(text, from); }

bool looksLikeError(const QString& line)
{
    // NCCL says "Failed to find ..." in its INFO lines when all is well; "error: 0.12" is a measure, not a fault.
    static const QRegularExpression harmless(uR"(NCCL INFO|\berrors?\s*[:=]?\s*\d)"_s, noCase);
    static const QRegularExpression words(
        uR"(\b(?:error|fatal|traceback|segmentation fault|out of memory|oom[-_ ]kill\w*|core dumped|aborted|cancelled at)\b|(?-i:[A-Za-z](?:Error|Exception)\b))"_s,
        noCase);
    return words.match(line).hasMatch() && !harmless.match(line).hasMatch();
}

} // namespace rankwright
