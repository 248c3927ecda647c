// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/stagelayers.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

/// Layers that are lacking at both ends when all chunks have the same number, rounded up.
struct Cut {
    qint64 chunk = 1;
    qint64 lacking = 0;
    bool possible = true;
};

Cut cutOf(qint64 layers, qint64 stages, qint64 chunks)
{
    Cut cut;
    cut.chunk = (layers + stages * chunks - 1) / (stages * chunks);
    cut.lacking = cut.chunk * stages * chunks - layers;
    // A stage of one chunk keeps at least one layer; of several, the outermost chunk may hold embedding or head alone.
    cut.possible = cut.lacking <= 2 * (chunks > 1 ? cut.chunk : cut.chunk - 1);
    return cut;
}

} // namespace

int StageLayers::most() const { return std::max({first, inner, last}); }

int pipelineLayers(const ModelShape& shape)
{
    return shape.layers * (shape.family == ModelFamily::EncoderDecoder ? 2 : 1);
}

StageLayers stageLayers(int layers, const Layout& layout)
{
    const qint64 stages = std::max(1, layout.pipeline), chunks = std::max(1, layout.virtualStages);
    StageLayers cut;
    if (stages == 1)
        return {layers, layers, layers, layers, true};
    const auto number = [](qint64 value) { return static_cast<int>(std::max<qint64>(0, value)); };
    if (layout.firstLayers > 0 || layout.lastLayers > 0) {
        const qint64 ends = (layout.firstLayers > 0 ? 1 : 0) + (layout.lastLayers > 0 ? 1 : 0);
        const qint64 left = layers - layout.firstLayers - layout.lastLayers;
        const qint64 others = std::max<qint64>(1, stages - ends);
        cut.inner = number((left + others - 1) / others);
        cut.first = layout.firstLayers > 0 ? layout.firstLayers : cut.inner;
        cut.last = layout.lastLayers > 0 ? layout.lastLayers : cut.inner;
        cut.chunk = number((cut.inner + chunks - 1) / chunks);
        cut.even = cut.first == cut.inner && cut.last == cut.inner;
        return cut;
    }
    const Cut whole = cutOf(layers, stages, chunks);
    cut.chunk = number(whole.chunk);
    cut.even = whole.lacking == 0;
    if (whole.possible) {
        cut.inner = number(whole.chunk * chunks);
        cut.first = number(whole.chunk * chunks - whole.lacking / 2);
        cut.last = number(whole.chunk * chunks - (whole.lacking + 1) / 2);
    } else {
        cut.first = cut.inner = number((layers + stages - 1) / stages);
        cut.last = number(layers / stages);
    }
    return cut;
}

QString pipelineLayoutText(int layers, const Layout& layout)
{
    const StageLayers cut = stageLayers(layers, layout);
    const qint64 chunks = qint64(layout.pipeline) * layout.virtualStages;
    const auto some = [](int count) { return QString(count, u't'); };
    const int first = cut.chunk - (cut.inner - cut.first), last = cut.chunk - (cut.inner - cut.last);
    return u'E' + some(first) + u"|("_s + some(cut.chunk) + u"|)*"_s + QString::number(chunks - 2) + some(last) + u'L';
}

QList<int> layersOfLayoutText(const QString& text)
{
    // "(…)*N" first, then "t*N", until nothing is left to repeat.
    static const QRegularExpression group(u"\\(([^()]*)\\)(?:\\*(\\d{1,4}))?"_s), one(u"([A-Za-z])\\*(\\d{1,4})"_s);
    constexpr qsizetype longest = 20'000;
    QString whole = text;
    whole.remove(u',');
    for (const QRegularExpression& form : {group, one}) {
        for (QRegularExpressionMatch found = form.match(whole); found.hasMatch(); found = form.match(whole)) {
            const int times = found.captured(2).isEmpty() ? 1 : found.captured(2).toInt();
            if (found.captured(1).size() * times > longest || whole.size() > longest)
                return {};
            whole.replace(found.capturedStart(), found.capturedLength(), found.captured(1).repeated(times));
        }
    }
    QList<int> layers;
    for (const QString& chunk : whole.split(u'|'))
        layers.append(int(chunk.count(u't')));
    return layers.size() > 1 ? layers : QList<int>();
}

Result<void> checkStageLayers(int layers, const Layout& layout)
{
    const int stages = layout.pipeline, chunks = layout.virtualStages;
    if (stages < 2)
        return {};
    if (layout.firstLayers > 0 || layout.lastLayers > 0) {
        const int ends = (layout.firstLayers > 0 ? 1 : 0) + (layout.lastLayers > 0 ? 1 : 0);
        const int left = layers - layout.firstLayers - layout.lastLayers, others = stages - ends;
        if (left < others || (others == 0 && left != 0) || (others > 0 && left % others != 0))
            return fail(Fault::Invalid,
                u"%1 layers without the %2 of the first and last pipeline stage cannot be shared out evenly over the %3 other stages."_s
                    .arg(layers)
                    .arg(layout.firstLayers + layout.lastLayers)
                    .arg(others),
                {}, u"Leave the layers of the first and last stage open, or take numbers that come out even."_s);
        for (const int part : {layout.firstLayers, layout.lastLayers, others > 0 ? left / others : 0}) {
            if (part % chunks != 0)
                return fail(Fault::Invalid,
                    u"%1 layers of a pipeline stage cannot be cut into %2 chunks."_s.arg(part).arg(chunks), {},
                    u"Take 1 chunk per stage, or layers that are a multiple of the chunks."_s);
        }
        return {};
    }
    if (cutOf(layers, stages, chunks).possible)
        return {};
    int fewer = chunks > 1 ? chunks : stages;
    while (fewer > 1 && !cutOf(layers, chunks > 1 ? stages : fewer, chunks > 1 ? fewer : 1).possible)
        --fewer;
    return fail(Fault::Invalid,
        u"%1 layers cannot be cut into %2 pipeline stages of %3, even with fewer layers at both ends."_s.arg(layers)
            .arg(stages)
            .arg(chunks == 1 ? u"one chunk"_s : u"%1 chunks"_s.arg(chunks)),
        {}, chunks > 1 ? u"Take %1 chunks per stage."_s.arg(fewer) : u"Take %1 stages."_s.arg(fewer));
}

} // namespace rankwright::inline planner
