// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/progressbar.h"

#include "models/insight/progress/frameworkline.h"
#include "models/insight/progress/lineparts.h"
#include "models/insight/progress/progressnumbers.h"

#include <QRegularExpression>

#include <cmath>
#include <limits>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

/// "1.2kit/s" is 1,200 it/s.
void readBarRate(const QString& number, const QString& scale, const QString& unit, ProgressHint& hint)
{
    hint.rate = scaledIn(number + scale);
    if (hint.rate)
        hint.rateUnit = unit;
}

/// Ultralytics' table: epoch, memory, the parts of the loss (decimal numbers), instances and size (whole numbers). What
/// is trained for is their sum; older versions print it as the last of them.
std::optional<double> lossParts(const QString& row)
{
    static const QRegularExpression form(uR"(^\s*\d+/\d+\s+[\d.]+G((?:\s+(?:\d+\.\d+(?:e[-+]?\d+)?|nan))+)\s)"_s);
    const auto match = form.match(row);
    if (!match.hasMatch())
        return {};
    const QStringList parts = match.captured(1).simplified().split(u' ');
    double before = 0, last = 0; // the sum of all but the last one
    for (const QString& part : parts) {
        before += last;
        last = part == u"nan" ? std::numeric_limits<double>::quiet_NaN() : part.toDouble();
    }
    constexpr double rounding = 0.005; // of four printed digits
    return parts.size() > 2 && std::abs(before - last) <= rounding * last ? last : before + last;
}

/// What is before a bar: an epoch ("Epoch 3/10", torchtune's "1|12|Loss: 1.5", Ultralytics' "3/100 2.5G ...").
void readBarDescription(const QString& text, const LineClues& clues, ProgressHint& hint)
{
    static const QRegularExpression torchtune(uR"(^\s*(\d+)\|\d+\|Loss: ([\d.]+))"_s);
    static const QRegularExpression ultralytics(uR"(^\s*(\d+)/(\d+)\s+[\d.]+G\s)"_s);
    readEpoch(text, clues, hint);
    if (const auto match = torchtune.match(text); match.hasMatch()) {
        hint.epoch = decimalIn(match.captured(1));
        hint.loss = decimalIn(match.captured(2));
    } else if (const auto table = ultralytics.match(text); table.hasMatch()) {
        hint.epoch = decimalIn(table.captured(1));
        hint.epochs = decimalIn(table.captured(2));
        hint.loss = lossParts(text);
    } else {
        hint.loss = lossIn(text);
    }
}

/// A bar that is not the training: what is loaded, tokenised, fetched or written before and between.
bool isPreparation(const QString& description, const QString& unit)
{
    static const QRegularExpression words(
        uR"(^\W*(?:map\b|filter|tokeni[sz]|running tokeni|load|download|upload|fetch|generating|extract|read(?:ing)?\b|preprocess|caching|cach|resolv|saving|writing|creating|building|packing|grouping|convert|concatenat|casting|flatten|scanning|shuffl|dataset|quantiz|merging|unpack|copying|import|computing (?:statistics|embeddings))|shards?\b)"_s,
        noCase);
    static const QRegularExpression units(
        uR"(^(?:ex(?:amples)?|files?|ba|tables?|[kMGT]?i?B|bytes|docs?|rows?|chunks?)/s$)"_s);
    // Composer counts its batches in the unit that the Datasets library has for its own
    static const QRegularExpression training(uR"(^\W*train\w*\b)"_s, noCase);
    return words.match(description).hasMatch()
        || (units.match(unit).hasMatch() && !training.match(description).hasMatch());
}

