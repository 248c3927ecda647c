// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/lineparts.h"

#include "models/insight/progress/progressnumbers.h"

#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr auto noCase = QRegularExpression::CaseInsensitiveOption;

} // namespace

std::optional<double> lossIn(const QString& text)
{
    // not "val_loss", "val/loss", "aux_loss"; numbers may be in quotes (Transformers 5, JSON of fairseq)
    static const QRegularExpression form(
        uR"((?<!val[ /.])(?<!valid[ /.])(?<!validation[ /.])(?<!eval[ /.])(?<!test[ /.])(?<![A-Za-z_])(?:(?:lm|train|training|step|avg|total|running|reduced_train|mean)[ _/.])?loss(?:_step|_epoch| train|/train/total|/train|/total)?['"]?\s*[:=]?\s*['"]?([-+]?\d[\d.]*(?:e[-+]?\d+)?)(?![\w.]))"_s,
        noCase);
    // A match holds "loss" and begins at most so many characters before it: nothing is tried before that.
    constexpr qsizetype longestPrefix = 16;
    const qsizetype word = text.indexOf(u"loss"_s, 0, Qt::CaseInsensitive);
    if (word < 0)
        return {};
    const auto match = form.match(text, qMax<qsizetype>(0, word - longestPrefix));
    return match.hasMatch() ? decimalIn(match.captured(1)) : std::nullopt;
}

void readEpoch(const QString& text, const LineClues& clues, ProgressHint& hint)
{
    if (!clues.has(LineClues::Epoch) && !clues.has(LineClues::TrainColon))
        return;
    // "Epoch 3/10", "epoch: 2", "Epoch(train) [2][ 250/1563]", "Train: 3 [ 250/1251 ..."
    static const QRegularExpression form(
        uR"((?<![A-Za-z])(?:epoch|train(?=: \d+ \[))(?:\(train\))?\s*[:=]?\s*[\[#]?(\d+(?:\.\d+)?)\]?(?:\s*/\s*(\d+))?)"_s,
        noCase);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return;
    hint.epoch = decimalIn(match.captured(1));
    hint.epochs = decimalIn(match.captured(2));
}

bool isEvaluation(const QString& text, const LineClues& clues)
{
    if (!clues.has(LineClues::Evaluation))
        return false;
    static const QRegularExpression words(
        uR"(^\W*(?:valid|validation|validating|eval|evaluating|evaluation|test|testing|predict\w*|inference|sanity|class\s+images)\b|epoch\(val\)|\[valid(?:ation)?\]|\| (?:valid|test) \|)"_s,
        noCase);
    return words.match(text).hasMatch();
}

} // namespace rankwright
