// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/modelchoice.h"

#include "models/core/jsonreader.h"
#include "models/planner/estimate/network/hfconfig.h"
#include "models/planner/estimate/network/modellist.h"
#include "models/planner/estimate/network/typicalshape.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr qint64 mostFigure = 1'000'000'000'000'000'000; // checkShape() says what makes sense

const QString forms
    = u"Name a model of the list, a number of parameters, the figures of the model, or a Hugging Face config.json."_s;

Result<ModelShape> byPreset(const QString& name)
{
    if (const ListedModel* model = findListedModel(name))
        return model->shape;
    if (name.trimmed().isEmpty())
        return fail(Fault::Invalid, u"The preset of the model is empty."_s, {}, forms);
    return fail(Fault::Invalid, u"There is no model “%1” in the list."_s.arg(name.simplified().left(60)), {},
        u"The nearest are %1."_s.arg(nearestModels(name).join(u", "_s)));
}

Result<ModelShape> byCount(const QJsonValue& value)
{
    if (value.isDouble())
        return typicalShape(value.toDouble());
    if (const auto count = value.isString() ? parameterCountFrom(value.toString()) : std::nullopt)
        return typicalShape(*count);
    return fail(Fault::Invalid, u"The model's parameters are not a number."_s, {}, u"Give a count such as 7e9."_s);
}

Result<ModelShape> byFile(const QString& path, const QString& baseFolder)
{
    QString place = QDir(baseFolder).filePath(path);
    if (QFileInfo(place).isDir())
        place = QDir(place).filePath(u"config.json"_s);
    QFile file(place);
    if (QFileInfo::exists(place) && !QFileInfo(place).isFile()) // a pipe or a device would be waited for
        return fail(Fault::Invalid, u"The model's configuration %1 is not a file."_s.arg(place), {},
            u"Give the path of a Hugging Face config.json."_s);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Fault::Io, u"The model's configuration %1 cannot be read."_s.arg(place), file.errorString(),
            u"Give the path of a Hugging Face config.json; a relative one starts at the design's folder."_s);
    constexpr qint64 enough = 5 * 1024 * 1024; // more is refused by its reader
    return shapeFromHfConfig(file.read(enough), QFileInfo(place).fileName());
}

/// Figures with what is left out filled in.
class FigureReader {
public:
    explicit FigureReader(const QJsonObject& model) : m_reader(model, u"$.model"_s) { }

