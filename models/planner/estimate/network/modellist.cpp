// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/modellist.h"

#include "models/core/jsonreader.h"
#include "models/planner/estimate/network/plannerdata.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr qint64 anySize = 1'000'000'000'000;

/// Index of a word; a word that is not among them is a fault of the file.
int oneOf(JsonReader& reader, const QString& key, const QStringList& words)
{
    const QString word = reader.text(key).value_or(words.first());
    const qsizetype index = words.indexOf(word);
    if (index < 0)
        reader.refuse(key, u"must be one of %1, found “%2”"_s.arg(words.join(u", "_s), word.left(40)));
    return static_cast<int>(std::max<qsizetype>(0, index));
}

void readInt(JsonReader& reader, const QString& key, int& value)
{
    value = static_cast<int>(reader.integer(key, 0, 1'000'000).value_or(value));
}

void readSize(JsonReader& reader, const QString& key, qint64& value)
{
    value = reader.integer(key, 0, anySize).value_or(value);
}

void readFlag(JsonReader& reader, const QString& key, bool& value) { value = reader.flag(key).value_or(value); }

void readTransformer(JsonReader& reader, ModelShape& shape)
{
    readInt(reader, u"heads"_s, shape.heads);
    shape.kvHeads = shape.heads;
    readInt(reader, u"kvHeads"_s, shape.kvHeads);
    shape.headSize = shape.heads > 0 && shape.hidden % shape.heads == 0 ? shape.hidden / shape.heads : 0;
    readSize(reader, u"headSize"_s, shape.headSize);
    readSize(reader, u"ffn"_s, shape.ffn);
    readSize(reader, u"maxSequence"_s, shape.maxSequence);
    readSize(reader, u"learnedPositions"_s, shape.learnedPositions);
    readSize(reader, u"encoderPositions"_s, shape.encoderPositions);
    readInt(reader, u"tokenTypes"_s, shape.tokenTypes);
    readSize(reader, u"embeddingWidth"_s, shape.embeddingWidth);
    readInt(reader, u"relativeBuckets"_s, shape.relativeBuckets);
    readFlag(reader, u"tiedEmbeddings"_s, shape.tiedEmbeddings);
    readFlag(reader, u"gatedMlp"_s, shape.gatedMlp);
    readFlag(reader, u"qkvBias"_s, shape.qkvBias);
    readFlag(reader, u"keyBias"_s, shape.keyBias);
    readFlag(reader, u"attentionOutBias"_s, shape.attentionOutBias);
    readFlag(reader, u"mlpBias"_s, shape.mlpBias);
    readFlag(reader, u"headBias"_s, shape.headBias);
    shape.norm = static_cast<NormKind>(oneOf(reader, u"norm"_s, {u"layer"_s, u"rms"_s, u"plain"_s}));
    readFlag(reader, u"normBias"_s, shape.normBias);
    readInt(reader, u"normsPerBlock"_s, shape.normsPerBlock);
    readFlag(reader, u"embeddingNorm"_s, shape.embeddingNorm);
    readFlag(reader, u"finalNorm"_s, shape.finalNorm);
    readFlag(reader, u"pooler"_s, shape.pooler);
    shape.qkNorm = static_cast<QkNorm>(oneOf(reader, u"qkNorm"_s, {u"none"_s, u"head"_s, u"full"_s}));
}

void readSpecial(JsonReader& reader, ModelShape& shape)
{
    readInt(reader, u"experts"_s, shape.experts);
    readInt(reader, u"expertsPerToken"_s, shape.expertsPerToken);
    readInt(reader, u"expertGroups"_s, shape.expertGroups);
    readInt(reader, u"groupsPerToken"_s, shape.groupsPerToken);
    readSize(reader, u"sharedExpertFfn"_s, shape.sharedExpertFfn);
    readFlag(reader, u"sharedExpertGate"_s, shape.sharedExpertGate);
    readFlag(reader, u"routerBias"_s, shape.routerBias);
    readInt(reader, u"denseLayers"_s, shape.denseLayers);
    readSize(reader, u"denseFfn"_s, shape.denseFfn);
    readSize(reader, u"keyValueRank"_s, shape.keyValueRank);
    readSize(reader, u"queryRank"_s, shape.queryRank);
    readSize(reader, u"ropeSize"_s, shape.ropeSize);
    readSize(reader, u"valueSize"_s, shape.valueSize);
    readInt(reader, u"patch"_s, shape.patch);
    readInt(reader, u"imageSize"_s, shape.imageSize);
    readInt(reader, u"audioBins"_s, shape.audioBins);
    readSize(reader, u"contextWidth"_s, shape.contextWidth);
    if (const auto channels = reader.array(u"channels"_s))
        for (const QJsonValue& one : *channels)
            shape.channels.append(one.toInt());
}

