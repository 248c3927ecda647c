// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/cluefinder.h"

#include "models/insight/diagnosis/diagnosisrules.h"

#include <QByteArray>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

QList<std::pair<QByteArray, int>> wordsOf(const QList<ClueFinder::Clues>& all)
{
    QList<std::pair<QByteArray, int>> words;
    for (const ClueFinder::Clues& one : all) {
        for (const QByteArray& word : one.words)
            words.append({word, one.number});
    }
    return words;
}

} // namespace

ClueFinder::ClueFinder(const QList<Clues>& all) : m_finder(wordsOf(all))
{
    for (const Clues& one : all) {
        if (one.words.isEmpty())
            m_always.append(one.number);
    }
}

QList<int> ClueFinder::find(QByteArrayView line) const
{
    QList<int> found = m_finder.find(line);
    if (m_always.isEmpty())
        return found;
    found += m_always;
    std::sort(found.begin(), found.end());
    return found;
}

qsizetype ClueFinder::firstAt(QByteArrayView text, qsizetype from) const
{
    if (!m_always.isEmpty())
        return from < text.size() ? from : -1;
    return m_finder.firstEnd(text, from);
}

const ClueFinder& diagnosisClues()
{
    static const ClueFinder finder = [] {
        QList<ClueFinder::Clues> all{{SrunTask, {"srun: error: "}}, {RootCause, {"root cause (first observed"}},
            {Failures, {"failures:"}}, {Traceback, {"traceback (most recent"}},
            {IgnoredException, {"exception ignored in"}}, {RocmCollectives, {"rccl"}},
            {RankBlock, {"begin global rank ", "end global rank "}}, {HydraProcess, {" running at "}},
            {Agent,
                {"torch.distributed.elastic", "torch/distributed/elastic",
                    "torch.distributed.run:", "torch/distributed/run.py"}},
            {Requeued, {"due to preemption", "due to job requeue", "due to node failure"}},
            {EndOfStep,
                {"srun: terminating", "job step aborted", "force terminated", "cancelled at",
                    "forcing job termination"}},
            {NoGpu,
                {"no cuda gpus are available", "no hip gpus are available", "no gpu", "cuda is not available",
                    "gpu is not available", "gpu not available", "gpu not found", "no cuda runtime is found",
                    "falling back to cpu", "setting accelerator to cpu", "gpu available: false", "gpu will not be used",
                    "registering gpu devices", "cannot dlopen some gpu", "could not retrieve rocm device",
                    "found no nvidia driver"}},
            {ThreadException, {"exception in thread"}},
            {Begun,
                {"setting omp_num_threads environment variable for each", "nccl version 2", "setting ds_accelerator to",
                    "initializing distributed: global_rank", "| distributed init (rank", "starting elastic_operator",
                    "number of parameters", "***** running training *****", "> initializing torch distributed",
                    "training starts at step", "resuming training from", "resuming from", "resumed from",
                    "restored from", "restoring states from", "loading checkpoint from", "trainable params"}}};
        for (int i = 0; i < int(diagnosisRules().size()); ++i)
            all.append({i, diagnosisRules().at(i).clues});
        return ClueFinder(all);
    }();
    return finder;
}

RemoteCommand causeCommand(const QString& path, qint64 end)
{
    QByteArray words;
    for (const DiagnosisRule& rule : diagnosisRules()) {
        const bool needsOthers = rule.isWarning || rule.repeats > 1 || rule.role == DiagnosisRule::Role::Processor;
        if (rule.tier > DiagnosisRule::Cause || needsOthers)
            continue;
        for (const QByteArray& word : rule.clues)
            words += word + '\n';
    }
    const QString script
        = u"export LC_ALL=C; head -c $2 -- \"$1\" | tr '\\r' '\\n' | grep -a -b -i -F -m 2000 -f <(printf '%s' \"$3\") | cut -b1-2000"_s;
    return RemoteCommand::of(
        {u"bash"_s, u"-c"_s, script, u"rankwright"_s, path, QString::number(end), QString::fromUtf8(words.chopped(1))})
        .withPurpose(u"Looks for causes of a failure in a job's output"_s);
}

} // namespace rankwright::inline insight
