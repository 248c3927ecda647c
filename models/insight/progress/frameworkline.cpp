// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/frameworkline.h"

#include "models/insight/progress/progressnumbers.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

/// A layout of one program. Groups: step, steps, epoch, epochs, loss, rate, eta.
struct Layout {
    const char* framework;
    const char* clue; ///< must be in the line
    const char* form;
    const char* rateUnit;
    bool countsFromZero = false; ///< the number of epochs is that of the last one
    bool isOfRun = false; ///< the steps are those of all epochs
};

constexpr Layout layouts[]{
    // espnet2: trainer/reporter.py
    {"espnet", "epoch:train:", R"((?<epoch>\d+)epoch:train:\d+-(?<step>\d+)batch: .*?\bloss=(?<loss>[\d.e+-]+))", ""},
    // TensorFlow 1 benchmarks: "10  images/sec: 331.3 +/- 0.5 (jitter = 1.7)  7.834"
    {"tf_cnn_benchmarks",
        "images/sec:", R"(^\s*(?<step>\d+)\s+images/sec:\s*(?<rate>[\d.]+)\s.*\)\s+(?<loss>[\d.]+)\s*$)", "samples/s"},
    // TensorFlow estimators: basic_session_run_hooks.py
    {"tensorflow", "loss = ", R"(\bloss = (?<loss>[\d.e+-]+), step = (?<step>\d+))", ""},
    {"tensorflow", "global_step/sec", R"(global_step/sec: (?<rate>[\d.]+))", "it/s"},
    // MosaicML Composer: console_logger.py; how it counts depends on the run's duration
    {"composer", "[epoch=", R"(^\s*\[epoch=(?<epoch>\d+)\]\[batch=(?<step>\d+)(?:/(?<steps>\d+))?\]:?\s*$)", ""},
    {"composer", "[batch=", R"(^\s*\[batch=(?<step>\d+)/(?<steps>\d+)\]:\s*$)", ""},
    {"composer", "loss/train/total", R"(^\s*(?:Train )?loss/train/total: (?<loss>-?[\d.]+(?:e[+-]?\d+)?|nan)\s*$)", ""},
    {"composer", "throughput/batches_per_sec", R"(^\s*(?:Train )?throughput/batches_per_sec: (?<rate>[\d.]+)\s*$)",
        "it/s"},
    // DeepSpeed: engine.py, without a loss
    {"deepspeed", ", skipped=", R"(\[Rank \d+\] step=(?<step>\d+), skipped=\d+, lr=)", ""},
    // Informer and the time series programs after it: exp_main.py prints this line behind that of the loss
    {"generic", "s/iter; left time: ", R"(^\s*speed: (?<rate>[\d.]+)s/iter; left time: (?<eta>[\d.]+)s\s*$)", "s/it"},
    // Lightning's RichProgressBar: "Epoch 3/9 ━━━━ 120/1000 0:00:12 • 0:01:30 9.50it/s v_num: 0 train_loss: 2.3"
    {"lightning", "\u2022",
        R"(^\s*Epoch (?<epoch>\d+)/(?<epochs>\d+) [^\d\w]+ (?<step>\d+)/(?<steps>\d+) [\d:]+ • (?<eta>[\d:-]+) (?<rate>[\d.]+)it/s(?:.*?\b(?:train_)?loss(?:_step)?: (?<loss>[\d.]+))?)",
        "it/s", true},
    // OLMo and OLMo-core: a line of its own for the step, then one for each figure
    {"olmo", "[step=",
        R"(\[step=(?<step>\d+)/(?<steps>\d+)(?:,epoch=(?<epoch>\d+))?(?:,eta=(?<eta>[^\]]{1,60}))?\]\s*$)", ""},
    {"olmo", "train/C", R"(^\s*train/(?:CrossEntropyLoss|CE loss)=(?<loss>[\d.]+)\s*$)", ""},
    {"olmo", "throughput/device/", R"(^\s*throughput/device/(?:tokens_per_second|TPS)=(?<rate>[\d.,]+)\s*$)",
        "tokens/s"},
    // t5x: trainer.py
    {"t5x", "Training: step ", R"(\bTraining: step (?<step>\d+)\s*$)", ""},
    // modded-nanogpt
    {"modded-nanogpt", "step_avg:",
        R"(\bstep:(?<step>\d+)/(?<steps>\d+) (?:train_loss:(?<loss>[\d.]+) )?.*\bstep_avg:(?<rate>[\d.]+)ms)", "ms/it"},
    // verl: tracking.py
    {"verl", "step:",
        R"(\bstep:(?<step>\d+) - (?=[\w.-]+/\S+?:)(?=(?:.* - training/epoch:(?<epoch>[\d.]+))?)(?=(?:.*(?<![\w/])actor/pg_loss:(?<loss>-?[\d.]+(?:e[+-]?\d+)?))?)(?=(?:.* - timing_s/step:(?<rate>[\d.]+))?))",
        "s/it"},
    // CLU, the metric writer of Flax examples: logging_writer.py
    {"clu", "] steps_per_second=",
        R"(\] \[(?<step>\d+)\] steps_per_second=(?<rate>[\d.]+)(?=(?:.*\b(?:train_)?loss=(?<loss>-?[\d.]+(?:e[+-]?\d+)?))?))",
        "it/s"},
    {"clu", ", ",
        R"(logging_writer\.py:\d+\] \[(?<step>\d+)\] (?:.*\b)?(?:train_)?loss=(?<loss>-?[\d.]+(?:e[+-]?\d+)?))", ""},
    // Transformers' Flax examples: run_clm_flax.py
    {"flax", "Step... (", R"(Step\.\.\. \((?<step>\d+)(?:/(?<steps>\d+))? \| Loss: (?<loss>[\d.]+(?:e[+-]?\d+)?))", ""},
    // llama2.c: train.py
    {"llama2.c", " | lr ", R"(^\s*(?<step>\d+) \| loss (?<loss>[\d.]+) \| lr \S+ \| (?<rate>[\d.]+)ms)", "ms/it"},
    // TF-Slim: learning.py
    {"tensorflow", "sec/step)",
        R"(\bglobal step (?<step>\d+): loss = (?<loss>[\d.]+(?:e[+-]?\d+)?) \((?<rate>[\d.]+) sec/step\))", "s/it"},
    // TensorFlow's object detection: model_lib_v2.py
    {"tensorflow", "per-step time ",
        R"(\bStep (?<step>\d+) per-step time (?<rate>[\d.]+)s(?: loss=(?<loss>[\d.]+(?:e[+-]?\d+)?))?)", "s/it"},
    // Kaldi: steps/nnet3/chain/train.py
    {"kaldi", "% complete)", R"(\bIter: (?<step>\d+)/(?<steps>\d+) .*\bEpoch: (?<epoch>[\d.]+)/(?<epochs>[\d.]+) \()",
        "", false, true},
    // nnU-Net: nnUNetTrainer.py prints a line for each figure
    {"nnunet", ": Epoch ", R"(^\d{4}-\d\d-\d\d [\d:.]+: Epoch (?<epoch>\d+)\s*$)", ""},
    {"nnunet", ": train_loss ", R"(^\d{4}-\d\d-\d\d [\d:.]+: train_loss (?<loss>-?[\d.]+)\s*$)", ""},
    // rsl_rl (Isaac Lab): on_policy_runner.py, a table of each iteration below this heading
    {"rsl_rl", "Learning iteration ", R"(^\s*Learning iteration (?<step>\d+)/(?<steps>\d+)\s*$)", ""},
    // icefall (k2): train.py
    {"icefall",
        ", loss[loss=", R"(\bEpoch (?<epoch>\d+), batch (?<step>\d+), loss\[loss=(?<loss>[\d.]+(?:e[+-]?\d+)?))", ""},
    // LeRobot: lerobot_train.py, big numbers with their letter
    {"lerobot", " grdn:",
        R"(\bstep:(?<step>[\d.]+[KMB]?) smpl:\S+ ep:\S+ epch:(?<epoch>[\d.]+) loss:(?<loss>-?[\d.]+)\b(?=(?:.*\bupdt_s:(?<rate>[\d.]+))?))",
        "s/it"},
    // Stable-Baselines3: logger.py, a row for each figure
    {"stable-baselines3", "total_timesteps", R"(^\|\s+total_timesteps\s+\|\s+(?<step>\d+)\s+\|\s*$)", ""},
    {"stable-baselines3", "|    loss ", R"(^\|\s+loss\s+\|\s+(?<loss>-?[\d.]+(?:e[+-]?\d+)?)\s+\|\s*$)", ""},
    // OpenNMT-py: report_manager.py, statistics.py
    {"opennmt", "xent:", R"(\bStep (?<step>\d+)/\s*(?<steps>\d+); .*?\bxent: (?<loss>[\d.]+);)", ""},
};

