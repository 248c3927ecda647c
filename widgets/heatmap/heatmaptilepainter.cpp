// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmaptilepainter.h"

#include "models/core/quantitytext.h"
#include "widgets/base/colourmap.h"
#include "widgets/base/theme.h"
#include "widgets/base/translate.h"
#include "widgets/heatmap/heatmapmarks.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int corner = 6; // radius of a tile's
constexpr int edge = 2; // pixels that its line and outline may reach beyond it
constexpr int leastOdd = 6; // pixels of an outlier, however small its cell

QString spreadText(Measure measure, const FieldSummary& summary)
{
    const QString low = figureOf(measure, double(summary.low));
    const QString high = figureOf(measure, double(summary.high));
    const QString typical = figureWithUnit(measure, double(summary.typical));
    return low == high ? typical : u"%1 (%2–%3)"_s.arg(typical, low, high);
}

QString placeText(const GpuGrid& grid, GpuAddress gpu)
{
    return u"%1 %2 %3"_s.arg(grid.series().nodes().value(gpu.node), grid.gpuWord()).arg(gpu.gpu);
}

} // namespace

QString worstText(const GpuGrid& grid, const GpuMeasure& field, const FieldSummary& summary)
{
    if (!summary.worst || summary.worstOutlierScore < GpuMeasure::outlierFrom)
        return {};
    const GpuCell& cell = field.at(*summary.worst);
    const QString place = placeText(grid, *summary.worst);
    if (summary.worstOutlierScore >= GpuMeasure::silentOutlierScore)
        return tr("%1: no data").arg(place);
    return u"%1: %2"_s.arg(place, figureWithUnit(field.measure(), double(cell.value)));
}

QString describeGroup(const GpuGrid& grid, const GpuMeasure& field, const HeatMapGroup& group)
{
    const FieldSummary& summary = group.summary;
    QStringList lines;
    lines << u"%1: %2"_s.arg(group.group.name, nodesText(group.group.rows.size()));
    lines << (summary.reported > 0 ? toText(field.measure()) + u' ' + spreadText(field.measure(), summary)
                                   : tr("%1 not reported").arg(toText(field.measure())));
    if (summary.silent > 0)
        lines << tr("%1 of %2 silent").arg(summary.silent).arg(gpusText(summary.gpus, grid.gpuWord()));
    if (const QString worst = worstText(grid, field, summary); !worst.isEmpty())
        lines << tr("worst outlier: %1").arg(worst);
    return lines.join(u'\n');
}

HeatMapTilePainter::HeatMapTilePainter(
    const HeatMapScene& scene, const HeatMapTiles& tiles, const QList<HeatMapGroup>& groups)
    : m_scene(scene), m_tiles(tiles), m_groups(groups), m_plain(scene), m_name(Theme::uiFont(11, QFont::Medium)),
      m_small(Theme::uiFont(10))
{ }

int HeatMapTilePainter::step() const
{
    return m_scene.measure == Measure::Power ? std::max(1, m_scene.grid.gpusPerPackage()) : 1;
}

QRect HeatMapTilePainter::faceOf(TilePlace place, int gpu) const
{
    const int last = std::min(gpu + step(), m_scene.field.gpusPerNode()) - 1;
    return m_tiles.cell(place, gpu).united(m_tiles.cell(place, last));
}

void HeatMapTilePainter::paintTile(QPainter& painter, int tile, const QRegion& dirty) const
{
    paintFrame(painter, tile, dirty);
    paintCells(painter, tile, dirty);
    paintOdd(painter, tile);
    // Values come several times a second, words once: mostly only small cells are dirty.
    if (dirty.intersects(m_tiles.name(tile)) || dirty.intersects(m_tiles.figures(tile)) || !m_tiles.hasName())
        paintTexts(painter, tile);
    if (m_scene.current && m_groups.at(tile).group.rows.contains(m_scene.current->node)) {
        painter.setPen(QPen(m_scene.theme.colour(m_scene.focused ? Theme::Token::Accent : Theme::Token::Foreground3),
            m_scene.focused ? 2 : 1.4));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(m_tiles.tile(tile)).adjusted(-1.5, -1.5, 1.5, 1.5), 7, 7);
    }
}

