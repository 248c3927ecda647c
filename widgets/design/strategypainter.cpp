// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/strategypainter.h"

#include "models/core/quantitytext.h"
#include "models/planner/planning/estimatetext.h"
#include "widgets/base/theme.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;
using L = StrategyLayout;

// Colours of the states are those of the memory bar; forward and backward are distinguished by lightness as well.
constexpr std::array<int, 3> rowColours{0, 4, 2};
constexpr int forwardColour = 0;
constexpr int backwardColour = 1;

/// Whether stages in front of a row are left out.
bool hiddenBefore(const L::PipelineDrawing& drawing, const L::StageRow& row)
{
    return std::any_of(drawing.hiddenStages.begin(), drawing.hiddenStages.end(),
        [&](int index) { return drawing.rows.at(index).stage == row.stage; });
}

/// One painting: carries what every step needs.
class Sketch {
public:
    Sketch(QPainter& painter, const StrategyPicture& picture, int selected, Theme::Scheme scheme)
        : m_painter(painter), m_picture(picture), m_selected(selected), m_scheme(scheme)
    { }

    void paintData(const L::DataDrawing& drawing);
    void paintTensor(const L::TensorDrawing& drawing);
    void paintPipeline(const L::PipelineDrawing& drawing);

private:
    QColor colour(T token) const { return Theme::colour(token, m_scheme); }
    QColor pale(const QColor& strong, double share) const { return Theme::mix(strong, colour(T::Panel), share); }
    QColor rankColour(int shard) const
    {
        return Theme::category(m_picture.order.splitsModel() ? shard / m_picture.order.context : 0);
    }

    void text(const QRectF& box, int flags, const QString& words, const QFont& font, const QColor& foreground)
    {
        m_painter.setFont(font);
        m_painter.setPen(foreground);
        if (flags & Qt::TextWordWrap)
            m_painter.drawText(box, flags, words);
        else
            m_painter.drawText(box, flags, QFontMetricsF(font).elidedText(words, Qt::ElideRight, box.width() + 0.5));
    }
    void panel(const L::Panel& panel, const QString& title, const QString& caption)
    {
        text(panel.title, Qt::AlignLeft | Qt::AlignVCenter, title, Theme::uiFont(12, QFont::DemiBold),
            colour(T::Foreground));
        text(panel.caption, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, caption, Theme::uiFont(11),
            colour(T::Foreground2));
    }
    void hatch(const QRectF& box, const QColor& line);
    void arrow(QPointF from, QPointF to);
    void paintColumn(const L::Column& column);
    void paintRing(const L::DataDrawing& drawing);
    void paintBar(const L::PipelineDrawing& drawing, const L::Bar& bar);
    void paintStage(const L::PipelineDrawing& drawing, const L::StageRow& row);
    void paintCut(const L::PipelineDrawing& drawing);
    void paintLegend(const QRectF& line);

    QPainter& m_painter;
    const StrategyPicture& m_picture;
    int m_selected;
    Theme::Scheme m_scheme;
};

void Sketch::hatch(const QRectF& box, const QColor& line)
{
    m_painter.save();
    m_painter.setClipRect(box, Qt::IntersectClip);
    m_painter.setPen(QPen(line, 1));
    for (double x = box.left() - box.height(); x < box.right(); x += 6)
        m_painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    m_painter.restore();
}

void Sketch::arrow(QPointF from, QPointF to)
{
    m_painter.drawLine(from, to);
    const double direction = to.x() >= from.x() ? 1 : -1;
    m_painter.drawLine(to, to + QPointF(-5 * direction, -3));
    m_painter.drawLine(to, to + QPointF(-5 * direction, 3));
}

void Sketch::paintColumn(const L::Column& column)
{
    const bool selected = m_picture.shardIndex(m_selected) == column.index;
    for (size_t row = 0; row < 3; ++row) {
        if (m_picture.data->whole[row] <= 0)
            continue;
        const QColor strong = Theme::category(rowColours[row]);
        m_painter.setPen(QPen(pale(strong, 0.45), 1));
        m_painter.setBrush(pale(strong, m_scheme != Theme::Scheme::Light ? 0.14 : 0.1));
        m_painter.drawRoundedRect(column.cells[row].adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(strong);
        m_painter.drawRoundedRect(column.slices[row], 2, 2);
    }
    // The rank's own colour, the same as in the node map.
    const QColor own = rankColour(column.index);
    const QFont font = Theme::uiFont(11, QFont::DemiBold);
    const QString name = QString::number(column.index);
    const double width = qMin(column.head.width() - 8, QFontMetricsF(font).horizontalAdvance(name) + 10);
    const QRectF chip(column.head.center().x() - width / 2, column.head.top() + 1, width, column.head.height() - 4);
    m_painter.setBrush(own);
    m_painter.setPen(Qt::NoPen);
    m_painter.drawRoundedRect(chip, 4, 4);
    text(chip, Qt::AlignCenter, name, font, Theme::foregroundOn(own));
    if (selected) {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(colour(T::Foreground), 2));
        m_painter.drawRoundedRect(column.box.adjusted(-2, -1, 2, 2), 4, 4);
    }
}