/// "100%|####|" without the counter behind it, or a counter without a total ("123it [00:05, 24.1it/s]"), is reported
/// too.
std::optional<ProgressHint> counterIn(const QString& text, const LineClues& clues)
{
    if (!clues.has(LineClues::Counted))
        return {};
    static const QRegularExpression form(
        uR"(^(.*?)(?:^|[\s:|])(\d+(?:\.\d+)?[kMGT]?) ?(?:it|steps?|batch(?:es)?|ba|samples?|seqs?|sequences|imgs?|images|tok(?:ens)?|iter(?:ation)?s?) \[([\d:]+),\s*(\?|[\d.]+)([kMGT]?)\s*([A-Za-z]+/s|s/[A-Za-z]+)(?:, ([^\]]*))?\])"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() || isEvaluation(match.captured(1), clues)
        || isPreparation(match.captured(1), match.captured(6)))
        return {};
    ProgressHint hint;
    hint.kind = ProgressHint::Kind::Bar;
    hint.framework = u"tqdm"_s;
    readEpoch(match.captured(1), clues, hint);
    hint.step = countIn(match.captured(2));
    readBarRate(match.captured(4), match.captured(5), match.captured(6), hint);
    hint.loss = lossIn(match.captured(7));
    return hint;
}

/// Ultralytics' own bar: "3/100 9.8G ... 640: 40% ━━━━──── 40/99 4.1it/s 9.8s<14.4s".
std::optional<ProgressHint> thinBarIn(const QString& text, const LineClues& clues)
{
    static const QRegularExpression form(
        uR"(^(.*?)\s*\d+% [━╸╺─]+ (\d+)/(\d+) (?:([\d.]+)([KMG]?)(it/s|s/it) )?[\d:.]+s?(?:<([\d:.]+)s?)?)"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() || isEvaluation(match.captured(1), clues) || isPreparation(match.captured(1), {}))
        return {};
    ProgressHint hint;
    hint.kind = ProgressHint::Kind::Bar;
    hint.framework = u"ultralytics"_s;
    readBarDescription(match.captured(1), clues, hint);
    hint.step = wholeIn(match.captured(2));
    hint.steps = wholeIn(match.captured(3));
    readBarRate(match.captured(4), match.captured(5).toLower().replace(u'm', u'M').replace(u'g', u'G'),
        match.captured(6), hint);
    hint.etaSeconds = secondsIn(match.captured(7));
    return hint;
}

/// The loss of a line that is glued behind a bar and counts what the bar counts: "... 1.03s/it]Step 300: loss=0.05".
std::optional<double> lossBehind(const QString& tail, const ProgressHint& bar)
{
    static const QRegularExpression form(uR"(^\s*(?:global[ _])?step\s*[:=]?\s*(\d[\d,]*)\b)"_s, noCase);
    const auto match = form.match(tail);
    return match.hasMatch() && wholeIn(match.captured(1)) == bar.step ? lossIn(tail) : std::nullopt;
}

/// Where a bar stands, without its numbers.
ProgressHint barOf(const QString& framework)
{
    ProgressHint hint;
    hint.kind = ProgressHint::Kind::Bar;
    hint.framework = framework;
    return hint;
}

/// A notebook's bar of Transformers, copied as text: "[ 22/290 02:50 < 38:04, 0.12 it/s, Epoch 0.36/5]". Those of
/// evaluations name no epoch.
std::optional<ProgressHint> notebookBarIn(const QString& text)
{
    static const QRegularExpression form(
        uR"(^\s*\[ *(\d{1,15})/(\d{1,15}) [\d:]+ < ([\d:]+), ([\d.]+) it/s, Epoch ([\d.]+)/(\d+)\])"_s);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return {};
    ProgressHint hint = barOf(u"hf-trainer"_s);
    hint.step = wholeIn(match.captured(1));
    hint.steps = wholeIn(match.captured(2));
    hint.etaSeconds = secondsIn(match.captured(3));
    readBarRate(match.captured(4), {}, u"it/s"_s, hint);
    hint.epoch = decimalIn(match.captured(5));
    hint.epochs = decimalIn(match.captured(6));
    hint.isOfRun = true;
    return hint;
}

/// Ignite's bar has its count in front and no rate: "Epoch [1/10]: [1/2]  50%|#####     , loss=1.2 [00:00<00:01]".
std::optional<ProgressHint> countedBarIn(const QString& text, const LineClues& clues)
{
    static const QRegularExpression form(
        uR"(^(.{0,200}?)\[(\d{1,15})/(\d{1,15})\] +\d+%\|([^|\[]*)\|? ?\[[\d:]+<([\d:?]+)\])"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() || isEvaluation(match.captured(1), clues) || isPreparation(match.captured(1), {}))
        return {};
    ProgressHint hint = barOf(u"ignite"_s);
    readEpoch(match.captured(1), clues, hint);
    hint.step = wholeIn(match.captured(2));
    hint.steps = wholeIn(match.captured(3));
    hint.loss = lossIn(match.captured(4));
    hint.etaSeconds = secondsIn(match.captured(5));
    return hint;
}