std::optional<double> jsonNumber(const QJsonObject& object, std::initializer_list<QStringView> names)
{
    for (QStringView name : names) {
        const QJsonValue value = object.value(name.toString());
        if (value.isDouble())
            return value.toDouble();
        if (value.isString()) {
            if (const auto number = decimalIn(value.toString()))
                return number;
        }
    }
    return {};
}

std::optional<qint64> jsonWhole(const QJsonObject& object, std::initializer_list<QStringView> names)
{
    const auto number = jsonNumber(object, names);
    return number && *number >= 0 && *number < 1e15 ? std::optional<qint64>(qint64(*number)) : std::nullopt;
}

/// A line that ends in a JSON object with a loss: fairseq, LLaMA-Factory's trainer log, own loggers.
std::optional<ProgressHint> jsonIn(const QString& text)
{
    const qsizetype brace = text.indexOf(u"{\""_s);
    if (brace < 0 || !text.trimmed().endsWith(u'}') || text.size() > 16000 || text.contains(u"valid_loss"_s))
        return {};
    const QJsonObject object = QJsonDocument::fromJson(text.mid(brace).trimmed().toUtf8()).object();
    ProgressHint hint;
    hint.loss = jsonNumber(object, {u"loss", u"train_loss", u"train/loss", u"loss/train", u"lm_loss", u"lm loss"});
    hint.step = jsonWhole(object,
        {u"global_step", u"step", u"current_steps", u"num_updates", u"iteration", u"iter", u"train/global_step",
            u"trainer/global_step", u"_step"});
    if (!hint.loss || (!hint.step && !object.contains(u"epoch"_s)))
        return {};
    hint.steps = jsonWhole(object, {u"total_steps", u"max_steps", u"train_iters", u"num_training_steps"});
    hint.epoch = jsonNumber(object, {u"epoch", u"train/epoch"});
    hint.epochs = jsonNumber(object, {u"epochs", u"max_epochs", u"num_epochs"});
    if (object.contains(u"ups"_s)) {
        hint.rate = jsonNumber(object, {u"ups"});
        hint.rateUnit = hint.rate ? u"it/s"_s : QString();
        hint.framework = u"fairseq"_s;
    }
    hint.etaSeconds = secondsIn(object.value(u"remaining_time"_s).toString());
    hint.kind = hint.step ? ProgressHint::Kind::Step : ProgressHint::Kind::Epoch;
    if (hint.framework.isEmpty())
        hint.framework = u"generic"_s;
    return hint;
}

