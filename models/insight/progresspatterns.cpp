// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progresspatterns.h"

#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr auto noCase = QRegularExpression::CaseInsensitiveOption;

std::optional<double> decimal(QString text)
{
    bool fine = false;
    const double value = text.remove(u',').toDouble(&fine); // "5,856": thousands
    return fine ? std::optional<double>(value) : std::nullopt;
}

std::optional<qint64> whole(QString text)
{
    bool fine = false;
    const qint64 value = text.remove(u',').toLongLong(&fine);
    return fine ? std::optional<qint64>(value) : std::nullopt;
}

/// "1:15:33", "01:43", "1 day, 2:00:00" is cut before, "8s"; empty for "?".
std::optional<double> seconds(const QString& text)
{
    double total = 0;
    const QString bare = text.endsWith(u's') ? text.chopped(1) : text;
    for (const QString& part : bare.split(u':')) {
        bool fine = false;
        const double value = part.toDouble(&fine);
        if (!fine)
            return {};
        total = total * 60 + value;
    }
    return total;
}

std::optional<double> lossIn(const QString& text)
{
    static const QRegularExpression form(
        uR"((?<!val )(?<!valid )(?<!validation )(?<!eval )(?<!test )(?<![A-Za-z_])(?:(?:lm|train|training|step|avg|total|running)[ _])?loss(?: train)?['"]?\s*[:=]?\s*([-+]?\d[\d.]*(?:e[-+]?\d+)?)(?![\w.]))"_s,
        noCase);
    const auto match = form.match(text);
    return match.hasMatch() ? decimal(match.captured(1)) : std::nullopt;
}

void readEpoch(const QString& text, ProgressHint& hint)
{
    // "Epoch 3/10", "epoch: 2", "Epoch(train) [2][ 250/1563]", "Train: 3 [ 250/1251 ..."
    static const QRegularExpression form(
        uR"((?<![A-Za-z])(?:epoch|train(?=: \d+ \[))(?:\(train\))?\s*[:=]?\s*\[?(\d+(?:\.\d+)?)\]?(?:\s*/\s*(\d+))?)"_s,
        noCase);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return;
    hint.epoch = decimal(match.captured(1));
    hint.epochs = decimal(match.captured(2));
}

void readRate(const QString& text, ProgressHint& hint)
{
    struct Form {
        QRegularExpression form;
        QString unit;
    };
    static const QList<Form> forms{
        {QRegularExpression(uR"((?:samples|images|sequences)/s(?:ec)?\s*[:=]\s*(\d[\d,]*(?:\.\d+)?))"_s, noCase),
            u"samples/s"_s},
        {QRegularExpression(uR"((?<![\d.])(\d[\d,]*(?:\.\d+)?)\s*(?:samples|images|sequences)/s)"_s, noCase),
            u"samples/s"_s},
        {QRegularExpression(uR"((?<![\d.])(\d[\d,]*(?:\.\d+)?)\s*(?:tokens|tok)/s)"_s, noCase), u"tokens/s"_s},
        {QRegularExpression(uR"(\btps\s*[:=]\s*([\d.,]+\d))"_s, noCase), u"tokens/s"_s},
        {QRegularExpression(uR"(([\d.,]+)\s*(?:it|steps?)/s\b)"_s, noCase), u"it/s"_s},
        {QRegularExpression(uR"((?<=\s)(\d[\d,]*(?:\.\d+)?)/s\b)"_s), u"samples/s"_s}, // timm
        {QRegularExpression(uR"(time per iteration \(ms\)\s*:\s*([\d.]+))"_s, noCase), u"ms/it"_s},
        {QRegularExpression(uR"(time per iteration \(s\)\s*:\s*([\d.]+))"_s, noCase), u"s/it"_s},
        {QRegularExpression(uR"((?:\btime:?\s*|^.*?\s)([\d.]+)\s*ms(?:/step)?\b)"_s, noCase), u"ms/it"_s},
        {QRegularExpression(uR"(\b(?:seconds|time):\s*([\d.]+)(?=[,\s]))"_s, noCase), u"s/it"_s},
    };
    for (const Form& entry : forms) {
        const auto match = entry.form.match(text);
        if (!match.hasMatch())
            continue;
        if (const auto value = decimal(match.captured(1))) {
            hint.rate = value;
            hint.rateUnit = entry.unit;
            return;
        }
    }
}

bool isEvaluation(const QString& text)
{
    static const QRegularExpression words(
        uR"(^\W*(?:valid|validation|validating|eval|evaluating|evaluation|test|testing|predict\w*|sanity)\b|epoch\(val\))"_s,
        noCase);
    return words.match(text).hasMatch();
}

