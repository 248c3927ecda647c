// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/parametersums.h"

namespace rankwright::inline planner {

// Sources of the sums: decoder blocks as in Korthikanti et al. 2022 (arXiv:2205.05198) with the bias, norm and
// projection conventions of each family's published code (Hugging Face transformers, class of the same name); experts:
// Jiang et al. 2024 (arXiv:2401.04088), DeepSeek-V2 (arXiv:2405.04434); encoder: Devlin et al. 2018
// (arXiv:1810.04805); encoder-decoder: Raffel et al. 2019 (arXiv:1910.10683), Radford et al. 2022 (arXiv:2212.04356);
// images: Dosovitskiy et al. 2020 (arXiv:2010.11929), He et al. 2015 (arXiv:1512.03385); U-Net: Rombach et al. 2021
// (arXiv:2112.10752) as in diffusers' UNet2DConditionModel.

namespace {

constexpr int colours = 3;

/// Parts of a transformer. N: see ParameterSums.
template <typename N>
class Transformer {
public:
    explicit Transformer(const ModelShape& shape)
        : m_shape(shape), m_hidden(N(shape.hidden)), m_query(N(shape.heads) * N(shape.headSize)),
          m_key(N(shape.kvHeads) * N(shape.headSize))
    { }

    N norm(N width) const
    {
        if (m_shape.norm == NormKind::Plain)
            return 0;
        return m_shape.norm == NormKind::LayerNorm && m_shape.normBias ? 2 * width : width;
    }

    N attention() const
    {
        if (m_shape.keyValueRank > 0)
            return latentAttention();
        N sum = m_hidden * m_query + 2 * m_hidden * m_key + m_query * m_hidden;
        if (m_shape.qkvBias)
            sum += m_query + (m_shape.keyBias ? 2 : 1) * m_key;
        if (m_shape.attentionOutBias)
            sum += m_hidden;
        return sum + queryKeyNorm();
    }

    N mlp(qint64 width) const
    {
        const int inputs = m_shape.gatedMlp ? 2 : 1;
        const N sum = (inputs + 1) * m_hidden * N(width);
        return m_shape.mlpBias ? sum + inputs * N(width) + m_hidden : sum;
    }

    /// Of a block what every tensor-parallel rank holds whole; `attentions`: 2 in a decoder that looks at an encoder.
    N whole(int attentions, int norms) const
    {
        N sum = norms * norm(m_hidden) + (m_shape.mlpBias ? m_hidden : 0);
        sum += attentions * ((m_shape.attentionOutBias ? m_hidden : 0) + queryKeyNorm());
        return sum + router();
    }

    N router() const
    {
        if (m_shape.experts == 0)
            return 0;
        const N experts = N(m_shape.experts);
        return m_hidden * experts + (m_shape.routerBias ? experts : 0) + (m_shape.sharedExpertGate ? m_hidden : 0);
    }

    N queryKeyNorm() const
    {
        switch (m_shape.qkNorm) {
        case QkNorm::PerHead: return 2 * N(m_shape.headSize);
        case QkNorm::FullWidth: return m_query + m_key;
        case QkNorm::None: break;
        }
        return 0;
    }

private:
    /// Multi-head latent attention: down projections with their norms, up projections, output.
    N latentAttention() const
    {
        const N rank = N(m_shape.keyValueRank);
        const N heads = N(m_shape.heads);
        const N rope = N(m_shape.ropeSize);
        const N value = N(m_shape.valueSize);
        const N queryRank = N(m_shape.queryRank);
        const N queries = queryRank > 0 ? m_hidden * queryRank + queryRank + queryRank * m_query : m_hidden * m_query;
        const N keysAndValues = m_hidden * (rank + rope) + rank + rank * heads * (N(m_shape.headSize) - rope + value);
        return queries + keysAndValues + heads * value * m_hidden;
    }

