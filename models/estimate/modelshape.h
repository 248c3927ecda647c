// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QString>

#include <optional>

namespace rankwright {

enum class ModelFamily { Decoder, Encoder, EncoderDecoder, Vision, Convolution };
enum class NormKind { LayerNorm, RmsNorm };
enum class QkNorm { None, PerHead, FullWidth };

/// The architecture of a model: what parameters, memory and FLOPs are counted from. Sizes are elements, never bytes.
/// Zero means "has none" (no vocabulary, no learned positions), never "unknown".
struct ModelShape {
    QString name; ///< "Llama 3 8B"; empty: given by figures
    ModelFamily family = ModelFamily::Decoder;
    int layers = 0; ///< blocks; of an encoder-decoder those of each side; of a ResNet its depth (50)
    qint64 hidden = 0; ///< h
    int heads = 0; ///< a
    int kvHeads = 0; ///< k
    qint64 headSize = 0; ///< d, normally h / a
    qint64 ffn = 0; ///< f; of one expert where there are experts
    qint64 vocab = 0; ///< V; of an image model the number of classes
    qint64 maxSequence = 0; ///< longest context it was made for; 0: not published
    qint64 learnedPositions = 0; ///< rows of a learned position table
    int tokenTypes = 0; ///< BERT's segment table
    bool tiedEmbeddings = true;
    bool gatedMlp = false; ///< SwiGLU, GeGLU: three matrices
    bool qkvBias = false;
    bool attentionOutBias = false;
    bool mlpBias = false;
    bool headBias = false;
    NormKind norm = NormKind::LayerNorm;
    int normsPerBlock = 2;
    bool embeddingNorm = false;
    bool finalNorm = true;
    bool pooler = false;
    QkNorm qkNorm = QkNorm::None;
    int experts = 0; ///< routed experts of a block; 0: dense
    int expertsPerToken = 0;
    qint64 sharedExpertFfn = 0; ///< width of the expert that every token passes; 0: none
    int denseLayers = 0; ///< first blocks without experts
    qint64 denseFfn = 0; ///< their width
    int patch = 0; ///< image patch, pixels
    int imageSize = 0; ///< pixels of an edge
    bool assumed = false; ///< a typical model of that size, its real architecture is not known
    QString note; ///< what was assumed or left out, one sentence; may be empty
    QString source;

    qint64 queryWidth() const { return heads * headSize; } ///< q = a*d
    qint64 keyWidth() const { return kvHeads * headSize; } ///< r = k*d
    bool operator==(const ModelShape&) const = default;
};

/// Parameters by place: exact sums (memory_model section 1 and the sources named in modelshape.cpp).
struct ParameterCount {
    qint64 total = 0;
    qint64 active = 0; ///< that one token passes: top-k experts only
    qint64 block = 0; ///< of one block of the kind that there are most of
    qint64 blocks = 0; ///< all blocks
    qint64 blockNorms = 0; ///< of `block` what tensor parallelism does not split: norms, router, output biases
    qint64 experts = 0; ///< of `blocks` what expert parallelism splits
    qint64 embedding = 0; ///< input tables: tokens, positions, types
    qint64 head = 0; ///< output projection; 0 when tied
    qint64 other = 0; ///< final norm, pooler and the like
    bool operator==(const ParameterCount&) const = default;
};

/// Fails with one clear sentence on nonsense: no layers, heads not dividing, sizes beyond 10^15 parameters.
Result<void> checkShape(const ModelShape& shape);

/// In: a shape that checkShape() accepts.
ParameterCount countParameters(const ModelShape& shape);

/// A typical dense decoder (Llama-like blocks, 4096 context) of about so many parameters: figures rounded as published
/// models have them; `assumed` is set and `note` says it. Fails outside 10^5 .. 10^14.
Result<ModelShape> typicalShape(double parameters);

} // namespace rankwright