std::optional<ProgressHint> layoutIn(const QString& text, const Layout& layout, const QRegularExpression& form)
{
    const auto match = form.match(text);
    if (!match.hasMatch())
        return {};
    const QStringList groups = form.namedCaptureGroups();
    const auto reported = [&](QStringView name) {
        const QString group = name.toString();
        return groups.contains(group) ? match.captured(group) : QString();
    };
    ProgressHint hint;
    hint.framework = QString::fromLatin1(layout.framework);
    hint.isOfRun = layout.isOfRun;
    hint.step = countIn(reported(u"step"));
    hint.steps = wholeIn(reported(u"steps"));
    hint.epoch = decimalIn(reported(u"epoch"));
    hint.epochs = decimalIn(reported(u"epochs"));
    if (hint.epochs && layout.countsFromZero)
        *hint.epochs += 1;
    hint.loss = decimalIn(reported(u"loss"));
    hint.rate = decimalIn(reported(u"rate"));
    if (hint.rate)
        hint.rateUnit = QString::fromLatin1(layout.rateUnit);
    hint.etaSeconds = secondsIn(reported(u"eta"));
    hint.kind = hint.step ? ProgressHint::Kind::Step : ProgressHint::Kind::Epoch;
    return hint;
}

} // namespace

std::optional<ProgressHint> otherLayout(const QString& text)
{
    static const QList<QRegularExpression> forms = [] {
        QList<QRegularExpression> list;
        for (const Layout& layout : layouts)
            list.append(QRegularExpression(QString::fromUtf8(layout.form)));
        return list;
    }();
    static const QStringList clues = [] {
        QStringList list;
        for (const Layout& layout : layouts)
            list.append(QString::fromUtf8(layout.clue));
        return list;
    }();
    for (qsizetype i = 0; i < forms.size(); ++i) {
        if (!text.contains(clues.at(i)))
            continue;
        if (auto hint = layoutIn(text, layouts[i], forms.at(i)))
            return hint;
    }
    return jsonIn(text);
}