std::optional<Alert::Level> HeatMapTilePainter::levelOf(int tile) const
{
    std::optional<Alert::Level> level;
    for (const auto& [gpu, marked] : m_scene.marks) {
        if (m_groups.at(tile).group.rows.contains(gpu.node))
            level = std::max(level.value_or(marked), marked);
    }
    return level;
}

void HeatMapTilePainter::paintFrame(QPainter& painter, int tile, const QRegion& dirty) const
{
    const QRect whole = m_tiles.tile(tile);
    const QColor line = m_scene.theme.colour(Theme::Token::Line);
    const QColor background = Theme::mix(line, m_scene.theme.colour(Theme::Token::Panel), 0.38);
    // Mostly only cells are new: then the edge, smoothed and costly, stays as it is.
    const QRect inner = whole.adjusted(corner, corner, -corner, -corner);
    const QRegion within = dirty & whole.adjusted(-edge, -edge, edge, edge);
    if (!m_scene.vector && (within - inner).isEmpty()) {
        for (const QRect& part : within)
            painter.fillRect(part, background);
        return;
    }
    const std::optional<Alert::Level> level = levelOf(tile);
    painter.setPen(level ? QPen(colourOf(*level, m_scene.theme), 1.6) : QPen(line, 1));
    painter.setBrush(background);
    painter.drawRoundedRect(QRectF(whole).adjusted(0.5, 0.5, -0.5, -0.5), corner, corner);
}

void HeatMapTilePainter::paintTexts(QPainter& painter, int tile) const
{
    using Token = Theme::Token;
    const HeatMapGroup& group = m_groups.at(tile);
    const QString worst = worstText(m_scene.grid, m_scene.field, group.summary);
    const bool odd = !worst.isEmpty();
    QRect name = m_tiles.name(tile);
    if (const std::optional<Alert::Level> level = levelOf(tile)) {
        const QRect whole = m_tiles.tile(tile);
        paintMark(painter, QPointF(whole.right() - 8, whole.top() + 9), 11, *level, m_scene.theme);
        name.setRight(name.right() - 12);
    }
    if (group.pinned)
        paintPin(painter, QPointF(name.right() - 4, name.top() + 4), 10, m_scene.theme);
    if (m_tiles.hasName())
        paintName(painter, tile, name, odd ? TileLook::Odd : TileLook::Plain);
    if (!m_tiles.hasFigures())
        return;
    const QRect room = m_tiles.figures(tile);
    const Measure measure = m_scene.measure;
    const FieldSummary& summary = group.summary;
    const QString spread = summary.reported > 0 ? spreadText(measure, summary) : tr("not reported");
    QStringList texts;
    if (odd) {
        const GpuAddress gpu = *summary.worst;
        const QString node = m_scene.grid.series().nodes().value(gpu.node);
        const QString value = summary.worstOutlierScore >= GpuMeasure::silentOutlierScore
            ? tr("no data")
            : figureWithUnit(measure, double(m_scene.field.at(gpu).value));
        texts << spread + u" · "_s + worst << u"%1 · %2 %3.%4"_s.arg(spread, value, node).arg(gpu.gpu)
              << u"%1.%2: %3"_s.arg(node).arg(gpu.gpu).arg(value) << u"%1.%2"_s.arg(node).arg(gpu.gpu);
    } else {
        texts << spread << (summary.reported > 0 ? figureWithUnit(measure, double(summary.typical)) : u"–"_s);
    }
    const QFontMetrics metrics(m_small);
    QString shown = metrics.elidedText(texts.last(), Qt::ElideMiddle, room.width());
    for (const QString& text : std::as_const(texts)) {
        if (metrics.horizontalAdvance(text) <= room.width()) {
            shown = text;
            break;
        }
    }
    painter.setFont(m_small);
    painter.setPen(m_scene.theme.colour(odd ? Token::Warn : Token::Foreground3));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
}

