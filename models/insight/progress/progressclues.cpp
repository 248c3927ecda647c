// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/progressclues.h"

#include "models/insight/progress/progressline.h"
#include "models/insight/text/wordfinder.h"

#include <QRegularExpression>

namespace rankwright::inline insight {

namespace {

using Words = QList<std::pair<QByteArray, int>>;

/// Words of counters without a total and of batch sizes: clues of a part, and of a line that reports at all.
constexpr const char* countedWords[]{"it [", "step [", "steps [", "batch [", "batches [", "ba [", "sample [",
    "samples [", "tok [", "tokens [", "seq [", "seqs [", "sequences [", "img [", "imgs [", "image [", "images [",
    "iters [", "iterations ["};
constexpr const char* batchWords[]{"global batch", "global_batch", "global-batch", "micro batch", "micro_batch",
    "micro-batch", "train batch size", "batch size per ", "total batch size", "effective batch", "_train_batch_size",
    " per gpu", " per gcd", " per rank", " per device"};

const WordFinder& clueFinder()
{
    static const WordFinder finder([] {
        Words words{{"loss", LineClues::Loss}, {"step", LineClues::Step}, {"iter", LineClues::Iter},
            {"epoch", LineClues::Epoch}, {"train: ", LineClues::TrainColon}, {"/s", LineClues::PerSecond},
            {"_per_second", LineClues::PerSecond}, {"tps", LineClues::Tps}, {"time", LineClues::Time},
            {"ms", LineClues::Milliseconds}, {"ups=", LineClues::Ups}, {"train_step_timing", LineClues::StepTiming},
            {"seconds:", LineClues::Seconds}, {"time:", LineClues::Seconds}, {"eta", LineClues::Remaining},
            {"remaining time", LineClues::Remaining}, {"time left", LineClues::Remaining},
            {"s/step", LineClues::Remaining}, {"starts at step", LineClues::StartsAt},
            {"micro_step=", LineClues::MicroStep}, {"total optimization steps", LineClues::Totals},
            {"num epochs", LineClues::Totals}, {"valid", LineClues::Evaluation}, {"eval", LineClues::Evaluation},
            {"test", LineClues::Evaluation}, {"predict", LineClues::Evaluation}, {"inference", LineClues::Evaluation},
            {"sanity", LineClues::Evaluation}, {"class", LineClues::Evaluation}, {"(val)", LineClues::Evaluation},
            {"[titan]", LineClues::Titan}, {"mfu ", LineClues::Mfu}, {"mmengine", LineClues::OpenMm},
            {"mmdet", LineClues::OpenMm}, {"v_num=", LineClues::VersionNumber}};
        for (const char* word : countedWords)
            words.append({word, LineClues::Counted});
        for (const char* word : batchWords)
            words.append({word, LineClues::BatchSize});
        return words;
    }());
    return finder;
}

} // namespace

LineClues::LineClues(const QString& line) : m_words(clueFinder().findBits(line.toUtf8())) { }

using namespace Qt::StringLiterals;

namespace {

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

QString taskLabelOf(const QString& line)
{
    std::optional<int> rank;
    return line.left(labelOf(line, rank)).section(u':', 0, 0).trimmed();
}

std::optional<int> rankOf(const QString& line)
{
    constexpr qsizetype farthest = 160; // where programs put their rank
    // "[rank3]", "[RANK:3]", "[GLOBAL_RANK 12]", "(rank 7)"; Lightning's "GLOBAL_RANK: 3, MEMBER: 4/8"
    static const QRegularExpression named(
        uR"(\[(?:global[_ ])?rank[ :=]?(\d{1,6})(?:/\d+)?\]|\((?:global[_ ])?rank[ :=]?(\d{1,6})(?:/\d+)?\)|\bGLOBAL_RANK: (\d{1,6}),)"_s,
        noCase);
    // "RANK: 0 ...", "Rank 6: ...", "rank=4 ...", behind what loggers put before it
    static const QRegularExpression first(
        uR"(^(?:\[[^\]]*\]:? *|[\d:.,TZ+/-]+ +|(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)\b:? *|[|] +)*+(?:global[_ ])?rank(?:: ?(\d{1,6})(?=[,:]| +\S)| (\d{1,6})(?:/\d+)?:|=(\d{1,6})(?=[,;]? +\S)))"_s,
        noCase);
    if (line.contains(u"rank"_s, Qt::CaseInsensitive)) {
        for (const auto& match : {named.match(line), first.match(withoutTaskLabel(line).left(farthest))}) {
            if (match.hasMatch())
                return match.captured(match.lastCapturedIndex()).toInt(); // of the alternatives one has matched
        }
    }
    std::optional<int> rank;
    labelOf(line, rank);
    return rank;
}

namespace {

const WordFinder& progressClues()
{
    static const WordFinder finder([] {
        Words words{{"%|", 0}, {"loss", 0}, {"epoch", 0}, {"optimization steps", 0}, {"starts at step", 0}, {"/sec", 0},
            {"[batch=", 0}, {"xent:", 0}, {"[step=", 0}, {"throughput/device/", 0}, {"training: step ", 0},
            {"step_avg:", 0}, {"- global_seqlen/", 0}, {"% \u2501", 0}, {"steps_per_second=", 0}, {"per-step time ", 0},
            {"train_speed(", 0}, {"[epoch=", 0}, {"batches_per_sec", 0}, {"s/iter; left time", 0}, {"samplespersec", 0},
            {", skipped=", 0}, {"it/s]", 0}, {"s/it]", 0}, {"learning iteration ", 0}, {"progress on:", 0},
            {"reward", 0}, {"ep_rew_mean", 0}, {"== step ", 0}, {"iteration:", 0}, {"total_timesteps", 0}};
        for (const char* word : countedWords)
            words.append({word, 0});
        for (const char* word : batchWords)
            words.append({word, 0});
        return words;
    }());
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

} // namespace rankwright::inline insight