QString layoutOf(const QString& text, const LineClues& clues)
{
    struct Mark {
        LineClues::Word clue; ///< is in the line where both others do
        QStringView program;
        QStringView first;
        QStringView second; ///< both must be in the line
    };
    static constexpr Mark marks[]{
        {LineClues::Iter, u"megatron", u"iteration", u"consumed samples:"},
        {LineClues::Iter, u"gpt-neox", u"samples/sec:", u"| iteration"},
        {LineClues::Iter, u"megatron", u"iteration", u"elapsed time per iteration"},
        {LineClues::Titan, u"torchtitan", u"[titan]", u"loss:"},
        {LineClues::Tps, u"torchtitan", u"tps:", u"memory:"},
        {LineClues::Step, u"deepspeed", u"steps:", u"samples/sec:"},
        {LineClues::Step, u"deepspeed", u"global_step=", u"micro_step="},
        {LineClues::Loss, u"litgpt", u"loss train:", u"iter time:"},
        {LineClues::Mfu, u"nanogpt", u"mfu ", u"iter "},
        {LineClues::TrainColon, u"timm", u"Train: ", u"Data: "},
        {LineClues::Loss, u"detectron2", u"total_loss:", u"max_mem:"},
        {LineClues::Ups, u"fairseq", u"num_updates=", u"ups="},
        {LineClues::Loss, u"nanotron", u"consumed_tokens:", u"tokens_per_sec_per_gpu:"},
        {LineClues::Loss, u"open_clip", u"Logit Scale:", u"Batch (t):"},
        {LineClues::Loss, u"nemo", u"reduced_train_loss", u""},
        {LineClues::OpenMm, u"mmengine", u"mmengine", u""},
        {LineClues::OpenMm, u"mmengine", u"mmdet - INFO", u""},
        {LineClues::Step, u"maxtext", u"completed step:", u"TFLOP/s/device"},
        {LineClues::Step, u"keras", u"/step - ", u""},
        {LineClues::Remaining, u"keras", u"] - ETA: ", u""},
        {LineClues::VersionNumber, u"lightning", u"v_num=", u""},
        {LineClues::Step, u"accelerate", u"step_loss=", u""},
    };
    for (const Mark& mark : marks) {
        if (clues.has(mark.clue) && text.contains(mark.first) && text.contains(mark.second))
            return mark.program.toString();
    }
    return {};
}

} // namespace rankwright::inline insight
