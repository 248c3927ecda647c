// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/modelshape.h"

#include "models/planner/estimate/network/parametersums.h"

#include <QStringList>

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

// Each single figure stays under a bound that no model comes near, so that differences and small products are safe;
// the product of them all is evaluated in doubles first.
constexpr qint64 mostLayers = 100'000;
constexpr qint64 mostHeads = 1'000'000;
constexpr qint64 mostExperts = 1'000'000;
constexpr qint64 mostWidth = 100'000'000;
constexpr qint64 mostRows = 10'000'000'000;
constexpr double mostParameters = 1e15;

Unexpected<Error> refuse(const QString& what, const QString& remedy) { return fail(Fault::Invalid, what, {}, remedy); }

/// One figure of a shape with what it may be.
struct Bounds {
    QString name;
    qint64 value;
    qint64 least;
    qint64 most;
};

std::optional<Error> outside(const QList<Bounds>& figures)
{
    for (const Bounds& figure : figures)
        if (figure.value < figure.least || figure.value > figure.most)
            return Error{Fault::Invalid, u"The model's %1 is %2."_s.arg(figure.name).arg(figure.value), {},
                u"Give a whole number from %1 to %2."_s.arg(figure.least).arg(figure.most)};
    return std::nullopt;
}

/// Divisors of `whole` on both sides of `part`, for a suggestion: "8 or 12".
QString divisorsNear(qint64 whole, qint64 part)
{
    QStringList near;
    for (qint64 lower = qMin(part, whole); lower >= 1; --lower)
        if (whole % lower == 0) {
            near.append(QString::number(lower));
            break;
        }
    for (qint64 upper = qMax<qint64>(1, part + 1); upper <= whole && upper <= 4 * part + 64; ++upper)
        if (whole % upper == 0) {
            near.append(QString::number(upper));
            break;
        }
    return near.join(u" or "_s);
}

Result<void> checkHeads(const ModelShape& shape)
{
    if (const auto error = outside({{u"number of attention heads"_s, shape.heads, 1, mostHeads},
            {u"number of key and value heads"_s, shape.kvHeads, 1, mostHeads}}))
        return fail(*error);
    if (shape.headSize == 0)
        return refuse(
            u"A hidden size of %1 cannot be split over %2 attention heads."_s.arg(shape.hidden).arg(shape.heads),
            u"Take %1 heads, or give the size of one head."_s.arg(divisorsNear(shape.hidden, shape.heads)));
    if (shape.heads % shape.kvHeads != 0)
        return refuse(
            u"%1 attention heads cannot share %2 key and value heads evenly."_s.arg(shape.heads).arg(shape.kvHeads),
            u"Take %1 key and value heads."_s.arg(divisorsNear(shape.heads, shape.kvHeads)));
    return {};
}

Result<void> checkExperts(const ModelShape& shape)
{
    if (const auto error = outside({{u"number of experts"_s, shape.experts, 0, mostExperts},
            {u"width of the shared expert"_s, shape.sharedExpertFfn, 0, mostWidth},
            {u"number of blocks without experts"_s, shape.denseLayers, 0, shape.experts > 0 ? shape.layers - 1 : 0}}))
        return fail(*error);
    if (shape.experts == 0)
        return {};
    if (shape.expertsPerToken < 1 || shape.expertsPerToken > shape.experts)
        return refuse(u"A token cannot pass %1 of %2 experts."_s.arg(shape.expertsPerToken).arg(shape.experts),
            u"Give expertsPerToken as 1 to %1; most models take 2 or 8."_s.arg(shape.experts));
    if (shape.denseLayers > 0 && (shape.denseFfn < 1 || shape.denseFfn > mostWidth))
        return refuse(u"The width of the blocks without experts is %1."_s.arg(shape.denseFfn),
            u"Give the feed-forward width of the first %1 blocks."_s.arg(shape.denseLayers));
    return {};
}

