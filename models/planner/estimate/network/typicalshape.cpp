// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/typicalshape.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr double leastParameters = 1e5;
constexpr double mostTypicalParameters = 1e14;

/// Hidden size over layers that published models of that size have: GPT-3 Small 64, XL 85; Llama 7B 128, 70B 102,
/// 405B 130; Megatron's 1T 200 (tables of arXiv:2005.14165, 2302.13971, 2407.21783, 2104.04473).
double usualAspect(double parameters)
{
    if (parameters >= 5e11)
        return 200;
    const double decades = std::log10(parameters) - 8; // since 10^8
    return std::clamp(64 * std::pow(2.0, decades / 2), 24.0, 128.0);
}

/// Llama's rule: two thirds of 4h, up to the next multiple of 256 (of 32 for toys).
qint64 gatedWidth(qint64 hidden)
{
    const qint64 step = hidden >= 1024 ? 256 : 32;
    return (8 * hidden / 3 + step - 1) / step * step;
}

/// Widths in use are multiples of this, so that heads can be shared out.
qint64 hiddenStep(qint64 hidden) { return hidden < 512 ? 32 : hidden < 2048 ? 128 : hidden < 8192 ? 256 : 1024; }

qint64 usualVocabulary(double parameters)
{
    if (parameters >= 1e8)
        return 32000; // Llama 1 and 2
    return std::clamp<qint64>(static_cast<qint64>(std::sqrt(parameters) * 3.2) / 256 * 256, 256, 32000);
}

ModelShape llamaLike(qint64 hidden, int layers, qint64 vocab, bool tied)
{
    ModelShape shape;
    shape.layers = layers;
    shape.hidden = hidden;
    shape.headSize = hidden % 128 == 0 && hidden >= 1024 ? 128 : (hidden % 64 == 0 ? 64 : 32);
    shape.heads = static_cast<int>(hidden / shape.headSize);
    shape.kvHeads = shape.heads;
    shape.ffn = gatedWidth(hidden);
    shape.vocab = vocab;
    shape.maxSequence = 4096;
    shape.tiedEmbeddings = tied;
    shape.gatedMlp = true;
    shape.norm = NormKind::RmsNorm;
    return shape;
}

} // namespace

Result<ModelShape> typicalShape(double parameters)
{
    if (!(parameters >= leastParameters && parameters <= mostTypicalParameters))
        return fail(Fault::Invalid,
            std::isnan(parameters)
                ? u"The number of parameters is not a number."_s
                : u"There is no typical model of %1 parameters."_s.arg(QString::number(parameters, 'g', 4)),
            {}, u"Give a count from 1e5 to 1e14, such as 7e9, or the model's figures."_s);
    const qint64 vocab = usualVocabulary(parameters);
    const bool tied = parameters < 1e9;
    const double aspect = usualAspect(parameters);
    ModelShape best;
    double bestCost = std::numeric_limits<double>::infinity();
    for (qint64 hidden = 32; hidden <= 262144; hidden += hiddenStep(hidden)) {
        const ParameterCount one = countParameters(llamaLike(hidden, 1, vocab, tied));
        const double wanted
            = (parameters - static_cast<double>(one.total - one.blocks)) / static_cast<double>(one.block);
        if (wanted < 1 || wanted > 10000)
            continue;
        for (const int layers : {static_cast<int>(wanted), static_cast<int>(wanted) + 1}) {
            const ModelShape shape = llamaLike(hidden, layers, vocab, tied);
            const double total = static_cast<double>(countParameters(shape).total);
            // Pipelines cut into 2, 4 or 8 stages: that is how published depths look.
            const double uneven = layers % 4 == 0 || layers < 8 ? 0 : layers % 2 == 0 ? 0.1 : 0.25;
            const double cost = 4 * std::abs(total / parameters - 1) + uneven
                + std::abs(std::log(static_cast<double>(hidden) / layers / aspect));
            if (cost < bestCost) {
                bestCost = cost;
                best = shape;
            }
        }
    }
    best.assumed = true;
    best.note
        = u"A typical dense decoder of that size is assumed: %1 layers of %2, %3 heads, feed-forward %4, vocabulary %5."_s
              .arg(best.layers)
              .arg(best.hidden)
              .arg(best.heads)
              .arg(best.ffn)
              .arg(best.vocab);
    return best;
}

} // namespace rankwright::inline planner
