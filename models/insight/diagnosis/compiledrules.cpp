// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/compiledrules.h"

#include "models/insight/diagnosis/diagnosisrules.h"

namespace rankwright {

namespace {

QRegularExpression expression(const char* text)
{
    return QRegularExpression(QString::fromUtf8(text), QRegularExpression::CaseInsensitiveOption);
}

} // namespace

const QList<CompiledRule>& compiledRules()
{
    static const QList<CompiledRule> all = [] {
        QList<CompiledRule> list;
        for (const DiagnosisRule& rule : diagnosisRules())
            list.append(
                {expression(rule.pattern), expression(rule.unless), expression(rule.pattern).namedCaptureGroups()});
        return list;
    }();
    return all;
}

const WordFinder& diagnosisClues()
{
    static const WordFinder finder = [] {
        QList<std::pair<QByteArray, int>> words{{"srun: error: ", SrunTask}, {"root cause (first observed", RootCause},
            {"failures:", Failures}, {"traceback (most recent", Traceback}, {"exception ignored in", IgnoredException},
            {"rccl", RocmCollectives}, {"torch.distributed.elastic", Agent}, {"torch/distributed/elastic", Agent},
            {"torch.distributed.run:", Agent}, {"torch/distributed/run.py", Agent}, {"due to preemption", Requeued},
            {"due to job requeue", Requeued}, {"due to node failure", Requeued}, {"srun: terminating", EndOfStep},
            {"job step aborted", EndOfStep}, {"force terminated", EndOfStep}, {"cancelled at", EndOfStep},
            {"forcing job termination", EndOfStep}, {"no cuda gpus are available", NoGpu},
            {"no hip gpus are available", NoGpu}, {"no gpu", NoGpu}, {"cuda is not available", NoGpu},
            {"gpu is not available", NoGpu}, {"gpu not available", NoGpu}, {"gpu not found", NoGpu},
            {"no cuda runtime is found", NoGpu}, {"falling back to cpu", NoGpu}, {"setting accelerator to cpu", NoGpu},
            {"gpu available: false", NoGpu}, {"gpu will not be used", NoGpu}, {"registering gpu devices", NoGpu},
            {"cannot dlopen some gpu", NoGpu}, {"could not retrieve rocm device", NoGpu},
            {"found no nvidia driver", NoGpu}, {"exception in thread", ThreadException},
            // what programs print once, at their begin
            {"setting omp_num_threads environment variable for each", Begun}, {"nccl version 2", Begun},
            {"setting ds_accelerator to", Begun}, {"initializing distributed: global_rank", Begun},
            {"| distributed init (rank", Begun}, {"starting elastic_operator", Begun}, {"number of parameters", Begun},
            {"***** running training *****", Begun}, {"> initializing torch distributed", Begun},
            {"training starts at step", Begun}, {"resuming training from", Begun}, {"resuming from", Begun},
            {"loading checkpoint from", Begun}, {"trainable params", Begun}};
        for (qsizetype i = 0; i < diagnosisRules().size(); ++i) {
            const QList<QByteArray> own = QByteArray(diagnosisRules().at(i).clues).split('|');
            for (const QByteArray& word : own)
                words.append({word, int(i)});
        }
        return WordFinder(words);
    }();
    return finder;
}

} // namespace rankwright