Result<void> checkTransformer(const ModelShape& shape)
{
    if (const auto error = outside({{u"hidden size"_s, shape.hidden, 1, mostWidth},
            {u"size of one head"_s, shape.headSize, 0, mostWidth}, {u"feed-forward width"_s, shape.ffn, 1, mostWidth},
            {shape.family == ModelFamily::Vision ? u"number of classes"_s : u"vocabulary"_s, shape.vocab, 1, mostRows},
            {u"longest sequence"_s, shape.maxSequence, 0, mostRows},
            {u"number of learned positions"_s, shape.learnedPositions, 0, mostRows},
            {u"number of encoder positions"_s, shape.encoderPositions, 0, mostRows},
            {u"number of token types"_s, shape.tokenTypes, 0, mostWidth},
            {u"embedding width"_s, shape.embeddingWidth, 0, mostWidth},
            {u"number of relative positions"_s, shape.relativeBuckets, 0, mostWidth},
            {u"number of norms in a block"_s, shape.normsPerBlock, 0, 16},
            {u"key and value rank"_s, shape.keyValueRank, 0, mostWidth},
            {u"query rank"_s, shape.queryRank, 0, mostWidth},
            {u"rotary size of a head"_s, shape.ropeSize, 0, mostWidth},
            {u"size of one value head"_s, shape.valueSize, 0, mostWidth},
            {u"number of mel bins"_s, shape.audioBins, 0, mostWidth}}))
        return fail(*error);
    if (const auto heads = checkHeads(shape); !heads)
        return heads;
    if (shape.keyValueRank > 0 && (shape.valueSize < 1 || shape.ropeSize > shape.headSize))
        return refuse(
            u"The sizes of the latent attention do not fit together: head %1, rotary part %2, value %3."_s.arg(
                QString::number(shape.headSize), QString::number(shape.ropeSize), QString::number(shape.valueSize)),
            u"The rotary part is within the head, and a value has at least one element."_s);
    if (shape.family != ModelFamily::Vision)
        return checkExperts(shape);
    if (const auto error = outside(
            {{u"image patch"_s, shape.patch, 1, 65536}, {u"image size"_s, shape.imageSize, shape.patch, 1'000'000}}))
        return fail(*error);
    return checkExperts(shape);
}

Result<void> checkImageModel(const ModelShape& shape)
{
    if (shape.family == ModelFamily::Convolution) {
        if (!residualStages(shape.layers))
            return refuse(u"There is no ResNet of %1 layers."_s.arg(shape.layers), u"Take 18, 34, 50, 101 or 152."_s);
        if (const auto error = outside({{u"number of classes"_s, shape.vocab, 1, mostRows}}))
            return fail(*error);
        return {};
    }
    if (shape.channels.isEmpty() || shape.channels.size() > 16)
        return refuse(u"A U-Net cannot have %1 levels."_s.arg(shape.channels.size()), u"Give 1 to 16 levels."_s);
    for (const int channels : shape.channels)
        if (const auto error = outside({{u"number of channels"_s, channels, 1, 1'000'000}}))
            return fail(*error);
    if (const auto error = outside({{u"text width"_s, shape.contextWidth, 0, mostWidth}}))
        return fail(*error);
    return {};
}

} // namespace

QString toText(ModelFamily family)
{
    switch (family) {
    case ModelFamily::Decoder: return u"decoder"_s;
    case ModelFamily::Encoder: return u"encoder"_s;
    case ModelFamily::EncoderDecoder: return u"encoder-decoder"_s;
    case ModelFamily::Vision: return u"vision"_s;
    case ModelFamily::Convolution: return u"convolution"_s;
    case ModelFamily::Diffusion: return u"diffusion"_s;
    }
    return {};
}

qint64 ModelShape::imageTokens() const
{
    if (family != ModelFamily::Vision || patch <= 0)
        return 0;
    const qint64 edge = imageSize / patch;
    return edge * edge + 1;
}

Result<void> checkShape(const ModelShape& shape)
{
    const bool transformer = shape.family != ModelFamily::Convolution && shape.family != ModelFamily::Diffusion;
    if (transformer && shape.layers < 1)
        return refuse(u"The model has %1 layers."_s.arg(shape.layers), u"Give at least 1; a 7 B model has 32."_s);
    if (const auto error = outside({{u"number of layers"_s, shape.layers, 0, mostLayers}}))
        return fail(*error);
    if (const auto checked = transformer ? checkTransformer(shape) : checkImageModel(shape); !checked)
        return checked;
    const double total = sumParameters<double>(shape).total();
    if (!(total <= mostParameters))
        return refuse(u"The model would have %1 parameters."_s.arg(QString::number(total, 'g', 3)),
            u"Check the figures: the largest models trained have some 10^12."_s);
    return {};
}

ParameterCount countParameters(const ModelShape& shape)
{
    const auto sums = sumParameters<qint64>(shape);
    ParameterCount count;
    count.total = sums.total();
    count.active = count.total - sums.idleExperts;
    count.block = sums.block;
    count.blocks = sums.blocks;
    count.blockNorms = sums.blockNorms;
    count.experts = sums.experts;
    count.embedding = sums.embedding;
    count.head = sums.head;
    count.other = sums.other;
    return count;
}

} // namespace rankwright::inline planner
