// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runmodel.h"

#include "models/planner/estimate/network/modellist.h"
#include "models/planner/estimate/network/typicalshape.h"
#include "models/planner/estimate/runs/runadapter.h"
#include "models/planner/estimate/runs/runstack.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner::runs {

namespace {

constexpr qint64 longestUnpacked = 1024; // of an epoch of Alpaca and its like

enum class Style { Gpt, Llama };

constexpr qint64 megatronVocabulary = 51200; // GPT-2's, padded, in Megatron-LM's papers

/// Figures as the columns give them; 0: empty.
struct Figures {
    qint64 layers = 0;
    qint64 hidden = 0;
    qint64 heads = 0;
    qint64 kvHeads = 0;
    qint64 ffn = 0;
    qint64 vocab = 0;
    qint64 sequence = 0;
    double parameters = 0;
    double tolerance = 0; ///< relative, of `parameters` as printed
};

Figures figuresOf(const RunCells& cells, const RunWords& words)
{
    const auto figure
        = [&cells](const QString& column, qint64 most) { return cells.count(column, 1, most).value_or(0); };
    Figures figures;
    figures.layers = figure(u"layers"_s, 100'000);
    figures.hidden = figure(u"hidden"_s, 100'000'000);
    figures.heads = figure(u"heads"_s, 1'000'000);
    figures.kvHeads = figure(u"kv_heads"_s, 1'000'000);
    figures.ffn = figure(u"ffn"_s, 100'000'000);
    figures.vocab = figure(u"vocab"_s, 1'000'000'000);
    figures.sequence = figure(u"seq_len"_s, 1'000'000'000);
    const QString printed = cells.text(u"params_b"_s);
    figures.parameters = cells.number(u"params_b"_s).value_or(0) * 1e9;
    const qsizetype point = printed.indexOf(u'.');
    const double unit = point < 0 ? 1e9 : 1e9 * std::pow(10.0, -double(printed.size() - point - 1));
    if (figures.parameters > 0)
        figures.tolerance = 0.51 * unit / figures.parameters + 1e-6;
    static const QRegularExpression inName(u"(?<![a-z0-9.])([0-9]+(?:\\.[0-9]+)?) ?([mbt])(?![a-z0-9])"_s);
    if (const QRegularExpressionMatch found = inName.match(words.model); figures.parameters <= 0 && found.hasMatch()) {
        const QString unitName = found.captured(2);
        figures.parameters = found.captured(1).toDouble() * (unitName == u"m" ? 1e6 : unitName == u"b" ? 1e9 : 1e12);
        figures.tolerance = 0.1;
    }
    return figures;
}

ModelFamily familyOf(const RunWords& words)
{
    if (matches(words.model, u"resnet|resnext"_s))
        return ModelFamily::Convolution;
    if (matches(words.model, u"\\bvit\\b|vision transformer|deit"_s))
        return ModelFamily::Vision;
    if (matches(words.model, u"diffusion|unet"_s))
        return ModelFamily::Diffusion;
    if (matches(words.model, u"\\bm?t[05]\\b|^m?t0|flan|\\bbart|blenderbot|whisper"_s))
        return ModelFamily::EncoderDecoder;
    if (matches(words.model, u"bert|electra"_s))
        return ModelFamily::Encoder;
    return ModelFamily::Decoder;
}

Style styleOf(const RunWords& words)
{
    return matches(words.model,
               u"llama|qwen|mistral|mixtral|deepseek|viking|internlm|baichuan|\\byi\\b|gemma|phi-?3|olmo|gpt-oss|granite|apertus|"
               u"ministral|magistral|devstral|seed-oss|smol|mimo|lfm|\\bglm|kimi|\\bafm|trinity|powerlm|internvl"_s)
        ? Style::Llama
        : Style::Gpt;
}

void applyStyle(ModelShape& shape, Style style, const RunWords& words)
{
    const bool llama = style == Style::Llama;
    const bool biased = !llama && !has(words.notes, u"biases off"_s) && !has(words.notes, u"no bias"_s);
    shape.gatedMlp = llama || matches(words.notes, u"swiglu|geglu|gated"_s);
    shape.norm = llama ? NormKind::RmsNorm : NormKind::LayerNorm;
    shape.qkvBias = biased || has(words.model, u"qwen2"_s);
    shape.attentionOutBias = biased;
    shape.mlpBias = biased;
    shape.tiedEmbeddings = !llama && !has(words.notes, u"untied"_s);
}

/// Experts by the words: "8x7B", "MoE32", "64 experts top-6".
void readExperts(ModelShape& shape, const RunWords& words)
{
    static const QRegularExpression times(u"\\b([0-9]{1,3})x[0-9.]+b"_s);
    static const QRegularExpression counted(u"\\bmoe ?-?([0-9]{1,4})"_s);
    static const QRegularExpression said(u"([0-9]{1,4}) experts"_s);
    static const QRegularExpression top(u"top-? ?([0-9]{1,3})"_s);
    const QString text = words.model + u' ' + words.notes;
    for (const QRegularExpression* form : {&times, &counted, &said})
        if (const QRegularExpressionMatch found = form->match(text); found.hasMatch() && shape.experts == 0)
            shape.experts = found.captured(1).toInt();
    if (shape.experts == 0)
        return;
    const QRegularExpressionMatch found = top.match(text);
    shape.expertsPerToken = std::clamp(found.hasMatch() ? found.captured(1).toInt() : 2, 1, shape.experts);
}

void setHeads(ModelShape& shape, const Figures& figures)
{
    if (figures.heads > 0) {
        const bool same = figures.heads == shape.heads;
        shape.heads = static_cast<int>(figures.heads);
        if (!same || shape.headSize == 0)
            shape.headSize = (shape.hidden + shape.heads - 1) / shape.heads;
        if (!same)
            shape.kvHeads = shape.heads;
    }
    if (figures.kvHeads > 0)
        shape.kvHeads = static_cast<int>(figures.kvHeads);
}

double misfit(const ModelShape& shape, const Figures& figures)
{
    if (!checkShape(shape))
        return std::numeric_limits<double>::infinity();
    return std::abs(static_cast<double>(countParameters(shape).total) / figures.parameters - 1);
}

/// Columns go before what a listed model has: tables shorten, stretch and pad.
void overrideBy(const Figures& figures, ModelShape& shape)
{
    const bool image = shape.family == ModelFamily::Vision || shape.family == ModelFamily::Convolution;
    if (shape.heads > 0)
        setHeads(shape, figures);
    if (figures.ffn > 0 && shape.ffn > 0)
        shape.ffn = figures.ffn;
    if (figures.vocab > 0)
        shape.vocab = figures.vocab;
    if (image || shape.learnedPositions == 0 || figures.sequence == 0)
        return;
    // Trained from scratch, the table of positions is as long as the sequence; loaded, as long as published.
    ModelShape fresh = shape;
    fresh.learnedPositions = figures.sequence;
    if (figures.sequence > shape.learnedPositions
        || (figures.parameters > 0 && misfit(fresh, figures) < misfit(shape, figures)))
        shape = fresh;
}

/// A listed model that the columns do not contradict; of a model for images or sound the one that its notes say the
/// language part is.
const ListedModel* listedFor(const RunWords& words, const Figures& figures)
{
    static const QRegularExpression brackets(u"\\s*\\([^)]*\\)"_s);
    static const QRegularExpression part(u"(?:language|text) (?:part|model|backbone)(?: is| as|:)? ([^;,]+)"_s);
    const ListedModel* model = findListedModel(words.model);
    if (model == nullptr)
        model = findListedModel(QString(words.model).remove(brackets));
    if (const QRegularExpressionMatch found = part.match(words.notes); model == nullptr && found.hasMatch())
        model = findListedModel(found.captured(1));
    if (model == nullptr)
        return nullptr;
    const ModelShape& shape = model->shape;
    const bool bothSides = shape.family == ModelFamily::EncoderDecoder && figures.layers == 2 * shape.layers;
    const bool layersAgree = figures.layers == 0 || figures.layers == shape.layers || bothSides;
    const bool widthAgrees = figures.hidden == 0 || figures.hidden == shape.hidden;
    return layersAgree && widthAgrees ? model : nullptr;
}

qint64 saidVocabulary(const RunWords& words)
{
    static const QRegularExpression said(u"(?:with a|vocab(?:ulary)?(?: of)?) ([0-9]{4,7})(?: vocab|\\b)"_s);
    return said.match(words.notes).captured(1).toLongLong();
}

/// The printed parameter count decides what the columns leave open: gated or not, tied or not, learned positions,
/// vocabulary. The usual combination comes first and stays when nothing fits better than the printed digits allow.
void fitToCount(ModelShape& shape, const Figures& figures, const RunWords& words, bool vocabularyOpen, QString& note)
{
    const Style usual = shape.norm == NormKind::RmsNorm ? Style::Llama : Style::Gpt;
    QList<qint64> vocabularies{shape.vocab};
    if (vocabularyOpen)
        vocabularies += {50257, 50304, megatronVocabulary, 32000, 128256};
    ModelShape best = shape;
    double bestMisfit = misfit(shape, figures);
    const bool open = !has(words.notes, u"untied"_s) && !has(words.notes, u"biases off"_s);
    for (const Style style : {usual, usual == Style::Gpt ? Style::Llama : Style::Gpt})
        for (const bool flipTied : {false, true})
            for (const bool flipPositions : {false, true})
                for (const bool flipNorm : {false, true})
                    for (const qint64 vocab : std::as_const(vocabularies)) {
                        if (bestMisfit <= figures.tolerance || (style != usual && !open) || (flipTied && !open))
                            continue;
                        ModelShape tried = shape;
                        if (style != usual)
                            applyStyle(tried, style, words);
                        tried.tiedEmbeddings = tried.tiedEmbeddings != flipTied;
                        tried.learnedPositions = flipPositions == (tried.learnedPositions > 0) ? 0 : figures.sequence;
                        tried.embeddingNorm = tried.embeddingNorm != flipNorm;
                        tried.vocab = vocab;
                        if (const double now = misfit(tried, figures); now < bestMisfit && now <= figures.tolerance) {
                            best = tried;
                            bestMisfit = now;
                        }
                    }
    shape = best;
    if (bestMisfit > std::max(0.03, figures.tolerance))
        report(note,
            u"The figures give %1 × 10⁹ parameters, the table says %2."_s
                .arg(static_cast<double>(countParameters(shape).total) / 1e9, 0, 'f', 2)
                .arg(figures.parameters / 1e9, 0, 'f', 2));
}

/// What printed figures leave open and the printed count decides: the head size where it is not hidden / heads, and the
/// experts of a mixture that only its name calls so.
void fitWidths(ModelShape& shape, const Figures& figures, const RunWords& words, QString& note)
{
    if (figures.parameters <= 0)
        return;
    const bool mixture = shape.experts == 0 && matches(words.model, u"\\bmoe\\b|a[0-9.]+[bm]\\b"_s);
    const double wide = std::max(figures.tolerance, 0.02);
    ModelShape best = shape;
    for (const qint64 size : {shape.headSize, qint64(128), qint64(64), qint64(96), qint64(256)}) {
        ModelShape tried = shape;
        tried.headSize = size;
        if (mixture && checkShape(tried)) {
            const double one = static_cast<double>(tried.layers * (tried.gatedMlp ? 3 : 2) * tried.hidden * tried.ffn);
            const double others = static_cast<double>(countParameters(tried).total) - one;
            tried.experts = static_cast<int>(std::clamp(std::round((figures.parameters - others) / one), 1.0, 4096.0));
            tried.expertsPerToken = std::min(4, tried.experts);
        }
        if (misfit(tried, figures) < misfit(best, figures) - wide)
            best = tried;
    }
    if (best.headSize != shape.headSize)
        report(note, u"Heads of %1 fit the printed count."_s.arg(best.headSize));
    if (best.experts != shape.experts)
        report(note,
            u"The experts are not given: %1, of which four see a token, fit the printed count."_s.arg(best.experts));
    shape = best;
}

ModelShape byFigures(const Figures& figures, const RunWords& words, ModelFamily family, bool megatron)
{
    ModelShape shape;
    shape.family = family;
    shape.layers = static_cast<int>(figures.layers);
    shape.hidden = figures.hidden;
    applyStyle(shape, styleOf(words), words);
    if (figures.heads > 0) {
        setHeads(shape, figures);
    } else {
        shape.headSize = figures.hidden % 128 == 0 ? 128 : 64;
        shape.heads = static_cast<int>(std::max<qint64>(1, figures.hidden / shape.headSize));
        shape.kvHeads = figures.kvHeads > 0 ? static_cast<int>(figures.kvHeads) : shape.heads;
    }
    shape.ffn = figures.ffn > 0 ? figures.ffn
        : shape.gatedMlp        ? (8 * figures.hidden / 3 + 255) / 256 * 256
                                : 4 * figures.hidden;
    readExperts(shape, words);
    const bool rotary = matches(words.source + words.model + words.notes, u"rope|rotary|alibi"_s);
    const bool learned = shape.norm == NormKind::LayerNorm && !rotary;
    shape.learnedPositions = learned ? figures.sequence : 0;
    shape.embeddingNorm = matches(words.model + words.notes, u"embed(ding)? (ln|norm)|bloom"_s);
    qint64 usualVocabulary = shape.norm == NormKind::RmsNorm ? 32000 : megatronVocabulary;
    if (family == ModelFamily::Encoder) {
        shape.pooler = true;
        shape.tokenTypes = 2;
        shape.embeddingNorm = !megatron;
        shape.finalNorm = megatron; // Megatron's BERT has its norms before the layers
        shape.learnedPositions = std::max<qint64>(512, figures.sequence);
        usualVocabulary = 30522;
    } else if (family == ModelFamily::EncoderDecoder) {
        shape.learnedPositions = megatron ? std::max<qint64>(512, figures.sequence) : 0;
        shape.relativeBuckets = megatron ? 0 : 32;
        shape.norm = megatron ? NormKind::LayerNorm : NormKind::RmsNorm;
        shape.qkvBias = shape.attentionOutBias = shape.mlpBias = megatron;
        usualVocabulary = 32128;
    } else if (family == ModelFamily::Vision) {
        shape.patch = 16;
        shape.imageSize = 224;
        shape.learnedPositions = 0;
        usualVocabulary = 1000;
    }
    shape.vocab = figures.vocab > 0 ? figures.vocab : usualVocabulary;
    return shape;
}

/// Layers of each side, from "12+12x768", or as the column says.
qint64 sideLayers(const Figures& figures, const RunWords& words)
{
    static const QRegularExpression sides(u"([0-9]+)\\+([0-9]+)"_s);
    const QRegularExpressionMatch found = sides.match(words.model);
    return found.hasMatch() ? found.captured(1).toLongLong() : figures.layers;
}

/// Transformers that denoise images and videos: no models that a design names. Figures of their configurations at
/// Hugging Face (THUDM/CogVideoX-2b and -5b, amused/amused-512); what the printed count has beyond the blocks
/// (modulation of the norms, encoders of text and images) is kept whole.
bool readDenoiser(ModelShape& shape, const Figures& figures, const RunWords& words)
{
    struct Denoiser {
        QLatin1StringView word;
        int layers;
        qint64 hidden;
        int heads;
        qint64 ffn;
        bool gated;
    };
    static constexpr Denoiser known[]{{"cogvideox-2b"_L1, 30, 1920, 30, 7680, false},
        {"cogvideox-5b"_L1, 42, 3072, 48, 12288, false}, {"amused"_L1, 31, 1024, 16, 2816, true}}; // 22, and 12 of 768
    for (const Denoiser& one : known) {
        if (!words.model.contains(one.word))
            continue;
        shape.layers = one.layers;
        shape.hidden = one.hidden;
        shape.heads = shape.kvHeads = one.heads;
        shape.headSize = one.hidden / one.heads;
        shape.ffn = one.ffn;
        shape.gatedMlp = one.gated;
        shape.vocab = 1;
        shape.modulated = true;
        shape.attendsToText = one.gated; // CogVideoX lays text and frames end to end
        shape.qkNorm = one.gated ? QkNorm::None : QkNorm::PerHead;
        const double beyond = figures.parameters - static_cast<double>(countParameters(shape).total);
        shape.towerParameters = static_cast<qint64>(std::max(0.0, beyond));
        return true;
    }
    return false;
}

void readUnlisted(RunRow& row, Figures figures, const RunWords& words)
{
    ModelShape& shape = row.workload.shape;
    const ModelFamily family = familyOf(words);
    if (readDenoiser(shape, figures, words))
        return;
    if (family == ModelFamily::Convolution || family == ModelFamily::Diffusion
        || ((figures.layers == 0 || figures.hidden == 0)
            && (family != ModelFamily::Decoder || figures.parameters <= 0))) {
        report(row.missing, u"The layers and the hidden size of “%1” are not given."_s.arg(words.model.left(60)));
        return;
    }
    if (figures.layers == 0 || figures.hidden == 0) {
        if (matches(words.model, u"moe|\\b[0-9]+x[0-9]|[0-9]e\\b|\\ba[0-9.]+b\\b|expert"_s)
            && !isFineTuning(words, row.stack))
            return report(row.missing, u"The layers and experts of “%1” are not given."_s.arg(words.model.left(60)));
        const auto typical = typicalShape(figures.parameters);
        if (!typical)
            return report(row.missing, typical.error().what);
        shape = *typical;
        return report(row.note, shape.note);
    }
    if (family == ModelFamily::EncoderDecoder)
        figures.layers = sideLayers(figures, words);
    const qint64 said = figures.vocab > 0 ? 0 : saidVocabulary(words);
    if (said > 0)
        figures.vocab = said;
    shape = byFigures(figures, words, family, isMegatron(row.stack));
    const bool open = figures.vocab == 0;
    if (family == ModelFamily::Decoder && isFineTuning(words, row.stack))
        fitWidths(shape, figures, words, row.note);
    if (family == ModelFamily::Decoder && figures.parameters > 0 && shape.experts == 0)
        fitToCount(shape, figures, words, open, row.note);
    if (open)
        report(row.note, u"The vocabulary is not given: %1 is assumed."_s.arg(shape.vocab));
}

/// Megatron rounds the vocabulary up to a multiple of 128 on every tensor-parallel rank.
void padVocabulary(RunRow& row, const RunCells& cells, const RunWords& words)
{
    const ModelShape& shape = row.workload.shape;
    if (!isMegatron(row.stack) || shape.family == ModelFamily::Vision || has(words.notes, u"padded"_s))
        return;
    const qint64 ranks = cells.count(u"tp"_s, 1, 100'000).value_or(numberBehind(words.strategy, u"tp"_s).value_or(1));
    const qint64 step = 128 * std::clamp<qint64>(ranks, 1, 100'000);
    row.workload.shape.vocab = (shape.vocab + step - 1) / step * step;
}

} // namespace

bool generatesImages(const RunWords& words)
{
    return matches(words.notes, u"[0-9]+x[0-9]+ images|frames of [0-9]+x[0-9]+"_s)
        && matches(words.source, u"diffus|finetrainers|amused|cogvideo|flux|hidream"_s);
}

namespace {

/// aMUSEd's tokens are a 16th of the edge. Its blocks of 1,024 work on 16 × 16 of them whatever the image, 12 more of
/// width 768 on all (its configuration: 22 layers, down and up three residual and three attention blocks each): the
/// mean over the blocks counted (readDenoiser()).
qint64 amusedTokens(qint64 all)
{
    constexpr qint64 inner = 22 * 1024;
    constexpr qint64 outer = 12 * 768;
    return (inner * std::min<qint64>(all, 256) + outer * all) / (inner + outer);
}

/// Tokens of a latent: an eighth of the edge, patches of two; a video's frames four at a time, and its text.
qint64 latentTokens(const RunWords& words)
{
    static const QRegularExpression video(u"([0-9]+) frames of ([0-9]+)x([0-9]+)"_s);
    static const QRegularExpression image(u"([0-9]+)x([0-9]+) images"_s);
    constexpr qint64 perToken = 16;
    constexpr qint64 text = 226;
    if (const QRegularExpressionMatch found = video.match(words.notes); found.hasMatch())
        return (found.captured(1).toLongLong() / 4 + 1) * (found.captured(2).toLongLong() / perToken)
            * (found.captured(3).toLongLong() / perToken)
            + text;
    const QRegularExpressionMatch found = image.match(words.notes);
    const qint64 tokens = (found.captured(1).toLongLong() / perToken) * (found.captured(2).toLongLong() / perToken);
    return has(words.model, u"amused"_s) ? amusedTokens(tokens) : tokens;
}

/// The longest of a batch where the notes say the mean of the samples: the peak is that of an epoch's worst batch
/// (fms-acceleration's orca-math runs: five times the mean when padded to the longest, twice when laid end to end).
qint64 longestByMean(const RunWords& words)
{
    static const QRegularExpression mean(u"mean (?:of )?([0-9]+)[a-z ]* tokens"_s);
    const qint64 tokens = mean.match(words.notes).captured(1).toLongLong();
    return matches(words.notes, u"padding.?free"_s) ? 2 * tokens : 5 * tokens;
}

} // namespace

void readShape(RunRow& row, const RunCells& cells, const RunWords& words)
{
    const Figures figures = figuresOf(cells, words);
    ModelShape& shape = row.workload.shape;
    if (const ListedModel* listed = listedFor(words, figures)) {
        shape = listed->shape;
        overrideBy(figures, shape);
    } else {
        readUnlisted(row, figures, words);
    }
    shape.name = cells.text(u"model"_s);
    // A tower for images or sound: what the printed count has beyond the language model.
    if (row.missing.isEmpty() && checkShape(shape)
        && matches(words.model + words.notes, u"\\bvl\\b|-vl\\b|vision|audio|tower"_s)) {
        const double beyond = figures.parameters - static_cast<double>(countParameters(shape).total);
        shape.towerParameters = beyond > 0.05 * figures.parameters ? static_cast<qint64>(beyond) : 0;
    }
    if (row.missing.isEmpty()) {
        padVocabulary(row, cells, words);
        if (const auto checked = checkShape(shape); !checked)
            report(row.missing, checked.error().what);
    }
    if (!row.missing.isEmpty())
        shape = ModelShape();
    row.workload.sequence = figures.sequence;
    if (shape.family == ModelFamily::Vision)
        row.workload.sequence = shape.imageTokens();
    else if (shape.family == ModelFamily::Convolution || shape.family == ModelFamily::Diffusion)
        row.workload.sequence = 1;
    if (shape.family == ModelFamily::Diffusion)
        report(row.missing, u"Images in latent space are not modelled."_s);
    if (shape.audioBins > 0)
        row.workload.sequence = shape.encoderPositions;
    if (row.workload.sequence == 0)
        row.workload.sequence = longestByMean(words);
    // Not packed: a pass is padded to the longest of its samples, not to the length at which they are cut.
    // With an image they are about as long as recipes allow a text to be.
    if (matches(words.notes, u"not packed, samples vary"_s)) {
        const bool sees = matches(words.model + words.notes, u"vl[0-9m]|-vl\\b|vision|of the language part"_s);
        const qint64 longest = sees ? static_cast<qint64>(stackMemory(row.stack).usualTokens) : longestUnpacked;
        row.workload.sequence = std::min(row.workload.sequence, longest);
    }
    if (row.workload.sequence == 0 && generatesImages(words))
        row.workload.sequence = latentTokens(words);
    if (row.workload.sequence == 0 && isFineTuning(words, row.stack)) {
        row.workload.sequence = static_cast<qint64>(stackMemory(row.stack).usualTokens);
        row.lengthAssumed = true;
        report(row.note, u"The sequence length is not given: %1 tokens are assumed."_s.arg(row.workload.sequence));
        report(row.missingForTime, u"The sequence length is not given."_s);
    } else if (row.workload.sequence == 0) {
        row.workload.sequence = 1;
        report(row.missing, u"The sequence length is not given."_s);
    }
}

} // namespace rankwright::inline planner::runs
