// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/progressline.h"

#include "models/insight/progress/frameworkline.h"
#include "models/insight/progress/lineparts.h"
#include "models/insight/progress/progressbar.h"
#include "models/insight/progress/progressclues.h"
#include "models/insight/progress/progressnumbers.h"
#include "models/insight/progress/trainingfigures.h"

#include <QRegularExpression>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

void readRate(const QString& text, const LineClues& clues, ProgressHint& hint)
{
    using Clue = LineClues::Word;
    struct Form {
        QRegularExpression form;
        QString unit;
        Clue clue; ///< must be in the line
    };
    static const QList<Form> forms{
        {QRegularExpression(uR"(time_per_iteration_ms: ([\d.]+)(K?))"_s), u"ms/it"_s,
            Clue::Milliseconds}, // nanotron: "269", "11.5K"
        {QRegularExpression(uR"((?:samples|images|imgs?|sequences)/s(?:ec)?\s*[:=]\s*(\d[\d,]*(?:\.\d+)?))"_s, noCase),
            u"samples/s"_s, Clue::PerSecond},
        {QRegularExpression(
             uR"((?<![\d.])(\d[\d,]*(?:\.\d+)?)\s*(?:samples|images|imgs?|sequences)/s(?!(?:ec)?\s*[:=]))"_s, noCase),
            u"samples/s"_s, Clue::PerSecond},
        {QRegularExpression(uR"((?<![\d.])(\d[\d,]*(?:\.\d+)?)\s*(?:tokens|tok)/s(?!(?:ec)?\s*[:=]))"_s, noCase),
            u"tokens/s"_s, Clue::PerSecond},
        {QRegularExpression(
             uR"(\b(?:tokens|tok)(?:/s(?:ec)?|_per_second(?:_per_gpu)?)\s*[:=]\s*([\d.,]*\d)([KM]?)\b)"_s, noCase),
            u"tokens/s"_s, Clue::PerSecond},
        {QRegularExpression(uR"(\btps(?:\s*[:=]\s*|\s+)([\d.,]+\d))"_s, noCase), u"tokens/s"_s, Clue::Tps},
        {QRegularExpression(uR"(([\d.,]+)\s*(?:it|steps?)/s\b)"_s, noCase), u"it/s"_s, Clue::PerSecond},
        {QRegularExpression(
             uR"(\b(?:steps?|its?|iters?|batch(?:es)?)/s(?:ec)?\s*[:=]\s*(\d[\d,]*(?:\.\d+)?))"_s, noCase),
            u"it/s"_s, Clue::PerSecond},
        {QRegularExpression(uR"((?<=\s)(\d[\d,]*(?:\.\d+)?)/s\b)"_s), u"samples/s"_s, Clue::PerSecond}, // timm
        {QRegularExpression(uR"(time per iteration \(ms\)\s*:\s*([\d.]+))"_s, noCase), u"ms/it"_s, Clue::Time},
        {QRegularExpression(uR"(time per iteration \(s\)\s*:\s*([\d.]+))"_s, noCase), u"s/it"_s, Clue::Time},
        {QRegularExpression(uR"((?:\btime:?\s*|^.*?\s)([\d.]+)\s*ms(?:/step)?\b)"_s, noCase), u"ms/it"_s,
            Clue::Milliseconds},
        {QRegularExpression(uR"(\s(\d+)s/step\b)"_s), u"s/it"_s, Clue::PerSecond}, // Keras
        {QRegularExpression(uR"((?<![\d.])(\d+(?:\.\d+)?) s/(?:step|it|iter)\b)"_s), u"s/it"_s, Clue::Step},
        {QRegularExpression(
             uR"(\b(?:time per step|step[ _]time)\s*[:=]\s*(\d+(?:\.\d+)?)\s*s(?:ec(?:onds)?)?\b)"_s, noCase),
            u"s/it"_s, Clue::Time},
        {QRegularExpression(uR"(\bups=([\d.]+))"_s), u"it/s"_s, Clue::Ups}, // fairseq: updates
        {QRegularExpression(uR"(\bIt/sec ([\d.]+))"_s), u"it/s"_s, Clue::PerSecond}, // MLX
        {QRegularExpression(uR"(\btrain_step_timing in s\s*[:=]\s*([\d.]+))"_s), u"s/it"_s, Clue::StepTiming}, // NeMo
        {QRegularExpression(uR"((?<!data )\btime\s+([\d.]+)\s*\()"_s, noCase), u"s/it"_s,
            Clue::Time}, // PyTorch's ImageNet example, Swin
        {QRegularExpression(uR"(\b(?:seconds|time):\s*([\d.]+)(?=[,\s]))"_s, noCase), u"s/it"_s, Clue::Seconds},
    };
    for (const Form& entry : forms) {
        if (!clues.has(entry.clue))
            continue;
        const auto match = entry.form.match(text);
        if (!match.hasMatch())
            continue;
        if (const auto value = scaledIn(match.captured(1) + match.captured(2))) {
            hint.rate = *value;
            hint.rateUnit = entry.unit;
            return;
        }
    }
}