ListedModel readModel(JsonReader& reader)
{
    ListedModel model;
    model.name = reader.text(u"name"_s).value_or(QString());
    model.title = reader.text(u"title"_s).value_or(model.name);
    model.family = reader.text(u"family"_s).value_or(QString());
    model.aliases = reader.texts(u"aliases"_s).value_or(QStringList());
    ModelShape& shape = model.shape;
    shape.family = static_cast<ModelFamily>(oneOf(reader, u"kind"_s,
        {u"decoder"_s, u"encoder"_s, u"encoder-decoder"_s, u"vision"_s, u"convolution"_s, u"diffusion"_s}));
    readInt(reader, u"layers"_s, shape.layers);
    readSize(reader, u"hidden"_s, shape.hidden);
    readSize(reader, u"vocab"_s, shape.vocab);
    readTransformer(reader, shape);
    readSpecial(reader, shape);
    model.published = reader.integer(u"published"_s, 1, anySize * 1000);
    model.exact = reader.flag(u"exact"_s).value_or(false);
    shape.source = reader.text(u"source"_s).value_or(QString());
    shape.name = model.title;
    if (model.name.isEmpty())
        reader.refuse(u"name"_s, u"a model needs a name"_s);
    for (const QString& unknown : reader.unknownMembers())
        reader.refuse(unknown.section(u'.', -1), u"no such figure of a model"_s);
    return model;
}

/// What is compared: lower case letters, digits and points.
QString plain(const QString& text)
{
    static const QRegularExpression ignored(u"[^a-z0-9.]+"_s);
    return text.toLower().remove(ignored);
}

/// Without a maker in front and without words that change no figure.
QString withoutTrimmings(const QString& text)
{
    static const QRegularExpression behind(
        u"[-_ ](hf|instruct|chat|base|it|uncased|cased|v0\\.[1-3]|v1|bnb|4bit|pt)$"_s,
        QRegularExpression::CaseInsensitiveOption);
    QString name = text.trimmed().section(u'/', -1);
    if (name.startsWith(u"meta-"_s, Qt::CaseInsensitive))
        name.remove(0, 5);
    for (QRegularExpressionMatch found = behind.match(name); found.hasMatch(); found = behind.match(name))
        name.truncate(found.capturedStart());
    return name;
}

using Index = QHash<QString, qsizetype>;

const Index& spellings()
{
    static const Index all = [] {
        Index index;
        const QList<ListedModel>& models = listedModels();
        // Names first: an alias of one model never hides the name of another.
        for (qsizetype i = 0; i < models.size(); ++i)
            index.insert(plain(models.at(i).name), i);
        for (qsizetype i = 0; i < models.size(); ++i)
            for (const QString& spelling : QStringList{models.at(i).title} + models.at(i).aliases)
                for (const QString& form : {plain(spelling), plain(withoutTrimmings(spelling))})
                    if (!index.contains(form))
                        index.insert(form, i);
        return index;
    }();
    return all;
}

/// Edits (insert, delete, replace) that turn one into the other.
qsizetype distance(const QString& from, const QString& to)
{
    QList<qsizetype> row(to.size() + 1);
    for (qsizetype j = 0; j < row.size(); ++j)
        row[j] = j;
    for (qsizetype i = 1; i <= from.size(); ++i) {
        qsizetype diagonal = row.at(0);
        row[0] = i;
        for (qsizetype j = 1; j <= to.size(); ++j) {
            const qsizetype replaced = diagonal + (from.at(i - 1) == to.at(j - 1) ? 0 : 1);
            diagonal = row.at(j);
            row[j] = std::min({replaced, row.at(j) + 1, row.at(j - 1) + 1});
        }
    }
    return row.last();
}

} // namespace

Result<QList<ListedModel>> readModelList(const QJsonObject& document, const QString& name)
{
    JsonReader reader(document);
    QList<ListedModel> models;
    for (JsonReader& one : reader.objects(u"models"_s)) {
        const ListedModel model = readModel(one);
        if (one.fault())
            return fail(one.fault()->within(name));
        if (const auto checked = checkShape(model.shape); !checked)
            return fail(checked.error().within(name + u": "_s + model.name));
        models.append(model);
    }
    if (reader.fault())
        return fail(reader.fault()->within(name));
    return models;
}

const QList<ListedModel>& listedModels()
{
    // The table is built in and held by a test: a fault cannot reach a user.
    static const QList<ListedModel> models
        = readModelList(plannerData(u"models.json"_s), u"models.json"_s).valueOr(QList<ListedModel>());
    return models;
}

const ListedModel* findListedModel(const QString& text)
{
    for (const QString& form : {plain(text), plain(withoutTrimmings(text))})
        if (const auto found = spellings().constFind(form); !form.isEmpty() && found != spellings().cend())
            return &listedModels().at(*found);
    return nullptr;
}

QStringList nearestModels(const QString& text)
{
    const QString wanted = plain(text.left(100));
    QList<std::pair<qsizetype, qsizetype>> order;
    for (auto spelling = spellings().cbegin(); spelling != spellings().cend(); ++spelling) {
        const bool within = !wanted.isEmpty() && spelling.key().contains(wanted);
        order.append({within ? 1 : distance(wanted, spelling.key()), *spelling});
    }
    std::sort(order.begin(), order.end());
    QStringList names;
    for (const auto& [edits, index] : order)
        if (const QString& name = listedModels().at(index).name; !names.contains(name) && names.size() < 3)
            names.append(name);
    return names;
}

} // namespace rankwright::inline planner