/// tqdm in a logger's line (tqdm_loggable, as Levanter uses it): "Progress on:train 1.87kit/10.0kit rate:1.5it/s
/// remaining:1:30:20 elapsed:20:47 postfix:loss=2.87".
std::optional<ProgressHint> loggedBarIn(const QString& text, const LineClues& clues)
{
    static const QRegularExpression form(
        uR"(\bProgress on: ?(.{0,100}?) ?([\d.]+[kMGT]?)[a-z]*/([\d.]+[kMGT]?)[a-z]* rate:([\d.]+)([kMGT]?)([a-z]+/s|s/[a-z]+) remaining:([\d:]+)(?:.*\bpostfix:(.*))?)"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() || isEvaluation(match.captured(1), clues)
        || isPreparation(match.captured(1), match.captured(6)))
        return {};
    ProgressHint hint = barOf(u"tqdm"_s);
    readEpoch(match.captured(1), clues, hint);
    hint.step = countIn(match.captured(2));
    hint.steps = countIn(match.captured(3));
    readBarRate(match.captured(4), match.captured(5), match.captured(6), hint);
    hint.etaSeconds = secondsIn(match.captured(7));
    hint.loss = lossIn(match.captured(8));
    return hint;
}

} // namespace

std::optional<ProgressHint> progressBarIn(const QString& text, const LineClues& clues)
{
    if (text.contains(u"% ━"_s))
        return thinBarIn(text, clues);
    if (text.contains(u" it/s, Epoch "_s)) {
        if (const auto hint = notebookBarIn(text))
            return hint;
    }
    if (text.contains(u"Progress on:"_s)) {
        if (const auto hint = loggedBarIn(text, clues))
            return hint;
    }
    const bool hasBlocks = text.contains(u"%|"_s);
    const bool mayLackBlocks = text.contains(u"% "_s) && (text.contains(u"it/s"_s) || text.contains(u"s/it"_s));
    if (!hasBlocks && !mayLackBlocks)
        return text.contains(u" ["_s) && text.contains(u"/"_s) ? counterIn(text, clues) : std::nullopt;
    // NeMo's bars have no rate of their own: "[00:10<01:30, reduced_train_loss=10.2]"; a notebook's have no blocks
    static const QRegularExpression form(
        uR"(^(.*?)\s*\d+%(?:\|[^|]*\|| )\s*([\d.]+[kMGT]?)/([\d.]+[kMGT]?|\?) \[([\d:?]+)<((?:\d+ days?, )?[\d:?]+)(?:,\s*(\?|[\d.]+)([kMGT]?)\s*([A-Za-z]+/s|s/[A-Za-z]+))?(?:, ([^\]]*))?\])"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() && hasBlocks && text.contains(u"] "_s)) {
        if (const auto hint = countedBarIn(text, clues))
            return hint;
    }
    if (!match.hasMatch() && !hasBlocks)
        return counterIn(text, clues);
    if (!match.hasMatch() || isEvaluation(match.captured(1), clues)
        || isPreparation(match.captured(1), match.captured(8)))
        return {};
    ProgressHint hint;
    hint.kind = ProgressHint::Kind::Bar;
    const QString layout = layoutOf(text, clues);
    hint.framework = layout.isEmpty() ? u"tqdm"_s : layout;
    readBarDescription(match.captured(1), clues, hint);
    hint.step = countIn(match.captured(2));
    hint.steps = countIn(match.captured(3));
    if (hint.steps) // NeMo's bars without a total say "00:00"
        hint.etaSeconds = secondsIn(match.captured(5));
    readBarRate(match.captured(6), match.captured(7), match.captured(8), hint);
    if (const auto loss = lossIn(match.captured(9)))
        hint.loss = loss;
    if (!hint.loss)
        hint.loss = lossBehind(text.mid(match.capturedEnd()), hint);
    return hint;
}

} // namespace rankwright::inline insight