/// ms-swift counts in the dictionary itself: "'global_step/max_steps': '5/3766', ..., 'train_speed(iter/s)': 0.056".
void readSwift(const QString& words, ProgressHint& hint)
{
    static const QRegularExpression count(uR"(['"]global_step/max_steps['"]: ['"](\d+)/(\d+)['"])"_s);
    static const QRegularExpression left(uR"(['"]remaining_time['"]: ['"]([\dhms ]+)['"])"_s);
    static const QRegularExpression speed(uR"(['"]train_speed\((iter/s|s/it)\)['"]: ['"]?([\d.]+))"_s);
    const auto match = words.contains(u"global_step/max_steps"_s) ? count.match(words) : QRegularExpressionMatch();
    if (!match.hasMatch())
        return;
    hint.kind = ProgressHint::Kind::Step;
    hint.framework = u"ms-swift"_s;
    hint.step = wholeIn(match.captured(1));
    hint.steps = wholeIn(match.captured(2));
    hint.isOfRun = true;
    hint.etaSeconds = secondsIn(left.match(words).captured(1));
    if (const auto rate = speed.match(words); rate.hasMatch()) {
        hint.rate = decimalIn(rate.captured(2));
        hint.rateUnit = rate.captured(1) == u"s/it" ? u"s/it"_s : u"it/s"_s;
    }
}

