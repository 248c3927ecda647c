// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QList>
#include <QString>

namespace rankwright::inline planner {

enum class ModelFamily { Decoder, Encoder, EncoderDecoder, Vision, Convolution, Diffusion };
/// Plain: a LayerNorm without weights (OLMo 1).
enum class NormKind { LayerNorm, RmsNorm, Plain };
enum class QkNorm { None, PerHead, FullWidth };

/// The architecture of a model: what parameters, memory and FLOPs are counted from. Sizes are elements, never bytes.
/// Zero means "has none" (no vocabulary, no learned positions), never "unknown".
struct ModelShape {
    QString name; ///< "Llama 3 8B"; empty: given by figures
    ModelFamily family = ModelFamily::Decoder;
    int layers = 0; ///< blocks; of an encoder-decoder those of each side; of a ResNet its depth (50)
    qint64 hidden = 0; ///< h; of a ResNet or U-Net its widest channels
    int heads = 0; ///< a
    int kvHeads = 0; ///< k
    qint64 headSize = 0; ///< d, normally h / a
    qint64 ffn = 0; ///< f; of one expert where there are experts
    qint64 vocab = 0; ///< V; of an image model the number of classes
    qint64 maxSequence = 0; ///< longest context it was made for; 0: not published
    qint64 learnedPositions = 0; ///< rows of a learned position table; of an encoder-decoder both sides' (T5) or the
                                 ///< decoder's (Whisper)
    qint64 encoderPositions = 0; ///< rows of an encoder's own table (Whisper)
    int tokenTypes = 0; ///< BERT's segment table
    qint64 embeddingWidth = 0; ///< of the tables, projected to h (OPT-350M); 0: h
    int relativeBuckets = 0; ///< T5's table of relative positions, per head and side
    bool tiedEmbeddings = true;
    bool gatedMlp = false; ///< SwiGLU, GeGLU: three matrices
    bool qkvBias = false;
    bool keyBias = true; ///< with qkvBias: false leaves the key out (Whisper)
    bool attentionOutBias = false;
    bool mlpBias = false;
    bool headBias = false;
    NormKind norm = NormKind::LayerNorm;
    bool normBias = true; ///< of a LayerNorm: false leaves the weight alone (MPT, Command R)
    int normsPerBlock = 2;
    bool attendsToText = false; ///< each block looks at the tokens of a text encoder as well
    bool modulated = false; ///< norms are scaled and shifted, both halves gated by the time step (arXiv:2212.09748)
    bool embeddingNorm = false;
    bool finalNorm = true;
    bool pooler = false;
    QkNorm qkNorm = QkNorm::None;
    int experts = 0; ///< routed experts of a block; 0: dense
    int expertsPerToken = 0;
    int expertGroups = 0; ///< equal groups of the routed experts (DeepSeek-V2, arXiv:2405.04434, 2.2.2); 0: none
    int groupsPerToken = 0; ///< of these that a token's experts may belong to
    qint64 sharedExpertFfn = 0; ///< width of the expert that every token passes; 0: none
    bool sharedExpertGate = false; ///< Qwen2-MoE weighs it with h parameters
    bool routerBias = false; ///< DeepSeek-V3: one correction per expert
    int denseLayers = 0; ///< first blocks without experts
    qint64 denseFfn = 0; ///< their width
    // Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434, 2.1): keyValueRank > 0.
    qint64 keyValueRank = 0; ///< width of what keys and values are rebuilt from
    qint64 queryRank = 0; ///< the same of queries; 0: they are projected directly
    qint64 ropeSize = 0; ///< part of headSize that carries the position, shared by all heads' keys
    qint64 valueSize = 0; ///< of one head's value
    int patch = 0; ///< image patch, pixels
    int imageSize = 0; ///< pixels of an edge
    int audioBins = 0; ///< mel bins before two convolutions (Whisper)
    QList<int> channels; ///< of a U-Net: of each level
    qint64 contextWidth = 0; ///< of a U-Net: width of the text it looks at
    qint64 towerParameters = 0; ///< of a tower for images or sound beside a language model, by their count
    bool assumed = false; ///< a typical model of that size, its real architecture is not known
    QString note; ///< what was assumed or left out, one sentence; may be empty
    QString source;

    qint64 queryWidth() const { return heads * headSize; } ///< q = a*d
    qint64 keyWidth() const { return kvHeads * headSize; } ///< r = k*d
    /// Tokens of one image with its class token; 0: no image model, or one without tokens.
    qint64 imageTokens() const;
    bool operator==(const ModelShape&) const = default;
};

QString toText(ModelFamily family); ///< "decoder", "encoder-decoder", ...

/// Parameters by place: exact sums (memory_model section 1 and the sources named in modelshape.cpp).
struct ParameterCount {
    qint64 total = 0;
    qint64 active = 0; ///< that one token passes: top-k experts only
    qint64 block = 0; ///< of one block of the kind that there are most of; of an encoder-decoder the decoder's, of a
                      ///< ResNet or U-Net the mean
    qint64 blocks = 0; ///< all blocks
    qint64 blockNorms = 0; ///< of `block` what tensor parallelism does not split: norms, router, output biases
    qint64 experts = 0; ///< of `blocks` what expert parallelism splits
    qint64 embedding = 0; ///< input tables: tokens, positions, types
    qint64 head = 0; ///< output projection; 0 when tied
    qint64 other = 0; ///< final norm, pooler, image or audio input and the like
    bool operator==(const ParameterCount&) const = default;
};

/// Fails with one clear sentence and a suggestion on nonsense: no layers, heads not dividing, beyond 10^15 parameters.
Result<void> checkShape(const ModelShape& shape);

/// In: a shape that checkShape() accepts.
ParameterCount countParameters(const ModelShape& shape);

} // namespace rankwright::inline planner