/// The program that prints lines like this one, or empty.
QString layoutOf(const QString& text)
{
    struct Mark {
        const char16_t* program;
        const char16_t* first;
        const char16_t* second; ///< both must stand in the line
    };
    static constexpr Mark marks[]{
        {u"megatron", u"iteration", u"consumed samples:"},
        {u"megatron", u"iteration", u"elapsed time per iteration"},
        {u"torchtitan", u"[titan]", u"loss:"},
        {u"torchtitan", u"tps:", u"memory:"},
        {u"deepspeed", u"steps:", u"samples/sec:"},
        {u"deepspeed", u"global_step=", u"micro_step="},
        {u"litgpt", u"loss train:", u"iter time:"},
        {u"nanogpt", u"mfu ", u"iter "},
        {u"timm", u"Train: ", u"Data: "},
        {u"mmengine", u"mmengine", u""},
        {u"mmengine", u"mmdet - INFO", u""},
        {u"maxtext", u"completed step:", u"TFLOP/s/device"},
        {u"keras", u"/step - ", u""},
        {u"keras", u"] - ETA: ", u""},
        {u"lightning", u"v_num=", u""},
        {u"accelerate", u"step_loss=", u""},
    };
    for (const Mark& mark : marks) {
        if (text.contains(QStringView(mark.first)) && text.contains(QStringView(mark.second)))
            return QString::fromUtf16(mark.program);
    }
    return {};
}

std::optional<ProgressHint> barIn(const QString& text)
{
    if (!text.contains(u"%|"_s))
        return {};
    static const QRegularExpression form(
        uR"(^(.*?)\s*\d+%\|[^|]*\|\s*(\d+)/(\d+) \[([\d:?]+)<((?:\d+ days?, )?[\d:?]+),\s*(\?|[\d.]+)\s*([A-Za-z]+/s|s/[A-Za-z]+)(?:, ([^\]]*))?\])"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() || isEvaluation(match.captured(1)))
        return {};
    ProgressHint hint;
    hint.kind = ProgressHint::Kind::Bar;
    const QString layout = layoutOf(text);
    hint.framework = layout.isEmpty() ? u"tqdm"_s : layout;
    readEpoch(match.captured(1), hint);
    hint.step = whole(match.captured(2));
    hint.steps = whole(match.captured(3));
    hint.etaSeconds = seconds(match.captured(5).section(u' ', -1));
    if (match.captured(5).contains(u"day"_s) && hint.etaSeconds)
        *hint.etaSeconds += match.captured(5).section(u' ', 0, 0).toDouble() * 86400;
    hint.rate = decimal(match.captured(6));
    if (hint.rate)
        hint.rateUnit = match.captured(7);
    hint.loss = lossIn(match.captured(8));
    return hint;
}

std::optional<ProgressHint> dictionaryIn(const QString& text)
{
    static const QRegularExpression form(uR"(\{['"](?:\w+)['"]: .*['"]epoch['"]: ([\d.]+).*\})"_s);
    const qsizetype brace = text.lastIndexOf(u'{');
    if (brace < 0)
        return {};
    const QString words = text.mid(brace);
    const auto match = form.match(words);
    if (!match.hasMatch())
        return {};
    ProgressHint hint;
    hint.kind = ProgressHint::Kind::Epoch;
    hint.framework = u"hf-trainer"_s;
    hint.epoch = decimal(match.captured(1));
    hint.loss = lossIn(words);
    return hint;
}

std::optional<ProgressHint> totalsIn(const QString& text)
{
    static const QRegularExpression form(uR"(^\s*(?:.* )?(Total optimization steps|Num Epochs) = ([\d,]+)\s*$)"_s);
    static const QRegularExpression alone(uR"(^\s*Epoch (\d+)/(\d+)\s*$)"_s, noCase);
    static const QRegularExpression deepspeed(uR"(\bepoch=(\d+)/micro_step=\d+/global_step=\d+)"_s);
    static const QRegularExpression titan(uR"(Training starts at step \d+.*\btotal steps:? (\d[\d,]*))"_s);
    ProgressHint hint;
    if (const auto match = titan.match(text); match.hasMatch()) {
        hint.kind = ProgressHint::Kind::Totals;
        hint.steps = whole(match.captured(1));
        return hint;
    }
    if (const auto match = deepspeed.match(text); match.hasMatch()) {
        hint.kind = ProgressHint::Kind::Epoch;
        hint.framework = u"deepspeed"_s;
        hint.epoch = decimal(match.captured(1));
        return hint;
    }
    if (const auto match = form.match(text); match.hasMatch()) {
        hint.kind = ProgressHint::Kind::Totals;
        if (match.captured(1).startsWith(u'T'))
            hint.steps = whole(match.captured(2));
        else
            hint.epochs = decimal(match.captured(2));
        return hint;
    }
    if (const auto match = alone.match(text); match.hasMatch()) {
        hint.kind = ProgressHint::Kind::Epoch;
        hint.epoch = decimal(match.captured(1));
        hint.epochs = decimal(match.captured(2));
        return hint;
    }
    return {};
}

