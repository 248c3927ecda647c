// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "models/planner/estimate/network/modelchoice.h"
#include "models/planner/estimate/network/modellist.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonValue sizeOrNull(qint64 size) { return size > 0 ? QJsonValue(size) : QJsonValue(); }

/// Blocks of the whole model: of an encoder-decoder both sides'.
qint64 layersOf(const ModelShape& shape)
{
    return shape.family == ModelFamily::EncoderDecoder ? 2 * qint64(shape.layers) : shape.layers;
}

QJsonObject modelJson(const ListedModel& model)
{
    const ModelShape& shape = model.shape;
    const ParameterCount count = countParameters(shape);
    return {
        {u"name"_s, orNull(model.name)},
        {u"title"_s, orNull(model.title)},
        {u"family"_s, orNull(model.family)},
        {u"kind"_s, toText(shape.family)},
        {u"parameters"_s, count.total},
        {u"activeParameters"_s, count.active},
        {u"publishedParameters"_s, model.published ? QJsonValue(*model.published) : QJsonValue()},
        {u"exact"_s, model.exact},
        {u"layers"_s, sizeOrNull(layersOf(shape))},
        {u"hidden"_s, sizeOrNull(shape.hidden)},
        {u"heads"_s, sizeOrNull(shape.heads)},
        {u"kvHeads"_s, sizeOrNull(shape.kvHeads)},
        {u"headSize"_s, sizeOrNull(shape.headSize)},
        {u"ffn"_s, sizeOrNull(shape.ffn)},
        {u"vocab"_s, sizeOrNull(shape.vocab)},
        {u"maxSequence"_s, sizeOrNull(shape.maxSequence)},
        {u"tiedEmbeddings"_s, shape.tiedEmbeddings},
        {u"gatedMlp"_s, shape.gatedMlp},
        {u"experts"_s, sizeOrNull(shape.experts)},
        {u"expertsPerToken"_s, sizeOrNull(shape.expertsPerToken)},
        {u"aliases"_s, QJsonArray::fromStringList(model.aliases)},
        {u"note"_s, orNull(shape.note)},
        {u"source"_s, orNull(shape.source)},
    };
}

QString sizeText(qint64 size) { return size > 0 ? QString::number(size) : u"-"_s; }

void printModels(const CliContext& context, const QList<ListedModel>& models)
{
    TextTable table({u"model"_s, u"parameters"_s, u"layers"_s, u"hidden"_s, u"heads"_s, u"kv heads"_s, u"ffn"_s,
        u"vocabulary"_s, u"title"_s});
    for (const ListedModel& model : models) {
        const ModelShape& shape = model.shape;
        table.add({model.name, QString::number(countParameters(shape).total), sizeText(layersOf(shape)),
            sizeText(shape.hidden), sizeText(shape.heads), sizeText(shape.kvHeads), sizeText(shape.ffn),
            sizeText(shape.vocab), model.title});
    }
    table.print(context.out);
    for (const ListedModel& model : models)
        if (!model.shape.note.isEmpty())
            context.err << model.name << u": "_s << model.shape.note << Qt::endl;
}

Result<QList<ListedModel>> wanted(const CliContext& context)
{
    const QString name = context.positional.value(0);
    if (name.isEmpty())
        return listedModels();
    if (const ListedModel* model = findListedModel(name))
        return QList<ListedModel>{*model};
    if (!QFileInfo::exists(name))
        return fail(chooseModel({{u"preset"_s, name}}).error());
    const Result<ModelShape> shape = chooseModel({{u"hfConfig"_s, name}});
    if (!shape)
        return fail(shape.error());
    ListedModel model;
    model.name = model.title = shape->name;
    model.shape = *shape;
    return QList<ListedModel>{model};
}

int runModels(const CliContext& context)
{
    const Result<QList<ListedModel>> models = wanted(context);
    if (!models)
        return report(context, models.error());
    if (!context.json) {
        printModels(context, *models);
        return ExitDone;
    }
    QJsonArray answer;
    for (const ListedModel& model : *models)
        answer.append(modelJson(model));
    printJson(context.out, answer);
    return ExitDone;
}

} // namespace

CliCommand modelsCommand()
{
    return {
        .name = "models",
        .summary = "List the models that a design can name, or count the parameters of one",
        .words = "[MODEL|CONFIG.json]",
        .run = runModels,
        .maximumWords = 1,
    };
}

} // namespace rankwright