    const ModelShape& m_shape;
    N m_hidden;
    N m_query;
    N m_key;
};

template <typename N>
void addTables(ParameterSums<N>& sums, const ModelShape& shape)
{
    const N hidden = N(shape.hidden);
    const N width = shape.embeddingWidth > 0 ? N(shape.embeddingWidth) : hidden;
    const N words = N(shape.vocab) * width;
    sums.embedding = words + (N(shape.learnedPositions) + N(shape.encoderPositions) + N(shape.tokenTypes)) * hidden;
    sums.head = (shape.tiedEmbeddings ? 0 : words) + (shape.headBias ? N(shape.vocab) : 0);
    if (shape.embeddingWidth > 0 && shape.embeddingWidth != shape.hidden)
        sums.other += 2 * width * hidden;
}

template <typename N>
ParameterSums<N> sumBlocks(const ModelShape& shape)
{
    const Transformer<N> parts(shape);
    const N norms = shape.normsPerBlock * parts.norm(N(shape.hidden));
    ParameterSums<N> sums;
    sums.blockNorms = parts.whole(1, shape.normsPerBlock);
    if (shape.experts == 0) {
        sums.block = parts.attention() + norms + parts.mlp(shape.ffn);
        sums.blocks = N(shape.layers) * sums.block;
    } else {
        const N expert = parts.mlp(shape.ffn);
        const N shared = shape.sharedExpertFfn > 0 ? parts.mlp(shape.sharedExpertFfn) : 0;
        const N sparse = N(shape.layers - shape.denseLayers);
        sums.block = parts.attention() + norms + parts.router() + N(shape.experts) * expert + shared;
        sums.experts = sparse * N(shape.experts) * expert;
        sums.idleExperts = sparse * N(shape.experts - shape.expertsPerToken) * expert;
        sums.blocks
            = sparse * sums.block + N(shape.denseLayers) * (parts.attention() + norms + parts.mlp(shape.denseFfn));
    }
    sums.other = N(shape.towerParameters) + (shape.finalNorm ? parts.norm(N(shape.hidden)) : 0)
        + (shape.embeddingNorm ? parts.norm(N(shape.hidden)) : 0)
        + (shape.pooler ? N(shape.hidden) * N(shape.hidden) + N(shape.hidden) : 0);
    return sums;
}

template <typename N>
ParameterSums<N> sumEncoderDecoder(const ModelShape& shape)
{
    const Transformer<N> parts(shape);
    const N norm = parts.norm(N(shape.hidden));
    const N mlp = parts.mlp(shape.ffn);
    ParameterSums<N> sums;
    sums.block = 2 * parts.attention() + mlp + 3 * norm;
    sums.blockNorms = parts.whole(2, 3);
    sums.blocks = N(shape.layers) * (sums.block + parts.attention() + mlp + 2 * norm);
    sums.other = (shape.finalNorm ? 2 * norm : 0) + 2 * N(shape.relativeBuckets) * N(shape.heads);
    if (shape.audioBins > 0) {
        const N hidden = N(shape.hidden);
        sums.other += 3 * N(shape.audioBins) * hidden + hidden + 3 * hidden * hidden + hidden;
    }
    addTables(sums, shape);
    return sums;
}

template <typename N>
ParameterSums<N> sumVision(const ModelShape& shape)
{
    ParameterSums<N> sums = sumBlocks<N>(shape);
    const N hidden = N(shape.hidden);
    const N projection = N(colours) * N(shape.patch) * N(shape.patch) * hidden + hidden;
    sums.embedding = N(shape.imageTokens()) * hidden;
    sums.other += projection + hidden; // and the class token
    sums.head = hidden * N(shape.vocab) + N(shape.vocab);
    return sums;
}

/// Convolution with the two parameters per channel of its BatchNorm.
template <typename N>
N normedConvolution(N in, N out, int kernel)
{
    return in * out * N(kernel * kernel) + 2 * out;
}

template <typename N>
ParameterSums<N> sumResNet(const ModelShape& shape)
{
    const auto stages = residualStages(shape.layers).value_or(std::array{0, 0, 0, 0});
    const bool bottleneck = shape.layers >= 50;
    ParameterSums<N> sums;
    sums.other = normedConvolution<N>(colours, 64, 7);
    N in = 64;
    N width = 64;
    int count = 0;
    for (const int blocks : stages) {
        const N out = bottleneck ? 4 * width : width;
        for (int i = 0; i < blocks; ++i, ++count, in = out) {
            sums.blocks += bottleneck ? normedConvolution(in, width, 1) + normedConvolution(width, width, 3)
                    + normedConvolution(width, out, 1)
                                      : normedConvolution(in, width, 3) + normedConvolution(width, width, 3);
            if (in != out)
                sums.blocks += normedConvolution(in, out, 1);
        }
        width *= 2;
    }
    sums.block = count > 0 ? sums.blocks / N(count) : 0;
    sums.head = in * N(shape.vocab) + N(shape.vocab);
    return sums;
}

template <typename N>
N convolution(N in, N out, int kernel = 3)
{
    return in * out * N(kernel * kernel) + out;
}

template <typename N>
class UNet {
public:
    explicit UNet(const ModelShape& shape) : m_channels(shape.channels), m_context(N(shape.contextWidth)) { }

