// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/trainingfigures.h"

#include "models/insight/progress/lineparts.h"
#include "models/insight/progress/progressnumbers.h"

#include <QRegularExpression>

#include <cmath>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

/// The number that a form finds in the text, if it is finite.
std::optional<double> figureBy(const QRegularExpression& form, const QString& text)
{
    const auto match = form.match(text);
    if (!match.hasMatch())
        return {};
    return scaledIn(match.captured(match.lastCapturedIndex()));
}

std::optional<double> evalLossIn(const QString& text, const LineClues& clues)
{
    if (!clues.has(LineClues::Loss))
        return {};
    static const QRegularExpression named(
        uR"((?<![A-Za-z_])(?:val(?:id(?:ation)?)?|eval(?:uation)?)[ _/.](?:lm[ _])?loss['"]?\s*[:=|]?\s*['"]?([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w.%]))"_s,
        noCase);
    static const QRegularExpression megatron( // Megatron-LM, training.py
        uR"(\bvalidation loss at .{0,80}\blm loss value: (\d[\d.]*(?:e[-+]?\d+)?))"_s, noCase);
    static const QRegularExpression litgpt(uR"(\bloss train: [\d.]+,? val: (\d+(?:\.\d+)?)\b)"_s);
    static const QRegularExpression own(u"\\b(?:eval|valid)"_s, noCase);
    for (const QRegularExpression* form : {&named, &megatron, &litgpt}) {
        if (const auto loss = figureBy(*form, text))
            return loss;
    }
    const auto loss = isEvaluation(text, clues) && own.match(text).hasMatch() ? lossIn(text) : std::nullopt;
    return loss && std::isfinite(*loss) ? loss : std::nullopt;
}

/// Not a part ("rewards/format"), a spread ("reward_std") or what a text says of rewards.
std::optional<double> rewardIn(const QString& text)
{
    if (!text.contains(u"rew"_s, Qt::CaseInsensitive))
        return {};
    static const QRegularExpression named(
        uR"((?<![\w/.-])(?:(?:avg|mean|average|total|train|critic|episode)[ _/])?rewards?(?:[ _/]mean)?['"]?\s*[:=]\s*['"]?([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?!\w|\.\d| [a-z]))"_s,
        noCase);
    static const QRegularExpression spoken(
        uR"(\bTotal rewards mean ([-+]?\d+(?:\.\d+)?)|\bep_rew_mean\s*\|\s*([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?))"_s);
    const auto reward = figureBy(named, text);
    return reward ? reward : figureBy(spoken, text);
}

std::optional<double> divergenceIn(const QString& text)
{
    if (!text.contains(u"kl"_s, Qt::CaseInsensitive))
        return {};
    static const QRegularExpression form(
        uR"((?<![\w/.-])(?:mismatch |approx_|mean_|ppo_|objective/|actor/ppo_|train/)?kl(?:_mean|/mean)?['"]?\s*(?:[:=]\s*|\s(?=[-\d]))['"]?([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w%]|\.\d))"_s,
        noCase);
    return figureBy(form, text);
}

/// "1,519,102 tok/s", "Tokens/sec 412.5", "tps: 7,312"; not what an engine generates.
std::optional<double> tokenRateIn(const QString& text)
{
    static const QRegularExpression generated(u"\\b(?:prompt|generation|gen) throughput\\b"_s, noCase);
    static const QRegularExpression before(
        uR"((?<![\d.])(\d[\d,]*(?:\.\d+)?[KM]?)\s*(?:tokens|tok)/s(?:ec)?\b(?!\s*[:=]))"_s, noCase);
    static const QRegularExpression behind(
        uR"(\b(?:(?:tokens|tok)(?:/s(?:ec)?(?:/device)?|_per_sec(?:ond)?(?:_per_gpu)?)|tps)['"]?(?:\s*[:=]\s*|\s+)['"]?(\d[\d,]*(?:\.\d+)?[KM]?)(?![\w.]))"_s,
        noCase);
    if (generated.match(text).hasMatch())
        return {};
    const auto rate = figureBy(before, text);
    return rate ? rate : figureBy(behind, text);
}

std::optional<double> sampleRateIn(const QString& text)
{
    static const QRegularExpression before(
        uR"((?<![\d.])(\d[\d,]*(?:\.\d+)?)\s*(?:samples|images|imgs?|sequences|seqs?)/s(?:ec)?\b(?!\s*[:=]))"_s,
        noCase);
    static const QRegularExpression behind(
        uR"(\b(?:samples|images|imgs?|sequences|seqs?)(?:/s(?:ec)?|_per_sec(?:ond)?)['"]?\s*[:=]\s*['"]?(\d[\d,]*(?:\.\d+)?)(?![\w.]))"_s,
        noCase);
    const auto rate = figureBy(before, text);
    return rate ? rate : figureBy(behind, text);
}

} // namespace

std::optional<ProgressHint> figuresIn(const QString& text, const LineClues& clues, FigureLine line)
{
    ProgressHint hint;
    hint.kind = ProgressHint::Kind::Figures;
    const ProgressHint nothing = hint;
    hint.evalLoss = evalLossIn(text, clues);
    hint.reward = rewardIn(text);
    hint.kl = divergenceIn(text);
    if (line == FigureLine::OfTraining && !isEvaluation(text, clues)) {
        if (clues.has(LineClues::PerSecond) || clues.has(LineClues::Tps))
            hint.tokensPerSecond = tokenRateIn(text);
        if (clues.has(LineClues::PerSecond))
            hint.samplesPerSecond = sampleRateIn(text);
    }
    return hint == nothing ? std::nullopt : std::optional(hint);
}

std::optional<double> lossAlone(const QString& text)
{
    static const QRegularExpression form(
        uR"(^[^\w]*(?:train(?:ing)?[ _])?loss\s*[:=]\s*([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*$)"_s, noCase);
    return figureBy(form, text);
}

std::optional<qint64> stepAlone(const QString& text)
{
    static const QRegularExpression form(uR"(^\s*iteration:\s*(\d{1,15})\s*$)"_s, noCase);
    const auto match = form.match(text);
    return match.hasMatch() ? wholeIn(match.captured(1)) : std::nullopt;
}

} // namespace rankwright::inline insight
