// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/layoutmodel.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/estimatetext.h"

namespace rankwright::inline tables {

using namespace Qt::StringLiterals;

namespace {

using Column = RecordModel<LayoutRow>::Column;

/// A whole column at once. Member by member: g++ 12 breaks down over nested braces of the template's members.
Column column(const QString& title, const std::function<QString(const LayoutRow&)>& text,
    const std::function<QVariant(const LayoutRow&)>& sort = {}, const std::function<Tone(const LayoutRow&)>& tone = {},
    const std::function<QString(const LayoutRow&)>& toolTip = {}, bool right = false)
{
    Column made{.title = title, .text = text};
    made.sort = sort;
    made.tone = tone;
    made.toolTip = toolTip;
    if (right)
        made.alignment = Qt::AlignRight | Qt::AlignVCenter;
    return made;
}

QString degreesTip(const LayoutRow& row)
{
    QStringList parts{EstimateText::degreesInWords(row.layout.layout)};
    if (row.layout.layout.sequenceParallel)
        parts.append(u"sequence parallel"_s);
    if (row.layout.layout.virtualStages > 1)
        parts.append(u"%1 chunks per stage"_s.arg(row.layout.layout.virtualStages));
    return parts.join(u", "_s);
}

QString batchText(const LayoutRow& row)
{
    return u"%1 × %2"_s.arg(
        humanNumber(double(row.layout.layout.microBatch)), humanNumber(double(row.layout.layout.accumulation)));
}

QString recomputeText(const LayoutRow& row)
{
    const QString offload = EstimateText::offload(row.layout.offload);
    const QString text = EstimateText::recompute(row.layout.recompute);
    return offload.isEmpty() ? text : text + u", "_s + offload;
}

QList<Column> sizeColumns()
{
    return {
        column(
            u"#"_s,
            [](const LayoutRow& row) { return row.current ? u"%1 now"_s.arg(row.rank) : QString::number(row.rank); },
            [](const LayoutRow& row) { return row.rank; },
            [](const LayoutRow& row) { return row.current ? Tone::Busy : Tone::Plain; },
            [](const LayoutRow& row) { return row.current ? u"The design is this layout"_s : QString(); }),
        column(
            u"Nodes"_s, [](const LayoutRow& row) { return humanNumber(row.layout.layout.nodes); },
            [](const LayoutRow& row) { return row.layout.layout.nodes; }, {}, {}, true),
        column(
            u"GPUs"_s, [](const LayoutRow& row) { return humanNumber(row.layout.layout.gpus()); },
            [](const LayoutRow& row) { return row.layout.layout.gpus(); }, {}, {}, true),
        column(
            u"Strategy"_s, [](const LayoutRow& row) { return strategyName(row.layout.strategy); }, {}, {},
            [](const LayoutRow& row) { return u"Training stack: %1"_s.arg(toText(row.layout.stack)); }),
        column(
            u"D × T × P"_s, [](const LayoutRow& row) { return EstimateText::degrees(row.layout.layout); },
            [](const LayoutRow& row) { return row.layout.layout.data; }, {}, degreesTip),
        column(
            u"Micro × acc."_s, batchText, [](const LayoutRow& row) { return row.layout.layout.microBatch; }, {},
            [](const LayoutRow& row) {
                return u"%1 samples at a time, %2 accumulation steps"_s.arg(row.layout.layout.microBatch)
                    .arg(row.layout.layout.accumulation);
            }),
        column(u"Recompute"_s, recomputeText, [](const LayoutRow& row) { return int(row.layout.recompute); })};
}

QList<Column> resultColumns()
{
    return {column(
                u"Memory"_s, [](const LayoutRow& row) { return gibText(row.layout.memoryBytes); },
                [](const LayoutRow& row) { return row.layout.memoryBytes / qMax(1.0, row.layout.usableBytes); }, {},
                [](const LayoutRow& row) {
                    return u"%1 of %2 usable on the fullest rank"_s.arg(
                        gibText(row.layout.memoryBytes), gibFigure(row.layout.usableBytes));
                }),
        column(
            u"Step"_s, [](const LayoutRow& row) { return EstimateText::time(row.layout.stepSeconds); },
            [](const LayoutRow& row) { return row.layout.stepSeconds; }, {}, {}, true),
        column(
            u"Tokens/s"_s, [](const LayoutRow& row) { return EstimateText::rate(row.layout.tokensPerSecond); },
            [](const LayoutRow& row) { return row.layout.tokensPerSecond; }, {}, {}, true),
        column(
            u"MFU"_s, [](const LayoutRow& row) { return shareText(row.layout.mfu); },
            [](const LayoutRow& row) { return row.layout.mfu; }, {}, {}, true),
        column(
            u"Cost"_s,
            [](const LayoutRow& row) {
                return row.layout.cost ? humanNumber(*row.layout.cost, *row.layout.cost < 100 ? 2 : 0) : u"–"_s;
            },
            [](const LayoutRow& row) { return row.layout.cost.value_or(-1); }, {}, {}, true),
        column(
            u"Verdict"_s, [](const LayoutRow& row) { return EstimateText::verdict(row.layout.verdict); },
            [](const LayoutRow& row) { return int(row.layout.verdict); },
            [](const LayoutRow& row) { return toneOf(row.layout.verdict); }),
        column(
            u"Why"_s, [](const LayoutRow& row) { return row.layout.why; }, {},
            [](const LayoutRow&) { return Tone::Plain; }, [](const LayoutRow& row) { return row.layout.why; })};
}

} // namespace

QString idOf(const Candidate& layout)
{
    const Layout& l = layout.layout;
    return u"%1/%2x%3/%4.%5.%6.%7/%8x%9"_s.arg(toText(layout.strategy))
               .arg(l.nodes)
               .arg(l.gpusPerNode)
               .arg(l.data)
               .arg(l.tensor)
               .arg(l.pipeline)
               .arg(l.context)
               .arg(l.microBatch)
               .arg(l.accumulation)
        + u"/%1.%2.%3.%4"_s.arg(int(layout.recompute)).arg(int(layout.offload)).arg(l.virtualStages).arg(l.shardGroup)
        + u"/%1.%2.%3.%4"_s.arg(l.expert).arg(l.expertTensor).arg(l.firstLayers).arg(l.lastLayers) + u'/'
        + layout.cluster + u'/' + layout.partition;
}

Tone toneOf(FitVerdict verdict)
{
    switch (verdict) {
    case FitVerdict::Fits: return Tone::Good;
    case FitVerdict::Probably: return Tone::Quiet; // a tick would promise more
    case FitVerdict::Borderline: return Tone::Warn;
    case FitVerdict::DoesNotFit: break;
    }
    return Tone::Bad;
}

LayoutModel::LayoutModel(QObject* parent)
    : RecordModel<LayoutRow>(
        sizeColumns() + resultColumns(), [](const LayoutRow& row) { return row.id; }, parent)
{ }

QVariant LayoutModel::data(const QModelIndex& index, int role) const
{
    if (role < FirstOwnRole)
        return RecordModel<LayoutRow>::data(index, role);
    const LayoutRow* row = at(index);
    if (!row)
        return {};
    switch (role) {
    case MemoryRole: return row->layout.memoryBytes;
    case UsableRole: return row->layout.usableBytes;
    case CurrentRole: return row->current;
    default: return {};
    }
}

QVariant LayoutModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole) {
        if (section == Gpus)
            return pluralOf(m_gpuWord);
        if (section == Cost && !m_costUnit.isEmpty())
            return m_costUnit;
    }
    return RecordModel<LayoutRow>::headerData(section, orientation, role);
}

void LayoutModel::show(const QList<LayoutRow>& rows, const QString& gpuWord, const QString& costUnit)
{
    if (gpuWord != m_gpuWord || costUnit != m_costUnit) {
        m_gpuWord = gpuWord;
        m_costUnit = costUnit;
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
    assign(rows);
}

} // namespace rankwright::inline tables