std::optional<ProgressHint> stepIn(const QString& text)
{
    if (!text.contains(u"loss"_s, Qt::CaseInsensitive) || isEvaluation(text))
        return {};
    // "step" counts optimiser steps where both are told
    static const QList<QRegularExpression> forms{
        QRegularExpression(
            uR"((?<![A-Za-z])(?:global[ _]?)?steps?\s*[:=]?\s*\[?\s*(\d[\d,]*)(?:\s*/\s*(\d[\d,]*))?)"_s, noCase),
        QRegularExpression(
            uR"((?<![A-Za-z])iter(?:ation)?s?\s*[:=]?\s*\[?\s*(\d[\d,]*)(?:\s*/\s*(\d[\d,]*))?)"_s, noCase),
        QRegularExpression(uR"(\[\s*(\d+)\s*/\s*(\d+)\b)"_s),
        QRegularExpression(uR"(^\s*(\d+)/(\d+)\s)"_s),
    };
    ProgressHint hint;
    hint.loss = lossIn(text);
    const QString layout = layoutOf(text);
    const bool isMegatron = layout == u"megatron"_s; // prints no loss while it skips steps
    if (!hint.loss && !isMegatron)
        return {};
    for (qsizetype i = 0; i < forms.size() && !hint.step; ++i) {
        const auto match = forms.at(i).match(text);
        if (!match.hasMatch())
            continue;
        hint.step = whole(match.captured(1));
        hint.steps = whole(match.captured(2));
        hint.nameless = i >= 2;
    }
    if (!hint.step)
        return {};
    static const QRegularExpression own(uR"(^step \d+/\d+ loss [\d.]+ [\d.]+ samples/s$)"_s);
    static const QRegularExpression left(uR"(\b(?:eta|remaining time)\s*:\s*([\d:]+s?)|\s(\d+s) \d+ms/step)"_s, noCase);
    hint.framework = !layout.isEmpty() ? layout : own.match(text.trimmed()).hasMatch() ? u"rankwright"_s : u"generic"_s;
    readEpoch(text, hint);
    readRate(text, hint);
    // Megatron-LM prints no time left; where a line tells when it was printed, the steps left at its pace say it
    static const QRegularExpression stamp(uR"(\[\d{4}-\d\d-\d\d )"_s);
    if (isMegatron && hint.rate && hint.steps && hint.rateUnit == u"ms/it"_s && stamp.match(text).hasMatch())
        hint.etaSeconds = double(*hint.steps - *hint.step) * *hint.rate / 1000;
    const auto remaining = left.match(text);
    if (remaining.hasMatch())
        hint.etaSeconds = seconds(remaining.captured(1).isEmpty() ? remaining.captured(2) : remaining.captured(1));
    return hint;
}

const QRegularExpression& taskLabel()
{
    static const QRegularExpression form(uR"(^ *(\d{1,6}):(?: |$))"_s); // "10:00:00" is a time
    return form;
}

} // namespace

QString withoutTaskLabel(const QString& line)
{
    const auto match = taskLabel().match(line);
    return match.hasMatch() ? line.mid(match.capturedLength()) : line;
}

std::optional<int> rankOf(const QString& line)
{
    static const QRegularExpression named(uR"(\[rank[ :]?(\d{1,6})(?:/\d+)?\])"_s, noCase);
    if (const auto match = named.match(line); match.hasMatch())
        return match.captured(1).toInt();
    if (const auto match = taskLabel().match(line); match.hasMatch())
        return match.captured(1).toInt();
    return {};
}

bool looksLikeError(const QString& line)
{
    // NCCL says "Failed to find ..." in its INFO lines when all is well; "error: 0.12" is a measure, not a fault.
    static const QRegularExpression harmless(uR"(NCCL INFO|\berrors?\s*[:=]?\s*\d)"_s, noCase);
    static const QRegularExpression words(
        uR"(\b(?:error|fatal|traceback|segmentation fault|out of memory|oom[-_ ]kill\w*|core dumped|aborted|cancelled at)\b|(?-i:[A-Za-z](?:Error|Exception)\b))"_s,
        noCase);
    return words.match(line).hasMatch() && !harmless.match(line).hasMatch();
}

QList<ProgressHint> progressHints(const QString& line)
{
    QList<ProgressHint> hints;
    const QString text = withoutTaskLabel(line);
    if (auto bar = barIn(text)) {
        const auto dictionary = dictionaryIn(text);
        if (dictionary)
            bar->framework = u"hf-trainer"_s;
        hints.append(*bar);
        if (dictionary)
            hints.append(*dictionary);
    } else if (const auto dictionary = dictionaryIn(text)) {
        hints.append(*dictionary);
    } else if (!text.contains(u"%|"_s)) {
        if (const auto totals = totalsIn(text))
            hints.append(*totals);
        else if (const auto step = stepIn(text))
            hints.append(*step);
    }
    return hints;
}

} // namespace rankwright
