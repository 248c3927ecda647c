// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmapmarks.h"

#include "widgets/base/theme.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QPainter>

namespace rankwright {

namespace {

QPolygonF shapeOf(Alert::Level level, QPointF centre, qreal half)
{
    switch (level) {
    case Alert::Level::Failure: return QPolygonF(QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half));
    case Alert::Level::Warning:
        return {{centre + QPointF(0, -half), centre + QPointF(half, half), centre + QPointF(-half, half)}};
    case Alert::Level::Hint:
    case Alert::Level::Normal: break;
    }
    return {
        {centre + QPointF(0, -half), centre + QPointF(half, 0), centre + QPointF(0, half), centre + QPointF(-half, 0)}};
}

} // namespace

std::optional<GroupKind> groupKindOf(HeatMapOverlay overlay)
{
    switch (overlay) {
    case HeatMapOverlay::Tensor: return GroupKind::Tensor;
    case HeatMapOverlay::Stage: return GroupKind::Stage;
    case HeatMapOverlay::Data: return GroupKind::Data;
    case HeatMapOverlay::Shard: return GroupKind::Shard;
    case HeatMapOverlay::None:
    case HeatMapOverlay::Ranks: break;
    }
    return {};
}

QString toText(HeatMapOverlay overlay)
{
    switch (overlay) {
    case HeatMapOverlay::None: return tr("No overlay");
    case HeatMapOverlay::Ranks: return tr("Ranks");
    case HeatMapOverlay::Tensor: return tr("Tensor groups");
    case HeatMapOverlay::Stage: return tr("Pipeline stages");
    case HeatMapOverlay::Data: return tr("Data groups");
    case HeatMapOverlay::Shard: return tr("Shard groups");
    }
    return {};
}

QColor colourOf(Alert::Level level, const Theme& theme)
{
    switch (level) {
    case Alert::Level::Failure: return theme.colour(Theme::Token::Bad);
    case Alert::Level::Warning: return theme.colour(Theme::Token::Warn);
    case Alert::Level::Hint: return theme.colour(Theme::Token::Accent);
    case Alert::Level::Normal: return theme.colour(Theme::Token::Foreground3);
    }
    return {};
}

void paintMark(QPainter& painter, QPointF centre, qreal size, Alert::Level level, const Theme& theme)
{
    const qreal half = size / 2;
    painter.setPen(QPen(theme.colour(Theme::Token::Panel), 1.5));
    if (level == Alert::Level::Normal) {
        painter.setBrush(theme.colour(Theme::Token::Panel));
        painter.drawEllipse(centre, half, half);
        painter.setPen(QPen(colourOf(level, theme), 1.5));
        painter.drawEllipse(centre, half - 1, half - 1);
        return;
    }
    painter.setBrush(colourOf(level, theme));
    painter.drawPolygon(shapeOf(level, centre, half));
    if (size < 8)
        return;
    painter.setPen(QPen(theme.colour(Theme::Token::Panel), 1.4));
    if (level == Alert::Level::Failure) {
        const qreal arm = half * 0.45;
        painter.drawLine(centre - QPointF(arm, arm), centre + QPointF(arm, arm));
        painter.drawLine(centre - QPointF(arm, -arm), centre + QPointF(arm, -arm));
    } else if (level == Alert::Level::Warning) {
        painter.drawLine(centre + QPointF(0, -half * 0.2), centre + QPointF(0, half * 0.35));
    }
}

void paintPin(QPainter& painter, QPointF head, qreal size, const Theme& theme)
{
    const qreal radius = size / 3;
    painter.setPen(QPen(theme.colour(Theme::Token::Panel), 3));
    painter.drawLine(head, head + QPointF(0, size * 0.75));
    painter.setPen(QPen(theme.colour(Theme::Token::Accent), 1.4));
    painter.drawLine(head, head + QPointF(0, size * 0.75));
    painter.setPen(QPen(theme.colour(Theme::Token::Panel), 1));
    painter.setBrush(theme.colour(Theme::Token::Accent));
    painter.drawEllipse(head, radius, radius);
}

std::optional<Alert::Level> worstMark(const HeatMapMarks& marks, GpuAddress first, int end)
{
    std::optional<Alert::Level> worst;
    for (auto mark = marks.lower_bound(first);
         mark != marks.end() && mark->first.node == first.node && mark->first.gpu < end; ++mark)
        worst = std::max(worst.value_or(mark->second), mark->second);
    return worst;
}

} // namespace rankwright
