// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/lineparts.h"

#include "models/insight/progress/progressnumbers.h"

#include <QRegularExpression>

#include <limits>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace { } // namespace

std::optional<double> lossIn(const QString& text)
{
    // not "val_loss", "val/loss", "aux_loss"; numbers may be in quotes (Transformers 5, JSON of fairseq)
    static const QRegularExpression form(
        uR"((?<!val[ /.])(?<!valid[ /.])(?<!validation[ /.])(?<!eval[ /.])(?<!test[ /.])(?<![A-Za-z_])(?:(?:lm|train|training|step|avg|global_avg|avr|average|total|running|reduced_train|mean)[ _/.])?loss(?:_step|_epoch| train|/train/total|/train|/total)?['"]?\s*[:=]?\s*['"]?([-+]?\d[\d.]*(?:e[-+]?\d+)?|(?<=[\s:='"(])[-+]?(?:nan|inf(?:inity)?))(?![\w.]))"_s,
        noCase);
    // A match contains "loss" and begins at most this many characters before it: nothing is tried before that.
    constexpr qsizetype longestPrefix = 16;
    const qsizetype word = text.indexOf(u"loss"_s, 0, Qt::CaseInsensitive);
    if (word < 0)
        return {};
    const auto match = form.match(text, qMax<qsizetype>(0, word - longestPrefix));
    if (!match.hasMatch())
        return {};
    const QString number = match.captured(1);
    return number.back().isLetter() ? std::optional(std::numeric_limits<double>::quiet_NaN()) : decimalIn(number);
}

void readEpoch(const QString& text, const LineClues& clues, ProgressHint& hint)
{
    if (!clues.has(LineClues::Epoch) && !clues.has(LineClues::TrainColon))
        return;
    // "Epoch 3/10", "epoch: 2", "Epoch(train) [2][ 250/1563]", "Train: 3 [ 250/1251 ...", "Train:  1/3 ( 33%) [
    // 49/323", "Train: [3/300][120/1251]"
    static const QRegularExpression form(
        uR"((?<![A-Za-z])(?:epoch|train(?=: *(?:\d+(?: */ *\d+)? *[\[(]|\[\d+/\d+\] ?\[ *\d+/)))(?:\(train\))?\s*[:=]?\s*[\[#]?(\d+(?:\.\d+)?)\]?(?:\s*/\s*(\d+))?)"_s,
        noCase);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return;
    hint.epoch = decimalIn(match.captured(1));
    hint.epochs = decimalIn(match.captured(2));
}

/// "32", "32 x 4 = 128", "32 per GPU * 4 GPUs": what is written behind "=", else the product of the factors.
std::optional<qint64> productFrom(const QString& text, qsizetype begin)
{
    static const QRegularExpression factor(
        uR"(\G(\d{1,9})(?: *(?:\([^()]{0,24}\)|(?:(?:per|each|data|parallel|gradient|grad|accumulation|accum|steps?|micro|batch(?:es)?|samples?|gpus?|gcds?|devices?|ranks?|nodes?|workers?|process(?:es)?)\b[ /-]*)+)(?= *[x×*=]))?)"_s,
        noCase);
    static const QRegularExpression times(uR"(\G *(?<![A-Za-z])[x×*] *(?=\d))"_s);
    static const QRegularExpression result(uR"(\G *= *(\d{1,9})(?!\.?\d))"_s);
    std::optional<qint64> product;
    bool isProduct = false;
    for (qsizetype at = begin;;) {
        const auto number = factor.match(text, at);
        const std::optional<qint64> value = number.hasMatch() ? wholeIn(number.captured(1)) : std::nullopt;
        if (!value)
            return product;
        qint64 next = 0;
        if (qMulOverflow(product.value_or(1), *value, &next))
            return {};
        product = next;
        const auto sign = times.match(text, number.capturedEnd());
        if (!sign.hasMatch()) {
            const auto written = isProduct ? result.match(text, number.capturedEnd()) : QRegularExpressionMatch();
            return written.hasMatch() ? wholeIn(written.captured(1)) : product;
        }
        isProduct = true;
        at = sign.capturedEnd();
    }
}

void readBatch(const QString& text, const LineClues& clues, ProgressHint& hint)
{
    if (!clues.has(LineClues::BatchSize) || isEvaluation(text, clues))
        return;
    // A counter ("micro batch 3/4", "global batch 120 | loss") is not a size: that has the word, a sign, or is in a
    // product. "per_device_train_batch_size: 8", "micro_batch_size ....... 4", "Instantaneous batch size per device =
    // 8"
    static const QRegularExpression micro(
        uR"((?:(?:micro[-_ ]batch[-_ ]size|per[-_ ](?:device|gpu)[-_ ]train[-_ ]batch[-_ ]size|(?<!valid )(?<!eval )batch size per (?:device|gpu|gcd|rank))['"]?[\s.:=]*|micro[-_ ]batch(?:['"]?\s*[.:=]+\s*|\s+(?=\d+ ?[x×*])))(?<!\d)(\d{1,6})(?![\d.]*[\d%])(?!\s*/\s*\d|\s+of\s+\d))"_s,
        noCase);
    static const QRegularExpression each(
        uR"(\bbatch(?:[-_ ]size)?\s*[:=]?\s*(\d{1,6})\s*(?:samples? )?(?:per|/)\s*(?:gpu|gcd|device|rank)\b)"_s,
        noCase);
    static const QRegularExpression global(
        uR"((?:(?:global|effective|total (?:train )?)[-_ ]?batch[-_ ]size(?: \([^)]*\))?['"]?[\s.:=]*|(?:global|effective)[-_ ]batch['"]?\s*[.:=]+\s*|= (?:global|effective)[-_ ]batch\s+)(?<!\d)(\d{1,9})(?![\d.]*[\d%])(?!\s*/\s*\d|\s+of\s+\d))"_s,
        noCase);
    for (const QRegularExpression* form : {&micro, &each}) {
        if (const auto match = form->match(text); match.hasMatch() && !hint.microBatch)
            hint.microBatch = wholeIn(match.captured(1));
    }
    if (const auto match = global.match(text); match.hasMatch())
        hint.globalBatch = productFrom(text, match.capturedStart(1));
}

bool isEvaluation(const QString& text, const LineClues& clues)
{
    if (!clues.has(LineClues::Evaluation))
        return false;
    static const QRegularExpression words(
        uR"(^\W*(?:valid|validation|validating|eval|evaluating|evaluation|test|testing|predict\w*|inference|sanity|class\s+images)\b|\bvalidate step\b|epoch\(val\)|\[valid(?:ation)?\]|\| (?:valid|test) \|)"_s,
        noCase);
    return words.match(text).hasMatch();
}

} // namespace rankwright::inline insight