/// A dictionary that names a step and no epoch: "{'accuracy': 0.5, 'loss': 2.31, 'step': 1200}".
std::optional<ProgressHint> steppedDictionaryIn(const QString& words)
{
    static const QRegularExpression ownStep(
        uR"(^\{['"].*['"](?:(?:train/)?(?:global_)?step|iteration)['"]: ['"]?(\d{1,15})['"]?[,}])"_s);
    static const QRegularExpression ownLoss(uR"([{ ]['"](?:train/)?loss['"]: )"_s);
    const auto step = words.contains(u"loss"_s) ? ownStep.match(words) : QRegularExpressionMatch();
    if (!step.hasMatch() || words.startsWith(u"{\""_s) || !ownLoss.match(words).hasMatch())
        return {};
    ProgressHint hint;
    hint.framework = u"generic"_s;
    hint.step = wholeIn(step.captured(1));
    hint.loss = lossIn(words);
    return hint.loss ? std::optional(hint) : std::nullopt;
}

std::optional<ProgressHint> dictionaryIn(const QString& text)
{
    static const QRegularExpression form(uR"(\{['"](?:\w+)['"]: .*['"]epoch['"]: ['"]?([\d.]+).*\})"_s);
    const qsizetype brace = text.lastIndexOf(u'{');
    if (brace < 0)
        return {};
    const QString words = text.mid(brace);
    const auto match = form.match(words);
    if (!match.hasMatch())
        return steppedDictionaryIn(words);
    ProgressHint hint;
    hint.kind = ProgressHint::Kind::Epoch;
    hint.framework = u"hf-trainer"_s;
    hint.epoch = decimalIn(match.captured(1));
    // the summary at the end has the mean of all steps; Unsloth's lines have its other members beside their own loss
    static const QRegularExpression ownLoss(uR"(['"]loss['"]: )"_s);
    if (!words.contains(u"train_runtime"_s) || ownLoss.match(words).hasMatch())
        hint.loss = lossIn(words);
    static const QRegularExpression ownStep(uR"(['"](?:global_)?step['"]: (\d{1,15})[,}])"_s);
    if (const auto step = words.contains(u"step"_s) ? ownStep.match(words) : QRegularExpressionMatch();
        step.hasMatch() && hint.loss) {
        hint.kind = ProgressHint::Kind::Step;
        hint.step = wholeIn(step.captured(1));
    }
    readSwift(words, hint);
    return hint;
}

std::optional<ProgressHint> totalsIn(const QString& text, const LineClues& clues)
{
    static const QRegularExpression form(uR"(^\s*(?:.* )?(Total optimization steps|Num Epochs) = ([\d,]+)\s*$)"_s);
    static const QRegularExpression alone(uR"(^[\s=*#-]*Epoch:?\s+(\d+)\s*/\s*(\d+)[\s=*#-]*$)"_s, noCase);
    static const QRegularExpression unsloth(uR"(\bNum Epochs = ([\d,]+) \| Total steps = ([\d,]+))"_s);
    static const QRegularExpression deepspeed(
        uR"(\bepoch=(\d+)/micro_step=\d+/global_step=\d+(?:,.{0,80}\bCurrSamplesPerSec=([\d.]+))?)"_s);
    static const QRegularExpression titan(uR"(Training starts at step \d+.*\btotal steps:? (\d[\d,]*))"_s);
    static const QRegularExpressionMatch none;
    ProgressHint hint;
    if (const auto match = clues.has(LineClues::StartsAt) ? titan.match(text) : none; match.hasMatch()) {
        hint.kind = ProgressHint::Kind::Totals;
        hint.steps = wholeIn(match.captured(1));
        return hint;
    }
    if (const auto match = clues.has(LineClues::MicroStep) ? deepspeed.match(text) : none; match.hasMatch()) {
        hint.kind = ProgressHint::Kind::Epoch;
        hint.framework = u"deepspeed"_s;
        hint.epoch = decimalIn(match.captured(1));
        hint.rate = decimalIn(match.captured(2));
        if (hint.rate)
            hint.rateUnit = u"samples/s"_s;
        return hint;
    }
    if (const auto match = clues.has(LineClues::Totals) ? unsloth.match(text) : none; match.hasMatch()) {
        hint.kind = ProgressHint::Kind::Totals;
        hint.epochs = decimalIn(match.captured(1));
        hint.steps = wholeIn(match.captured(2));
        return hint;
    }
    if (const auto match = clues.has(LineClues::Totals) ? form.match(text) : none; match.hasMatch()) {
        hint.kind = ProgressHint::Kind::Totals;
        if (match.captured(1).startsWith(u'T'))
            hint.steps = wholeIn(match.captured(2));
        else
            hint.epochs = decimalIn(match.captured(2));
        return hint;
    }
    static const QRegularExpression heading(uR"(^\s*[=*#-]{3,} *Step (\d[\d,]*)\s*/\s*(\d[\d,]*) *[=*#-]{3,}\s*$)"_s);
    if (const auto match = clues.has(LineClues::Step) ? heading.match(text) : none; match.hasMatch()) {
        hint.kind = ProgressHint::Kind::Step;
        hint.framework = u"generic"_s;
        hint.step = wholeIn(match.captured(1));
        hint.steps = wholeIn(match.captured(2));
        return hint;
    }
    if (const auto match = clues.has(LineClues::Epoch) ? alone.match(text) : none; match.hasMatch()) {
        hint.kind = ProgressHint::Kind::Epoch;
        hint.epoch = decimalIn(match.captured(1));
        hint.epochs = decimalIn(match.captured(2));
        return hint;
    }
    return {};
}

std::optional<ProgressHint> stepIn(const QString& text, const LineClues& clues)
{
    if (!clues.has(LineClues::Loss) || isEvaluation(text, clues))
        return {};
    // "step" counts optimiser steps where both are reported
    static const QList<QRegularExpression> forms{
        QRegularExpression(
            uR"((?<![A-Za-z])(?:global[ _]?)?steps?(?:_i)?\s*[:=]?\s*[\[#]?\s*(\d[\d,]*(?:(?:\.\d+)?[KM]\b)?)(?:\s*/\s*(\d[\d,]*(?:(?:\.\d+)?[KM]\b)?))?)"_s,
            noCase),
        QRegularExpression(
            uR"((?<![A-Za-z])iter(?:ation)?s?\s*[:=]?\s*\[?\s*(\d[\d,]*)(?:\s*/\s*(\d[\d,]*))?)"_s, noCase),
        QRegularExpression(uR"((?<![A-Za-z])batch(?:es)?\s*[:=]?\s*\[?\s*(\d[\d,]*)\s*/\s*(\d[\d,]*))"_s, noCase),
        // of "[3/300][120/1251]" the last one; no date: "[01/02 10:00:00]"
        QRegularExpression(uR"((?:\[\s*\d+\s*/\s*\d+\]\s*)?\[\s*(\d+)\s*/\s*(\d+)\b(?!\s+\d+:\d\d|/\d))"_s),
        QRegularExpression(uR"((?:^|:)\s*(\d+)\s*/\s*(?:(\d+)|Unknown)\s)"_s), // Keras, of a data set without a size
        QRegularExpression(uR"(\bepoch:? ?\[\d{1,9}\] ?\[(\d{1,15})\])"_s, noCase), // "Epoch: [3][150]", SwAV
        // "batch 77 | loss 2.38", no size: "batch 32 x 4", "batch 32 per GPU"
        QRegularExpression(
            uR"((?<![A-Za-z_])(?<!global[ _-])(?<!micro[ _-])(?<!mini[ _-])batch\s*[:=#]?\s*(\d[\d,]*)\b(?!\s*(?:[/%x×*]|per\b|samples\b|tokens\b|\.\d)))"_s,
            noCase),
    };
    constexpr int bracketed = 3; // the first form without a word
    ProgressHint hint;
    hint.loss = lossIn(text);
    const QString layout = layoutOf(text, clues);
    const bool isMegatron = layout == u"megatron"_s; // prints no loss while it skips steps
    if (!hint.loss && !isMegatron)
        return {};
    for (qsizetype i = 0; i < forms.size() && !hint.step; ++i) {
        if ((i == 0 && !clues.has(LineClues::Step)) || (i == 1 && !clues.has(LineClues::Iter)))
            continue;
        const auto match = forms.at(i).match(text);
        if (!match.hasMatch())
            continue;
        hint.step = countIn(match.captured(1));
        hint.steps = countIn(match.captured(2));
        hint.nameless = i >= 2;
    }
    if (hint.step && !hint.steps && text.contains(u"%)] "_s)) {
        // "Train: 1/3 ( 33%) [ 49/323 ( 15%)] ... Acc_iter 50": the count that has an end
        const auto match = forms.at(bracketed).match(text);
        if (match.hasMatch()) {
            hint.step = wholeIn(match.captured(1));
            hint.steps = wholeIn(match.captured(2));
            hint.nameless = true;
        }
    }
    if (hint.step && !hint.steps && clues.has(LineClues::Iter)) {
        // "iteration 5/99 | global_step: 5": the count that has an end
        const auto match = forms.at(1).match(text);
        const auto total = match.hasMatch() ? wholeIn(match.captured(2)) : std::nullopt;
        if (total) {
            hint.step = wholeIn(match.captured(1));
            hint.steps = total;
        }
    }
    if (!hint.step)
        return {};
    static const QRegularExpression own(uR"(^step \d+/\d+ loss [\d.]+ [\d.]+ samples/s$)"_s);
    static const QRegularExpression left(
        uR"(\b(?:eta|remaining time|time left)(?:\s*[:=]\s*|\s+)((?:\d+ days?,? )?(?:\d+(?:\.\d+)?[dhm] ?)*[\d:]+(?:\.\d+)?[smh]?)|\s((?:\d+:)?\d+:\d\d|\d+s) \d+(?:m|u)?s/step)"_s,
        noCase);
    hint.framework = !layout.isEmpty() ? layout : own.match(text.trimmed()).hasMatch() ? u"rankwright"_s : u"generic"_s;
    readEpoch(text, clues, hint);
    readRate(text, clues, hint);
    // Megatron-LM prints no time left; where a line says when it was printed, the steps left at its pace say it
    static const QRegularExpression stamp(uR"(\[\d{4}-\d\d-\d\d )"_s);
    if (isMegatron && hint.rate && hint.steps && hint.rateUnit == u"ms/it"_s && stamp.match(text).hasMatch())
        hint.etaSeconds = double(*hint.steps - *hint.step) * *hint.rate / 1000;
    const auto remaining = clues.has(LineClues::Remaining) ? left.match(text) : QRegularExpressionMatch();
    if (remaining.hasMatch())
        hint.etaSeconds = secondsIn(remaining.captured(1).isEmpty() ? remaining.captured(2) : remaining.captured(1));
    return hint;
}

/// "Step 41 | Time: 101.40s | Reward: 0.4353": a step whose figure is not a loss.
std::optional<ProgressHint> rewardedStepIn(const QString& text, const LineClues& clues)
{
    static const QRegularExpression form(
        uR"((?:^|[\s|])(?:global[ _])?step\s*[:=#]?\s*(\d[\d,]*)(?:\s*/\s*(\d[\d,]*))?\s*[|,:;-])"_s, noCase);
    const auto match
        = clues.has(LineClues::Step) && !isEvaluation(text, clues) ? form.match(text) : QRegularExpressionMatch();
    if (!match.hasMatch())
        return {};
    ProgressHint hint;
    hint.framework = u"generic"_s;
    hint.step = wholeIn(match.captured(1));
    hint.steps = wholeIn(match.captured(2));
    return hint;
}

/// "Epoch 3/10, Loss: 0.51": an epoch and its loss, no step.
std::optional<ProgressHint> epochIn(const QString& text, const LineClues& clues)
{
    if (!clues.has(LineClues::Epoch) || !clues.has(LineClues::Loss))
        return {};
    static const QRegularExpression other(uR"(\b(?:best|lowest|min(?:imum)?|val|valid|test|eval) loss)"_s, noCase);
    ProgressHint hint;
    hint.kind = ProgressHint::Kind::Epoch;
    hint.framework = u"generic"_s;
    readEpoch(text, clues, hint);
    hint.loss = lossIn(text);
    static const QRegularExpression own(uR"(\btrain(?:ing)?[ _/]loss)"_s, noCase);
    const bool isOther = other.match(text).hasMatch() && !own.match(text).hasMatch();
    if (!hint.epoch || !hint.loss || isEvaluation(text, clues) || isOther)
        return {};
    return hint;
}

} // namespace

QList<ProgressHint> progressHints(const QString& line)
{
    QList<ProgressHint> hints;
    const QString text = withoutTaskLabel(line);
    const LineClues clues(text);
    if (auto bar = progressBarIn(text, clues)) {
        const auto dictionary = dictionaryIn(text);
        if (dictionary)
            bar->framework = u"hf-trainer"_s;
        hints.append(*bar);
        if (dictionary)
            hints.append(*dictionary);
    } else if (const auto dictionary = dictionaryIn(text)) {
        const auto json = text.contains(u"{\""_s) ? otherLayout(text) : std::nullopt;
        hints.append(json && json->step ? *json : *dictionary);
    } else if (!text.contains(u"%|"_s)) {
        if (const auto totals = totalsIn(text, clues))
            hints.append(*totals);
        else if (const auto other = isEvaluation(text, clues) ? std::nullopt : otherLayout(text))
            hints.append(*other);
        else if (const auto step = stepIn(text, clues))
            hints.append(*step);
        else if (const auto epoch = epochIn(text, clues))
            hints.append(*epoch);
    }
    if (const auto figures = figuresIn(text, clues, hints.isEmpty() ? FigureLine::Other : FigureLine::OfTraining)) {
        const auto step = hints.isEmpty() && figures->reward ? rewardedStepIn(text, clues) : std::nullopt;
        if (step)
            hints.append(*step);
        hints.append(*figures);
    }
    ProgressHint batch;
    batch.kind = ProgressHint::Kind::Totals;
    readBatch(text, clues, batch);
    if (batch.microBatch || batch.globalBatch)
        hints.append(batch);
    return hints;
}

} // namespace rankwright::inline insight