void HeatMapTilePainter::paintName(QPainter& painter, int tile, QRect room, TileLook look) const
{
    const bool odd = look == TileLook::Odd;
    const HeatMapGroup& group = m_groups.at(tile);
    const Measure measure = m_scene.measure;
    if (!m_tiles.hasFigures()) { // the one figure that matters most shares the line
        const FieldSummary& summary = group.summary;
        QString figure = summary.reported > 0 ? figureOf(measure, double(summary.typical)) : u"–"_s;
        if (odd)
            figure = summary.worstOutlierScore >= GpuMeasure::silentOutlierScore
                ? tr("silent")
                : u"▸ "_s + figureOf(measure, double(m_scene.field.at(*summary.worst).value));
        painter.setFont(m_small);
        painter.setPen(m_scene.theme.colour(odd ? Theme::Token::Warn : Theme::Token::Foreground3));
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, figure);
        room.setRight(room.right() - QFontMetrics(m_small).horizontalAdvance(figure) - 6);
    }
    painter.setFont(m_name);
    painter.setPen(m_scene.theme.colour(Theme::Token::Foreground2));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(m_name).elidedText(group.group.name, Qt::ElideLeft, room.width()));
}

void HeatMapTilePainter::paintCells(QPainter& painter, int tile, const QRegion& dirty) const
{
    const QList<int>& rows = m_groups.at(tile).group.rows;
    const QColor panel = m_scene.theme.colour(Theme::Token::Panel);
    for (int index = 0; index < rows.size(); ++index) {
        const TilePlace place{tile, index};
        const QRect node = m_tiles.node(place);
        if (!dirty.intersects(node))
            continue;
        for (int gpu = 0; gpu < m_scene.field.gpusPerNode(); gpu += step()) {
            const QRect face = faceOf(place, gpu);
            const bool seam = face.width() >= 4 && face.height() >= 4;
            if (seam)
                painter.fillRect(face, panel);
            m_plain.paintPlain(
                painter, seam ? face.adjusted(0, 0, -1, -1) : face, m_scene.field.at({rows.at(index), gpu}));
        }
    }
}

void HeatMapTilePainter::paintOdd(QPainter& painter, int tile) const
{
    const QList<int>& rows = m_groups.at(tile).group.rows;
    const auto outlined = [&](const QRect& face, const GpuCell& cell, const QColor& rim) {
        const int width = std::max(face.width(), leastOdd);
        const int height = std::max(face.height(), leastOdd);
        const QRect shown(face.center().x() - (width - 1) / 2, face.center().y() - (height - 1) / 2, width, height);
        painter.fillRect(shown.adjusted(-1, -1, 1, 1), rim);
        m_plain.paintPlain(painter, shown, cell);
    };
    for (int index = 0; index < rows.size(); ++index) {
        const int row = rows.at(index);
        if (m_scene.field.nodeScores()[std::size_t(row)] < GpuMeasure::outlierFrom && m_scene.groupMembers.empty())
            continue;
        for (int gpu = 0; gpu < m_scene.field.gpusPerNode(); gpu += step()) {
            const GpuCell& cell = m_scene.field.at({row, gpu});
            if (m_scene.field.isOutlier({row, gpu}) && cell.outlierScore < GpuMeasure::silentOutlierScore)
                outlined(faceOf({tile, index}, gpu), cell, m_scene.theme.colour(Theme::Token::Foreground));
            else if (m_scene.groupMembers.contains({row, gpu}))
                outlined(faceOf({tile, index}, gpu), cell, m_scene.theme.colour(Theme::Token::Accent));
        }
    }
}

} // namespace rankwright
