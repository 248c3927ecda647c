// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/strategylayout.h"

#include <algorithm>
#include <cmath>

namespace rankwright {

namespace {

using L = StrategyLayout;

constexpr double gap = 14; // between panels
constexpr double titleHeight = 18;
constexpr double captionHeight = 31; // two lines
constexpr double narrowPanel = 420; // below, a caption takes three
constexpr double headHeight = 18;
constexpr double widestLabel = 132;
constexpr double narrowLabel = 100;
constexpr double narrowestColumn = 24;
constexpr double widestColumn = 74;
constexpr double columnGap = 4;
constexpr double gapWidth = 40;
constexpr double ringHeight = 22;
constexpr double smallestSlice = 3;
constexpr double stageLabel = 104;
constexpr double stepRoom = 5; // pixels of a forward pass, at least
constexpr int mostMicroBatches = 48;

L::Panel panelIn(const QRectF& box)
{
    L::Panel panel{box, box, box};
    panel.title.setHeight(titleHeight);
    const double height = box.width() < narrowPanel ? captionHeight * 1.5 : captionHeight;
    panel.caption.setTop(qMax(box.top() + titleHeight, box.bottom() - height));
    return panel;
}

/// The share of a rank within a cell: a band at its place, high enough to be seen.
QRectF sliceOf(const QRectF& cell, bool sharded, int place, int group)
{
    if (!sharded || group <= 1)
        return cell;
    const double height = std::max(smallestSlice, cell.height() / group);
    const double top = group > 1 ? cell.top() + (cell.height() - height) * place / (group - 1) : cell.top();
    return {cell.left(), top, cell.width(), height};
}

L::DataDrawing layOutData(const StrategyPicture::Data& data, const QRectF& box, int selected)
{
    L::DataDrawing drawing;
    drawing.panel = panelIn(box);
    const double labelWidth = box.width() < narrowPanel ? narrowLabel : widestLabel;
    const double left = box.left() + labelWidth;
    const double room = box.right() - left;
    const double top = box.top() + titleHeight + 4;
    const double groupRoom = data.groupWord.isEmpty() ? 0 : 16;
    const double bottom = drawing.panel.caption.top() - ringHeight - 4;
    const double columnTop = top + groupRoom;
    const double rowHeight = std::max(14.0, (bottom - columnTop - headHeight - 8) / 3);
    const int places = std::max(2, int(room / (narrowestColumn + columnGap)));
    const QList<int> shown = foldedIndices(data.ranks, places, selected);
    int breaks = 0;
    for (int i = 1; i < shown.size(); ++i)
        breaks += shown.at(i) != shown.at(i - 1) + 1 ? 1 : 0;
    const double width
        = std::min(widestColumn, (room - breaks * gapWidth) / std::max<qsizetype>(1, shown.size()) - columnGap);
    double x = left;
    for (int i = 0; i < shown.size(); ++i) {
        const int index = shown.at(i);
        if (i > 0 && index != shown.at(i - 1) + 1) {
            drawing.gaps.append({index - shown.at(i - 1) - 1,
                QRectF(x, columnTop + headHeight, gapWidth - columnGap, 3 * rowHeight + 8)});
            x += gapWidth;
        }
        L::Column column;
        column.index = index;
        column.head = QRectF(x - 6, columnTop, width + 12, headHeight);
        for (size_t row = 0; row < 3; ++row) {
            column.cells[row] = QRectF(x, columnTop + headHeight + double(row) * (rowHeight + 4), width, rowHeight);
            column.slices[row]
                = sliceOf(column.cells[row], data.sharded[row], index % std::max(1, data.shardGroup), data.shardGroup);
        }
        column.box = QRectF(QPointF(x, columnTop), column.cells[2].bottomRight());
        const int group = index / std::max(1, data.shardGroup);
        if (!data.groupWord.isEmpty()) {
            if (drawing.groups.isEmpty() || drawing.groups.last().index != group)
                drawing.groups.append({group, column.box.adjusted(-2, -groupRoom, 2, 3)});
            else
                drawing.groups.last().box.setRight(column.box.right() + 2);
        }
        drawing.columns.append(column);
        x += width + columnGap;
    }
    for (size_t row = 0; row < 3; ++row)
        drawing.rowLabels[row]
            = QRectF(box.left(), columnTop + headHeight + double(row) * (rowHeight + 4), labelWidth - 10, rowHeight);
    if (!drawing.columns.isEmpty())
        drawing.ring = QRectF(left, drawing.columns.first().cells[2].bottom() + 6,
            drawing.columns.last().box.right() - left, ringHeight - 6);
    return drawing;
}

L::Matrix matrixIn(L::MatrixKind kind, const QRectF& box, bool byColumns, int ranks)
{
    L::Matrix matrix;
    matrix.kind = kind;
    matrix.box = box;
    const double length = byColumns ? box.width() : box.height();
    const QList<int> owners = foldedIndices(ranks, std::max(2, int(length / 5)));
    const double part = length / std::max<qsizetype>(1, owners.size());
    for (int i = 0; i < owners.size(); ++i) {
        matrix.owners.append(owners.at(i));
        matrix.slices.append(byColumns ? QRectF(box.left() + i * part, box.top(), part, box.height())
                                       : QRectF(box.left(), box.top() + i * part, box.width(), part));
    }
    return matrix;
}

L::TensorDrawing layOutTensor(const StrategyPicture::Tensor& tensor, const QRectF& box)
{
    L::TensorDrawing drawing;
    drawing.panel = panelIn(box);
    const double top = box.top() + titleHeight + 4;
    const double bottom = drawing.panel.caption.top() - 22;
    const double between = 18;
    // Widths in proportion to the matrices' columns: qkv, out, up (and gate), down.
    const double up = double(tensor.ffn) * (tensor.gated ? 2 : 1);
    const std::array<double, 4> columns{double(tensor.qkv), double(tensor.hidden), up, double(tensor.hidden)};
    const std::array<double, 4> rows{
        double(tensor.hidden), double(tensor.hidden), double(tensor.hidden), double(tensor.ffn)};
    const double sum = std::max(1.0, columns[0] + columns[1] + columns[2] + columns[3]);
    const double tallest = std::max(1.0, *std::max_element(rows.begin(), rows.end()));
    const double scale
        = std::max(1e-9, std::min((box.width() - 3 * between) / sum, std::max(10.0, bottom - top) / tallest));
    double x = box.left();
    const std::array<L::MatrixKind, 4> kinds{
        L::MatrixKind::Qkv, L::MatrixKind::Out, L::MatrixKind::Up, L::MatrixKind::Down};
    for (size_t i = 0; i < 4; ++i) {
        const double width = std::max(12.0, columns[i] * scale);
        const double height = std::clamp(rows[i] * scale, 12.0, std::max(12.0, bottom - top));
        const bool byColumns = i % 2 == 0; // the first of each pair by columns, the second by rows
        auto matrix = matrixIn(kinds[i], QRectF(x, bottom - height, width, height), byColumns, tensor.ranks);
        matrix.label = QRectF(x - between / 2, bottom + 3, width + between, 16);
        matrix.label.moveRight(qMin(matrix.label.right(), box.right() + 6));
        drawing.matrices.append(matrix);
        x += width + between;
    }
    return drawing;
}

void layOutBars(L::PipelineDrawing& drawing, const QList<int>& stages, double perUnit)
{
    for (int i = 0; i < drawing.timeline.passes.size(); ++i) {
        const PipelinePass& pass = drawing.timeline.passes.at(i);
        const auto row = stages.indexOf(pass.stage);
        if (row < 0)
            continue;
        const QRectF lane = drawing.rows.at(row).lane;
        drawing.bars.append(
            {i, QRectF(lane.left() + pass.start * perUnit, lane.top() + 1, pass.length * perUnit, lane.height() - 2)});
    }
}

L::PipelineDrawing layOutPipeline(const StrategyPicture::Pipeline& pipeline, const QRectF& box)
{
    L::PipelineDrawing drawing;
    drawing.panel = panelIn(box);
    const int count = int(pipeline.stages.size());
    drawing.axis = QRectF(box.left() + stageLabel, drawing.panel.caption.top() - 17, box.width() - stageLabel, 15);
    drawing.chart = QRectF(QPointF(drawing.axis.left(), box.top() + titleHeight + 4), drawing.axis.topRight());
    const QList<int> stages = foldedIndices(count, std::max(2, int(drawing.chart.height() / 13)));
    const double lane = std::min(46.0, drawing.chart.height() / std::max<qsizetype>(1, stages.size()));
    for (int i = 0; i < stages.size(); ++i) {
        const double top = drawing.chart.top() + i * lane;
        drawing.rows.append({stages.at(i), QRectF(box.left(), top, stageLabel - 8, lane),
            QRectF(drawing.chart.left(), top, drawing.chart.width(), lane)});
        if (i > 0 && stages.at(i) != stages.at(i - 1) + 1)
            drawing.hiddenStages.append(i);
    }
    drawing.chart.setBottom(drawing.chart.top() + lane * double(stages.size()));
    drawing.axis.moveTop(drawing.chart.bottom() + 3);
    drawing.panel.caption.moveTop(drawing.axis.bottom() + 3);
    // As many micro-batches as leave each pass a few pixels; a multiple of the stages for interleaved schedules.
    const double unit = 1 + pipeline.backwardPerForward;
    const int fitting = int(drawing.chart.width() / (stepRoom * unit)) - (count - 1);
    const qint64 most = std::clamp<qint64>(fitting, std::min(count, 4), mostMicroBatches);
    drawing.drawn = int(std::min(pipeline.microBatches, most));
    if (pipeline.virtualStages > 1 && drawing.drawn > count)
        drawing.drawn -= drawing.drawn % count;
    drawing.timeline = pipelineTimeline(
        pipeline.schedule, count, drawing.drawn, pipeline.virtualStages, pipeline.backwardPerForward);
    const double perUnit = drawing.chart.width() / std::max(1e-9, drawing.timeline.length);
    layOutBars(drawing, stages, perUnit);
    if (drawing.drawn < pipeline.microBatches) {
        const double width = std::min(72.0, drawing.chart.width() / 4);
        drawing.cut
            = QRectF(drawing.chart.center().x() - width / 2, drawing.chart.top(), width, drawing.chart.height());
    }
    return drawing;
}

} // namespace

QList<int> foldedIndices(int count, int places, int wanted)
{
    QList<int> shown;
    if (count <= places) {
        for (int i = 0; i < count; ++i)
            shown.append(i);
        return shown;
    }
    // A gap takes as much room as two.
    const bool extra = wanted >= 0 && wanted < count;
    const int front = std::max(1, places - (extra ? 6 : 3));
    for (int i = 0; i < front; ++i)
        shown.append(i);
    if (extra && wanted >= front && wanted < count - 1)
        shown.append(wanted);
    shown.append(count - 1);
    return shown;
}

std::optional<int> StrategyLayout::dataAt(QPointF point) const
{
    if (!data)
        return {};
    for (const Column& column : data->columns) {
        if (column.box.contains(point))
            return column.index;
    }
    return {};
}

std::optional<int> StrategyLayout::passAt(QPointF point) const
{
    if (!pipeline || pipeline->cut.contains(point))
        return {};
    for (const Bar& bar : pipeline->bars) {
        if (bar.box.contains(point))
            return bar.pass;
    }
    return {};
}

StrategyLayout layOutStrategy(const StrategyPicture& picture, QSizeF room, int selectedIndex)
{
    StrategyLayout layout;
    const bool upper = picture.data || picture.tensor;
    QRectF top(0, 0, room.width(), room.height());
    QRectF bottom = top;
    if (upper && picture.pipeline) {
        top.setHeight((room.height() - gap) * 0.52);
        bottom.setTop(top.bottom() + gap);
    }
    QRectF left = top;
    QRectF right = top;
    if (picture.data && picture.tensor) {
        left.setWidth((room.width() - gap) * 0.5);
        right.setLeft(left.right() + gap);
    }
    if (picture.data)
        layout.data = layOutData(*picture.data, left, selectedIndex);
    if (picture.tensor)
        layout.tensor = layOutTensor(*picture.tensor, picture.data ? right : top);
    if (picture.pipeline)
        layout.pipeline = layOutPipeline(*picture.pipeline, bottom);
    return layout;
}

} // namespace rankwright
