// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/welcome/welcomepictures.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankwright {

namespace {

using T = Theme::Token;

constexpr QSizeF pictureSize{330, 62};
constexpr int mostDrawn = 256;
constexpr int mostInRows = 32;

void paintBox(QPainter& painter, const QRectF& box, const QColor& colour, double radius = 2)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(box, radius, radius);
}

void paintTick(QPainter& painter, QPointF centre, const QColor& disc, const QColor& tick)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(disc);
    painter.drawEllipse(centre, 9, 9);
    painter.setPen(QPen(tick, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(QPolygonF{centre + QPointF(-4, 0.5), centre + QPointF(-1, 3.5), centre + QPointF(4.5, -3)});
}

void paintPractice(QPainter& painter, const Theme& theme)
{
    const QColor accent = theme.colour(T::Accent);
    painter.setPen(QPen(accent, 1.5));
    painter.setBrush(theme.colour(T::Panel));
    painter.drawRoundedRect(QRectF(1, 5, 92, 50), 6, 6);
    painter.drawLine(QPointF(0, 60), QPointF(100, 60));
    for (int i = 0; i < 16; ++i) {
        const int row = i / 8;
        paintBox(painter, QRectF(11 + 9 * (i % 8), 14 + 18 * row, 7, 14), Theme::category(0));
    }
    painter.setPen(QPen(accent, 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(108, 30), QPointF(130, 30));
    painter.drawPolyline(QPolygonF{QPointF(124, 25), QPointF(130, 30), QPointF(124, 35)});
    painter.setPen(QPen(Theme::mix(accent, theme.colour(T::AccentBackground), 0.5), 1.5));
    painter.drawLine(QPointF(148, 30), QPointF(300, 30));
    painter.setPen(QPen(accent, 1.5));
    painter.setBrush(theme.colour(T::Panel));
    for (int i = 0; i < 6; ++i)
        painter.drawEllipse(QPointF(148 + 26 * i, 30), 5, 5);
    paintTick(painter, QPointF(306, 30), theme.colour(T::Good), theme.colour(T::Panel));
}

void paintFitting(QPainter& painter, const Theme& theme)
{
    for (int package = 0; package < 4; ++package) {
        const QRectF frame(1 + 50 * package, 1, 45, 34);
        painter.setPen(theme.colour(T::FieldLine));
        painter.setBrush(Theme::numaBackground(package, theme.isDark() ? Theme::Scheme::Dark : Theme::Scheme::Light));
        painter.drawRoundedRect(frame, 4, 4);
        for (int die = 0; die < 2; ++die) {
            paintBox(painter, QRectF(frame.left() + 5 + 19 * die, 6, 16, 14), Theme::category(0));
            painter.setPen(QPen(Theme::mix(Theme::category(0), theme.colour(T::Panel), 0.6), 1));
            painter.setBrush(Qt::NoBrush);
            for (int core = 0; core < 4; ++core)
                painter.drawRect(QRectF(frame.left() + 5.5 + 19 * die + 4 * core, 24.5, 3, 6));
        }
    }
    const std::array<std::pair<int, int>, 5> parts{{{5, 0}, {5, 4}, {12, 2}, {62, 1}, {26, 3}}};
    double left = 1;
    for (const auto& [width, category] : parts) {
        painter.fillRect(QRectF(left, 44, width, 11), Theme::category(category));
        left += width + 1;
    }
    painter.setPen(theme.colour(T::FieldLine));
    painter.drawLine(QPointF(left, 49.5), QPointF(196, 49.5));
    painter.setPen(QPen(theme.colour(T::Foreground), 2));
    painter.drawLine(QPointF(197, 40), QPointF(197, 59));
}

void paintWatching(QPainter& painter, const Theme& theme)
{
    const QColor usual = Theme::mix(Theme::category(6), Theme::category(2), 0.8);
    for (int i = 0; i < 16; ++i) {
        const int row = i / 8;
        const QRectF box(1 + 18.5 * (i % 8), 3 + 29.0 * row, 15, 25);
        const bool differs = i == 13;
        paintBox(painter, box, differs ? Theme::category(4) : usual, 3);
        if (differs) {
            painter.setPen(QPen(theme.colour(T::Warn), 2.2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box, 3, 3);
        }
    }
    painter.setPen(theme.colour(T::FieldLine));
    painter.drawPolyline(QPolygonF{QPointF(168, 6), QPointF(168, 56), QPointF(252, 56)});
    QPainterPath loss(QPointF(170, 9));
    for (int x = 1; x <= 80; ++x)
        loss.lineTo(170 + x, 54 - 45 * std::exp(-x / 17.0));
    painter.setPen(QPen(theme.colour(T::Accent), 1.8));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(loss);
}

QColor colourOfStage(int gpu, int gpus, int stages)
{
    return Theme::category(stages <= 1 ? 0 : int(qint64(gpu) * stages / gpus));
}

/// A row for each node, its packages side by side.
void paintRows(QPainter& painter, const QRectF& area, const DesignSummary& design, const Theme& theme)
{
    const int packages = (design.gpusPerNode + design.gpusPerPackage - 1) / design.gpusPerPackage;
    const double gap = 3;
    const double width = std::min(20.0, (area.width() - gap * (packages - 1)) / packages);
    const double height = std::min(17.0, (area.height() - gap * (design.nodes - 1)) / design.nodes);
    const double top = area.center().y() - (height * design.nodes + gap * (design.nodes - 1)) / 2;
    const int all = design.nodes * design.gpusPerNode;
    for (int gpu = 0; gpu < all; ++gpu) {
        const int node = gpu / design.gpusPerNode;
        const int local = gpu % design.gpusPerNode;
        const int die = local % design.gpusPerPackage;
        const int place = local / design.gpusPerPackage;
        const QRectF package(area.left() + place * (width + gap), top + node * (height + gap), width, height);
        if (die == 0) {
            painter.setPen(theme.colour(T::FieldLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(package.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        }
        const double each = (width - 4) / design.gpusPerPackage;
        paintBox(painter, QRectF(package.left() + 2 + each * die, package.top() + 2, each - 1, height - 4),
            colourOfStage(gpu, all, design.stages), 1);
    }
}

void paintField(QPainter& painter, const QRectF& area, const DesignSummary& design)
{
    const qint64 all = qint64(design.nodes) * design.gpusPerNode;
    const int drawn = int(std::min<qint64>(all, mostDrawn));
    const int columns = std::max(1, int(std::ceil(std::sqrt(drawn * area.width() / std::max(1.0, area.height())))));
    const int rows = (drawn + columns - 1) / columns;
    const double cell = std::min(area.width() / columns, area.height() / rows);
    const double top = area.center().y() - cell * rows / 2;
    for (int i = 0; i < drawn; ++i) {
        const int gpu = int(i * all / drawn);
        const int row = i / columns;
        paintBox(painter, QRectF(area.left() + cell * (i % columns), top + cell * row, cell * 0.78, cell * 0.78),
            colourOfStage(gpu, int(all), design.stages), 1);
    }
}

} // namespace

void paintWelcomePicture(QPainter& painter, const QRectF& area, WelcomePicture picture, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(area.topLeft());
    const double scale = std::min(area.width() / pictureSize.width(), area.height() / pictureSize.height());
    painter.scale(scale, scale);
    switch (picture) {
    case WelcomePicture::Practice: paintPractice(painter, theme); break;
    case WelcomePicture::Fitting: paintFitting(painter, theme); break;
    case WelcomePicture::Watching: paintWatching(painter, theme); break;
    }
    painter.restore();
}

void paintDesignPicture(QPainter& painter, const QRectF& area, const DesignSummary& design, const Theme& theme)
{
    if (design.nodes <= 0 || design.gpusPerNode <= 0 || area.width() <= 0 || area.height() <= 0)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (design.nodes <= 4 && design.nodes * design.gpusPerNode <= mostInRows)
        paintRows(painter, area, design, theme);
    else
        paintField(painter, area, design);
    painter.restore();
}

} // namespace rankwright