    ParameterSums<N> sums()
    {
        const N base = N(m_channels.first());
        m_time = 4 * base;
        m_sums.other = convolution<N>(latents, base) + base * m_time + m_time + m_time * m_time + m_time;
        down(base);
        const N widest = N(m_channels.last());
        addLevel(widest, widest, true);
        addLevel(widest, widest, false);
        up(widest);
        m_sums.block = m_sums.blocks / N(m_count);
        m_sums.head = 2 * base + convolution<N>(base, latents);
        return m_sums;
    }

private:
    void down(N in)
    {
        m_skips = {in};
        for (qsizetype level = 0; level < m_channels.size(); ++level) {
            const N out = N(m_channels.at(level));
            for (int i = 0; i < blocksPerLevel; ++i, in = out) {
                addLevel(in, out, !isLast(level));
                m_skips.append(out);
            }
            if (isLast(level))
                continue;
            m_sums.blocks += convolution(out, out);
            m_skips.append(out);
        }
    }

    void up(N in)
    {
        for (qsizetype level = m_channels.size() - 1; level >= 0; --level) {
            const N out = N(m_channels.at(level));
            for (int i = 0; i <= blocksPerLevel; ++i, in = out)
                addLevel(in + m_skips.takeLast(), out, !isLast(level));
            if (level > 0)
                m_sums.blocks += convolution(out, out);
        }
    }

    bool isLast(qsizetype level) const { return level == m_channels.size() - 1; }

    void addLevel(N in, N out, bool attends)
    {
        m_sums.blocks += 2 * in + convolution(in, out) + m_time * out + out + 2 * out + convolution(out, out);
        if (in != out)
            m_sums.blocks += convolution(in, out, 1);
        if (attends) {
            const N attention = 6 * out * out + 2 * m_context * out + 2 * out;
            const N mlp = 8 * out * out + 8 * out + 4 * out * out + out;
            m_sums.blocks += 2 * out + 2 * convolution(out, out, 1) + 6 * out + attention + mlp;
        }
        ++m_count;
    }

    static constexpr int latents = 4;
    static constexpr int blocksPerLevel = 2;
    QList<int> m_channels;
    N m_context;
    N m_time = 0;
    QList<N> m_skips;
    int m_count = 0;
    ParameterSums<N> m_sums;
};

} // namespace

std::optional<std::array<int, 4>> residualStages(int depth)
{
    switch (depth) {
    case 18: return std::array{2, 2, 2, 2};
    case 34:
    case 50: return std::array{3, 4, 6, 3};
    case 101: return std::array{3, 4, 23, 3};
    case 152: return std::array{3, 8, 36, 3};
    default: return std::nullopt;
    }
}

template <typename N>
ParameterSums<N> sumParameters(const ModelShape& shape)
{
    switch (shape.family) {
    case ModelFamily::EncoderDecoder: return sumEncoderDecoder<N>(shape);
    case ModelFamily::Vision: return sumVision<N>(shape);
    case ModelFamily::Convolution: return sumResNet<N>(shape);
    case ModelFamily::Diffusion: return UNet<N>(shape).sums();
    case ModelFamily::Decoder:
    case ModelFamily::Encoder: break;
    }
    ParameterSums<N> sums = sumBlocks<N>(shape);
    addTables(sums, shape);
    return sums;
}

template ParameterSums<qint64> sumParameters(const ModelShape& shape);
template ParameterSums<double> sumParameters(const ModelShape& shape);

} // namespace rankwright::inline planner