    Result<ModelShape> read()
    {
        ModelShape shape;
        shape.layers = static_cast<int>(needed(u"layers"_s, 2'000'000'000));
        shape.hidden = needed(u"hidden"_s, mostFigure);
        const bool gated = m_reader.flag(u"gatedMlp"_s).value_or(true);
        shape.heads = headsOf(shape.hidden);
        shape.kvHeads = static_cast<int>(size(u"kvHeads"_s, 2'000'000'000).value_or(shape.heads));
        const bool divides = shape.heads > 0 && shape.hidden % shape.heads == 0;
        shape.headSize = size(u"headSize"_s, mostFigure).value_or(divides ? shape.hidden / shape.heads : 0);
        shape.ffn = ffnOf(shape.hidden, gated);
        shape.vocab = vocabOf();
        shape.experts = static_cast<int>(size(u"experts"_s, 2'000'000'000).value_or(0));
        shape.expertsPerToken
            = static_cast<int>(size(u"expertsPerToken"_s, 2'000'000'000).value_or(shape.experts > 0 ? 2 : 0));
        shape.maxSequence = size(u"maxSequence"_s, mostFigure).value_or(0);
        shape.gatedMlp = gated;
        shape.tiedEmbeddings = m_reader.flag(u"tiedEmbeddings"_s).value_or(!gated);
        applyStyle(shape, gated);
        if (m_reader.fault())
            return fail(*m_reader.fault());
        if (const auto checked = checkShape(shape); !checked)
            return fail(checked.error());
        shape.note = m_note;
        return shape;
    }

private:
    std::optional<qint64> size(const QString& key, qint64 most)
    {
        return m_reader.integer(key, -most, most); // checkShape() says what is wrong with a negative one
    }

    qint64 needed(const QString& key, qint64 most)
    {
        if (!m_reader.has(key))
            m_reader.refuse(key, u"the figures of a model need it"_s);
        return size(key, most).value_or(0);
    }

    int headsOf(qint64 hidden)
    {
        if (const auto heads = size(u"heads"_s, 2'000'000'000))
            return static_cast<int>(*heads);
        const qint64 headSize = hidden % 128 == 0 ? 128 : hidden % 64 == 0 ? 64 : qMax<qint64>(1, hidden);
        const auto heads = std::clamp<qint64>(hidden / headSize, 1, 1'000'000);
        report(u"%1 heads of %2"_s.arg(heads).arg(headSize));
        return static_cast<int>(heads);
    }

    qint64 ffnOf(qint64 hidden, bool gated)
    {
        if (const auto ffn = size(u"ffn"_s, mostFigure))
            return *ffn;
        const qint64 width = std::clamp<qint64>(hidden, 1, 100'000'000);
        const qint64 ffn = gated ? (8 * width / 3 + 255) / 256 * 256 : 4 * width;
        report(u"feed-forward %1"_s.arg(ffn));
        return ffn;
    }

    qint64 vocabOf()
    {
        if (const auto vocab = size(u"vocab"_s, mostFigure))
            return *vocab;
        report(u"a vocabulary of 32000"_s);
        return 32000;
    }

    /// Llama's defaults with a gated MLP, GPT-2's without.
    void applyStyle(ModelShape& shape, bool gated)
    {
        shape.norm = gated ? NormKind::RmsNorm : NormKind::LayerNorm;
        shape.qkvBias = shape.attentionOutBias = shape.mlpBias = !gated;
        shape.learnedPositions = gated ? 0 : shape.maxSequence;
        const QString defaults = gated ? u"Norms and biases as Llama has them are assumed"_s
                                       : u"Norms and biases as GPT-2 has them are assumed"_s;
        m_note = (m_assumed.isEmpty() ? defaults : QString(defaults + u", and "_s + m_assumed.join(u", "_s))) + u'.';
    }

    void report(const QString& figure) { m_assumed.append(figure); }

    JsonReader m_reader;
    QStringList m_assumed;
    QString m_note;
};

bool hasValue(const QJsonObject& model, const QString& key)
{
    return model.contains(key) && !model.value(key).isNull();
}

} // namespace

std::optional<double> parameterCountFrom(const QString& text)
{
    static const QRegularExpression form(u"^\\s*([0-9.]+(?:[eE][+]?[0-9]+)?)\\s*([kKmMbBtT]?)\\s*$"_s);
    const QRegularExpressionMatch found = form.match(text);
    bool read = false;
    const double number = found.captured(1).toDouble(&read);
    if (!found.hasMatch() || !read || !std::isfinite(number))
        return std::nullopt;
    const QString unit = found.captured(2).toLower();
    return number * (unit == u"k" ? 1e3 : unit == u"m" ? 1e6 : unit == u"b" ? 1e9 : unit == u"t" ? 1e12 : 1);
}

QJsonObject withAbsolutePath(QJsonObject model, const QString& baseFolder)
{
    const QJsonValue path = model.value(u"hfConfig"_s);
    if (path.isString() && !path.toString().isEmpty())
        model.insert(u"hfConfig"_s, QDir(baseFolder).absoluteFilePath(path.toString()));
    return model;
}

Result<ModelShape> chooseModel(const QJsonObject& model, const QString& baseFolder)
{
    const bool figures = hasValue(model, u"layers"_s) || hasValue(model, u"hidden"_s);
    QStringList given;
    for (const QString& key : {u"preset"_s, u"parameters"_s, u"hfConfig"_s})
        if (hasValue(model, key))
            given.append(key);
    if (figures)
        given.append(u"figures"_s);
    if (given.isEmpty())
        return fail(Fault::Invalid, u"The design names no model."_s, {}, forms);
    if (given.size() > 1)
        return fail(Fault::Invalid, u"The model is given twice: by %1."_s.arg(given.join(u" and by "_s)), {},
            u"Keep one of them."_s);
    for (const QString& key : {u"preset"_s, u"hfConfig"_s})
        if (hasValue(model, key) && !model.value(key).isString())
            return fail(Fault::Invalid, u"The model's “%1” is not text."_s.arg(key), {}, forms);
    if (hasValue(model, u"preset"_s))
        return byPreset(model.value(u"preset"_s).toString());
    if (hasValue(model, u"parameters"_s))
        return byCount(model.value(u"parameters"_s));
    if (hasValue(model, u"hfConfig"_s))
        return byFile(model.value(u"hfConfig"_s).toString(), baseFolder);
    return FigureReader(model).read();
}

} // namespace rankwright::inline planner
