// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmapmarks.h"
#include "widgets/heatmappainter.h"
#include "widgets/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

// What HeatMapPainter draws over the measure's colours: groups, mates, alerts, pins, the current GPU.
namespace rankwright {

namespace {

constexpr int ringDistance = 2;

} // namespace

QRect HeatMapPainter::faceOf(int slot, int gpu) const
{
    if (!mergesDies())
        return m_scene.layout.cell({slot, gpu});
    const int perPackage = m_scene.layout.shape().gpusPerPackage;
    const int first = gpu / perPackage * perPackage;
    const int last = std::min(first + perPackage, m_scene.layout.shape().gpusPerNode) - 1;
    return m_scene.layout.cell({slot, first}).united(m_scene.layout.cell({slot, last}));
}

void HeatMapPainter::paintGroup(QPainter& painter, const QRect& rect, GpuAddress gpu) const
{
    const std::optional<GroupKind> kind = groupKindOf(m_scene.overlay);
    const PlacedRank* place = kind ? m_scene.grid.placeAt(gpu) : nullptr;
    const std::optional<int> group = place ? place->groupOf(*kind) : std::nullopt;
    if (!group)
        return;
    const QColor colour = Theme::category(*group);
    const int bar = hasCards() ? 5 : isDense() ? (rect.height() >= 8 ? 3 : 0) : 4;
    if (bar == 0)
        return;
    painter.fillRect(QRect(rect.left(), rect.bottom() + 1 - bar, rect.width(), bar), colour);
    // A hairline keeps the group's colour apart from the measure's.
    painter.fillRect(QRect(rect.left(), rect.bottom() - bar, rect.width(), 1), m_panel);
    if (!hasCards())
        return;
    const QString number = QString::number(*group);
    const int width = QFontMetrics(m_small).horizontalAdvance(number) + 8;
    const QRect badge(rect.left() - 2, rect.top() - 2, width, 14);
    painter.setPen(QPen(m_panel, 1));
    painter.setBrush(colour);
    painter.drawRoundedRect(badge, 4, 4);
    painter.setFont(m_small);
    painter.setPen(Theme::inkOn(colour));
    painter.drawText(badge, Qt::AlignCenter, number);
}

void HeatMapPainter::paintSigns(QPainter& painter, Line line) const
{
    const HeatMapLayout& layout = m_scene.layout;
    const int gpus = layout.shape().gpusPerNode;
    const int perPackage = layout.shape().gpusPerPackage;
    for (auto mate = m_scene.mates.lower_bound({line.row, 0});
         mate != m_scene.mates.end() && mate->node == line.row && mate->gpu < gpus; ++mate) {
        painter.setPen(QPen(m_ink, hasCards() ? 2 : 1.4));
        painter.setBrush(Qt::NoBrush);
        const int corner = isDense() ? 1 : radius();
        painter.drawRoundedRect(QRectF(faceOf(line.slot, mate->gpu)).adjusted(-0.5, -0.5, 0.5, 0.5), corner, corner);
    }
    for (auto mark = m_scene.marks.lower_bound({line.row, 0});
         mark != m_scene.marks.end() && mark->first.node == line.row && mark->first.gpu < gpus; ++mark) {
        const QRectF box = layout.package(line.slot, mark->first.gpu / perPackage);
        painter.setPen(QPen(colourOf(mark->second, m_scene.theme), 1.6));
        painter.setBrush(Qt::NoBrush);
        const qreal out = hasCards() ? -0.5 : 1.5;
        painter.drawRoundedRect(box.adjusted(-out, -out, out, out), hasCards() ? 8 : 3, hasCards() ? 8 : 3);
        const QRectF face = faceOf(line.slot, mark->first.gpu);
        const qreal size = hasCards() ? 13 : isDense() ? 7 : 9;
        const qreal inset = hasCards() ? 9 : 0;
        paintMark(painter, face.topRight() + QPointF(-inset, inset), size, mark->second, m_scene.theme);
    }
    for (auto pin = m_scene.pins.lower_bound({line.row, 0});
         pin != m_scene.pins.end() && pin->node == line.row && pin->gpu < gpus; ++pin) {
        const QRectF face = faceOf(line.slot, pin->gpu);
        paintPin(painter, face.topLeft() + QPointF(isDense() ? 1 : 5, isDense() ? 0 : 3), hasCards() ? 12 : 8,
            m_scene.theme);
    }
}

void HeatMapPainter::paintRing(QPainter& painter, Line line) const
{
    const qreal width = m_scene.focused ? 2 : 1.4;
    const QRectF around = QRectF(faceOf(line.slot, m_scene.current->gpu))
                              .adjusted(-ringDistance, -ringDistance, ringDistance, ringDistance);
    painter.setPen(QPen(m_scene.focused ? m_accent : m_ink2, width));
    painter.setBrush(Qt::NoBrush);
    const int corner = isDense() ? 2 : radius() + ringDistance;
    painter.drawRoundedRect(around, corner, corner);
}

} // namespace rankwright
