// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/hfencoders.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner::hf {

namespace {

constexpr qint64 mostEncoderCount = 1'000'000'000;
constexpr qint64 imageNetClasses = 1000;

int count(qint64 value) { return static_cast<int>(qMin(value, mostEncoderCount)); }

void bias(ModelShape& shape) { shape.qkvBias = shape.attentionOutBias = shape.mlpBias = true; }

void encoder(HfKeys& members, ModelShape& shape)
{
    readUsual(members, shape);
    bias(shape);
    shape.family = ModelFamily::Encoder;
    shape.embeddingNorm = true;
    shape.finalNorm = false;
    shape.learnedPositions = members.size({u"max_position_embeddings"_s}, 512);
}

void bert(HfKeys& members, ModelShape& shape)
{
    encoder(members, shape);
    shape.tokenTypes = count(members.size({u"type_vocab_size"_s}, 2));
    shape.pooler = true;
}

/// Both sides have the same number of blocks in all published models; else the mean is taken and reported.
void setSides(ModelShape& shape, qint64 encoderLayers, qint64 decoderLayers)
{
    shape.family = ModelFamily::EncoderDecoder;
    shape.layers = count((qMin(encoderLayers, mostEncoderCount) + qMin(decoderLayers, mostEncoderCount) + 1) / 2);
    if (encoderLayers != decoderLayers)
        shape.note = u"%1 encoder and %2 decoder layers are counted as %3 each."_s.arg(encoderLayers)
                         .arg(decoderLayers)
                         .arg(shape.layers);
}

void t5(HfKeys& members, ModelShape& shape, bool tied)
{
    const qint64 layers = members.needed({u"num_layers"_s});
    setSides(shape, layers, members.size({u"num_decoder_layers"_s}, layers));
    shape.hidden = members.needed({u"d_model"_s});
    shape.heads = shape.kvHeads = count(members.needed({u"num_heads"_s}));
    shape.headSize = members.needed({u"d_kv"_s});
    shape.ffn = members.needed({u"d_ff"_s});
    shape.vocab = members.needed({u"vocab_size"_s});
    shape.maxSequence = members.size({u"n_positions"_s}, 512);
    shape.norm = NormKind::RmsNorm;
    shape.gatedMlp = members.flag(u"is_gated_act"_s, members.text(u"feed_forward_proj"_s).startsWith(u"gated"_s));
    shape.relativeBuckets = count(members.size({u"relative_attention_num_buckets"_s}, 32));
    shape.tiedEmbeddings = members.flag(u"tie_word_embeddings"_s, tied);
}

void whisper(HfKeys& members, ModelShape& shape)
{
    setSides(shape, members.needed({u"encoder_layers"_s}), members.needed({u"decoder_layers"_s}));
    shape.hidden = members.needed({u"d_model"_s});
    shape.heads = shape.kvHeads = count(members.needed({u"encoder_attention_heads"_s}));
    shape.headSize = shape.heads > 0 && shape.hidden % shape.heads == 0 ? shape.hidden / shape.heads : 0;
    shape.ffn = members.needed({u"encoder_ffn_dim"_s});
    shape.vocab = members.needed({u"vocab_size"_s});
    shape.audioBins = count(members.size({u"num_mel_bins"_s}, 80));
    shape.encoderPositions = members.size({u"max_source_positions"_s}, 1500);
    shape.learnedPositions = shape.maxSequence = members.size({u"max_target_positions"_s}, 448);
    bias(shape);
    shape.keyBias = false;
}

/// Classes are the labels that the file lists.
qint64 classesOf(HfKeys& members, ModelShape& shape)
{
    const qsizetype listed = members.json().value(u"id2label"_s).toObject().size();
    if (listed == 0 && !members.has(u"num_labels"_s))
        shape.note = u"The number of classes is not given: 1000 is assumed."_s;
    return listed > 0 ? listed : members.size({u"num_labels"_s}, imageNetClasses);
}

void vit(HfKeys& members, ModelShape& shape)
{
    shape.family = ModelFamily::Vision;
    shape.vocab = classesOf(members, shape);
    shape.layers = count(members.needed({u"num_hidden_layers"_s}));
    shape.hidden = members.needed({u"hidden_size"_s});
    shape.heads = shape.kvHeads = count(members.needed({u"num_attention_heads"_s}));
    shape.headSize = shape.heads > 0 && shape.hidden % shape.heads == 0 ? shape.hidden / shape.heads : 0;
    shape.ffn = members.size({u"intermediate_size"_s}, 4 * shape.hidden);
    shape.patch = count(members.size({u"patch_size"_s}, 16));
    shape.imageSize = count(members.size({u"image_size"_s}, 224));
    bias(shape);
    shape.qkvBias = members.flag(u"qkv_bias"_s, true);
    shape.maxSequence = shape.imageTokens();
}

void resnet(HfKeys& members, ModelShape& shape)
{
    shape.family = ModelFamily::Convolution;
    shape.vocab = classesOf(members, shape);
    shape.imageSize = 224;
    const QJsonArray depths = members.json().value(u"depths"_s).toArray();
    qint64 blocks = 0;
    for (const auto& depth : depths)
        blocks += qBound(0, depth.toInt(), 1000);
    if (blocks == 0)
        members.refuse(u"The member “depths” is missing."_s);
    const bool basic = members.text(u"layer_type"_s) == u"basic";
    shape.layers = count(blocks * (basic ? 2 : 3) + 2); // He et al. count the first convolution and the last layer too
    shape.hidden = basic ? 512 : 2048;
}

} // namespace

bool readOtherLine(const QString& type, HfKeys& members, ModelShape& shape)
{
    static const QStringList berts{u"bert"_s, u"roberta"_s, u"xlm-roberta"_s, u"camembert"_s};
    if (berts.contains(type))
        bert(members, shape);
    else if (type == u"distilbert")
        encoder(members, shape);
    else if (type == u"t5")
        t5(members, shape, true);
    else if (type == u"mt5" || type == u"umt5")
        t5(members, shape, false);
    else if (type == u"whisper")
        whisper(members, shape);
    else if (type == u"vit")
        vit(members, shape);
    else if (type == u"resnet")
        resnet(members, shape);
    else
        return false;
    return true;
}

} // namespace rankwright::inline planner::hf