void Sketch::paintRing(const L::DataDrawing& drawing)
{
    if (drawing.columns.size() < 2)
        return;
    m_painter.setPen(QPen(colour(T::Foreground3), 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    m_painter.setBrush(Qt::NoBrush);
    const double y = drawing.ring.top() + 4;
    for (int i = 1; i < drawing.columns.size(); ++i) {
        const QRectF& from = drawing.columns.at(i - 1).box;
        const QRectF& to = drawing.columns.at(i).box;
        arrow({from.center().x() + 4, y}, {to.center().x() - 4, y});
    }
    // Back from the last to the first: the ring closes.
    const double first = drawing.columns.first().box.center().x();
    const double last = drawing.columns.last().box.center().x();
    QPainterPath path({last, y + 3});
    path.lineTo(last, drawing.ring.bottom() - 4);
    path.quadTo(last, drawing.ring.bottom(), last - 4, drawing.ring.bottom());
    path.lineTo(first + 4, drawing.ring.bottom());
    path.quadTo(first, drawing.ring.bottom(), first, drawing.ring.bottom() - 4);
    path.lineTo(first, y + 4);
    m_painter.drawPath(path);
    m_painter.drawLine(QPointF(first, y + 4), QPointF(first - 3, y + 8));
    m_painter.drawLine(QPointF(first, y + 4), QPointF(first + 3, y + 8));
}

void Sketch::paintData(const L::DataDrawing& drawing)
{
    const StrategyPicture::Data& data = *m_picture.data;
    const QString what = data.sharded[0] ? tr("Weights, gradients, optimiser")
        : data.sharded[1]                ? tr("Gradients, optimiser")
                                         : tr("Optimiser");
    const QString title = !data.sharded[2] ? tr("Every data-parallel rank holds a whole copy")
        : data.groupWord.isEmpty()         ? tr("%1 sharded over %2 ranks").arg(what, humanNumber(data.shardGroup))
                                   : tr("%1 sharded within each %2, copied between %2s").arg(what, data.groupWord);
    panel(drawing.panel, title, data.exchange);
    for (const auto& group : drawing.groups) {
        m_painter.setPen(QPen(colour(T::FieldLine), 1));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(group.box, 5, 5);
        text(group.box.adjusted(6, 1, -4, 0), Qt::AlignLeft | Qt::AlignTop,
            u"%1 %2"_s.arg(data.groupWord).arg(group.index + 1), Theme::uiFont(10), colour(T::Foreground2));
    }
    const std::array<QString, 3> names{tr("weights"), tr("gradients"), tr("optimiser")};
    for (size_t row = 0; row < 3; ++row) {
        const QRectF box = drawing.rowLabels[row];
        if (box.height() < 30) {
            text(box, Qt::AlignLeft | Qt::AlignVCenter, tr("%1 %2").arg(names[row], gibText(data.each[row])),
                Theme::uiFont(11), colour(T::Foreground));
            continue;
        }
        const QRectF upper(box.left(), box.center().y() - 16, box.width(), 16);
        text(upper, Qt::AlignLeft | Qt::AlignVCenter, names[row], Theme::uiFont(12), colour(T::Foreground));
        const QString figure = data.sharded[row] ? tr(box.width() < 110 ? "%1 of %2" : "%1 of %2 each")
                                                       .arg(gibFigure(data.each[row]), gibText(data.whole[row]))
                                                 : tr("%1 each").arg(gibText(data.each[row]));
        text(upper.translated(0, 15), Qt::AlignLeft | Qt::AlignVCenter, figure, Theme::uiFont(11),
            colour(T::Foreground2));
    }
    for (const auto& gap : drawing.gaps) {
        text(gap.box.adjusted(-4, 0, 4, -12), Qt::AlignCenter, u"…"_s, Theme::uiFont(16), colour(T::Foreground2));
        text(gap.box.adjusted(-6, 12, 6, 12), Qt::AlignCenter, humanNumber(gap.hidden), Theme::uiFont(10),
            colour(T::Foreground2));
        text(gap.box.adjusted(-6, 36, 6, 12), Qt::AlignCenter, tr("more"), Theme::uiFont(10), colour(T::Foreground2));
    }
    for (const auto& column : drawing.columns)
        paintColumn(column);
    paintRing(drawing);
}

void Sketch::paintTensor(const L::TensorDrawing& drawing)
{
    const StrategyPicture::Tensor& tensor = *m_picture.tensor;
    panel(drawing.panel, tr("Each layer cut across %1 ranks").arg(tensor.ranks), tensor.caption);
    const int own = m_selected >= 0 ? m_picture.tensorIndex(m_selected) : 0;
    for (const auto& matrix : drawing.matrices) {
        const bool attention = matrix.kind == L::MatrixKind::Qkv || matrix.kind == L::MatrixKind::Out;
        const QColor strong = Theme::category(attention ? 0 : 2);
        for (int i = 0; i < matrix.slices.size(); ++i) {
            const bool mine = matrix.owners.at(i) == own;
            m_painter.setPen(QPen(colour(T::Panel), 1));
            m_painter.setBrush(mine ? strong : pale(strong, i % 2 == 0 ? 0.3 : 0.2));
            m_painter.drawRect(matrix.slices.at(i));
            const QRectF& slice = matrix.slices.at(i);
            if (slice.width() >= 14 && slice.height() >= 12)
                text(slice, Qt::AlignCenter, QString::number(matrix.owners.at(i)),
                    Theme::uiFont(10, mine ? QFont::Bold : QFont::Normal),
                    mine ? Theme::foregroundOn(strong) : colour(T::Foreground));
        }
        QString name;
        switch (matrix.kind) {
        case L::MatrixKind::Qkv: name = tr("Q K V"); break;
        case L::MatrixKind::Out: name = tr("out"); break;
        case L::MatrixKind::Up: name = tensor.gated ? tr("gate, up") : tr("up"); break;
        case L::MatrixKind::Down: name = tr("down"); break;
        }
        text(matrix.label, Qt::AlignHCenter | Qt::AlignTop, name, Theme::uiFont(11), colour(T::Foreground2));
    }
}

void Sketch::paintStage(const L::PipelineDrawing& drawing, const L::StageRow& row)
{
    const auto& stage = m_picture.pipeline->stages.at(row.stage);
    const bool selected = m_picture.stageIndex(m_selected) == row.stage;
    QString name = tr("layers %1–%2").arg(stage.firstLayer).arg(stage.lastLayer);
    if (stage.lastLayer <= stage.firstLayer)
        name = tr("layer %1").arg(stage.firstLayer);
    if (hiddenBefore(drawing, row))
        name.prepend(u"… "_s);
    const bool tall = row.lane.height() >= 27 && !stage.extra.isEmpty();
    const QFont font = Theme::uiFont(11, selected ? QFont::DemiBold : QFont::Normal);
    text(tall ? row.label.adjusted(0, 0, 0, -row.label.height() / 2 + 2) : row.label, Qt::AlignLeft | Qt::AlignVCenter,
        name, font, colour(T::Foreground));
    if (tall)
        text(row.label.adjusted(0, row.label.height() / 2 - 2, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            tr("+ %1").arg(stage.extra), Theme::uiFont(10), colour(T::Foreground2));
    const QRectF lane = row.lane.adjusted(0, 1, 0, -1);
    m_painter.fillRect(lane, colour(T::Background));
    hatch(lane, pale(colour(T::Foreground3), 0.5));
}

void Sketch::paintBar(const L::PipelineDrawing& drawing, const L::Bar& bar)
{
    const PipelinePass& pass = drawing.timeline.passes.at(bar.pass);
    QColor fill = Theme::category(pass.backward ? backwardColour : forwardColour);
    // Chunks of a stage: the later ones a little paler.
    if (pass.chunk > 0)
        fill = pale(fill, qMax(0.45, 1 - 0.22 * pass.chunk));
    const double seam = bar.box.width() > 4 ? 0.5 : 0.2;
    m_painter.fillRect(bar.box.adjusted(seam, 0, -seam, 0), fill);
    const QFont font = Theme::uiFont(10);
    // All numbers of a kind or none.
    const double widest = QFontMetricsF(font).horizontalAdvance(QString::number(drawing.drawn));
    if (widest + 2 < bar.box.width() && bar.box.height() > 11)
        text(bar.box, Qt::AlignCenter, QString::number(pass.microBatch + 1), font, Theme::foregroundOn(fill));
}

void Sketch::paintCut(const L::PipelineDrawing& drawing)
{
    if (drawing.cut.isEmpty())
        return;
    QPainterPath path;
    const QRectF cut = drawing.cut;
    // Torn edges: time is left out here.
    const auto edge = [&cut](double x, bool down) {
        QPolygonF points;
        const int teeth = qMax(4, int(cut.height() / 8));
        for (int i = 0; i <= teeth; ++i) {
            const double y = cut.top() - 2 + (cut.height() + 4) * (down ? i : teeth - i) / teeth;
            points.append({x + (i % 2 == 0 ? -2.5 : 2.5), y});
        }
        return points;
    };
    path.addPolygon(edge(cut.left(), true) + edge(cut.right(), false));
    m_painter.setPen(QPen(colour(T::Panel), 1));
    m_painter.setBrush(colour(T::Panel));
    m_painter.drawPath(path);
    const qint64 hidden = m_picture.pipeline->microBatches - drawing.drawn;
    text(cut, Qt::AlignCenter | Qt::TextWordWrap, tr("%1 more").arg(humanNumber(double(hidden))), Theme::uiFont(11),
        colour(T::Foreground2));
}

void Sketch::paintLegend(const QRectF& line)
{
    const QFont font = Theme::uiFont(11);
    const QFontMetricsF metrics(font);
    double x = line.left();
    const std::array<QString, 3> words{tr("forward"), tr("backward"), tr("waits (bubble)")};
    for (size_t i = 0; i < words.size(); ++i) {
        const QRectF box(x, line.center().y() - 4.5, 14, 9);
        if (i < 2) {
            m_painter.fillRect(box, Theme::category(i == 0 ? forwardColour : backwardColour));
        } else {
            m_painter.fillRect(box, colour(T::Background));
            hatch(box, pale(colour(T::Foreground3), 0.6));
        }
        const double width = metrics.horizontalAdvance(words[i]) + 4;
        text(QRectF(x + 18, line.top(), width, line.height()), Qt::AlignLeft | Qt::AlignVCenter, words[i], font,
            colour(T::Foreground2));
        x += 18 + width + 12;
    }
    const QRectF right(x, line.top(), qMax(0.0, line.right() - x), line.height());
    text(right, Qt::AlignRight | Qt::AlignVCenter, tr("time →"), font, colour(T::Foreground3));
}

void Sketch::paintPipeline(const L::PipelineDrawing& drawing)
{
    const auto& pipeline = *m_picture.pipeline;
    const QString schedule = pipeline.schedule == PipelineSchedule::GPipe ? tr("GPipe")
        : pipeline.virtualStages > 1 ? tr("interleaved 1F1B, %1 chunks").arg(pipeline.virtualStages)
                                     : tr("1F1B");
    panel(drawing.panel, tr("%1 stages, one step over time (%2)").arg(pipeline.stages.size()).arg(schedule),
        pipeline.caption);
    for (const auto& row : drawing.rows)
        paintStage(drawing, row);
    for (const auto& bar : drawing.bars)
        paintBar(drawing, bar);
    paintCut(drawing);
    for (const int row : drawing.hiddenStages) {
        const QRectF& lane = drawing.rows.at(row).lane;
        m_painter.setPen(QPen(colour(T::Foreground3), 1, Qt::DotLine));
        m_painter.drawLine(QPointF(drawing.panel.box.left(), lane.top()), QPointF(lane.right(), lane.top()));
    }
    for (const auto& row : drawing.rows) {
        if (m_picture.stageIndex(m_selected) != row.stage)
            continue;
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(colour(T::Foreground), 2));
        m_painter.drawRoundedRect(row.lane.adjusted(-1, 0, 1, 0), 3, 3);
    }
    paintLegend(drawing.axis);
}

} // namespace

void paintStrategy(QPainter& painter, const StrategyLayout& layout, const StrategyPicture& picture, int selectedRank,
    Theme::Scheme scheme)
{
    painter.setRenderHint(QPainter::Antialiasing);
    Sketch sketch(painter, picture, selectedRank, scheme);
    if (layout.data)
        sketch.paintData(*layout.data);
    if (layout.tensor)
        sketch.paintTensor(*layout.tensor);
    if (layout.pipeline)
        sketch.paintPipeline(*layout.pipeline);
}

} // namespace rankwright
