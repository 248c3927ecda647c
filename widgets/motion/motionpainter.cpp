// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/motion/motionpainter.h"

#include <QHash>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace rankwright {

namespace {

using T = Theme::Token;

constexpr int labelPixels = 11;
constexpr double arrowHead = 7;

double between(double from, double to, double share) { return from + (to - from) * share; }

QRectF between(const QRectF& from, const QRectF& to, double share)
{
    return {between(from.x(), to.x(), share), between(from.y(), to.y(), share),
        between(from.width(), to.width(), share), between(from.height(), to.height(), share)};
}

/// One painting: sheet units to pixels, and the theme.
class Sketch {
public:
    Sketch(QPainter& painter, const QRectF& sheet, const Theme& theme)
        : m_painter(painter), m_sheet(sheet), m_theme(theme), m_x(sheet.width() / motionSheet.width()),
          m_y(sheet.height() / motionSheet.height())
    { }

    void box(const MotionBox& box, double seen);
    void arrow(const MotionArrow& arrow, double share);

private:
    QPointF at(QPointF point) const { return m_sheet.topLeft() + QPointF(point.x() * m_x, point.y() * m_y); }
    QRectF at(const QRectF& area) const
    {
        return {at(area.topLeft()), QSizeF(area.width() * m_x, area.height() * m_y)};
    }
    void frame(const MotionBox& box, const QRectF& area);
    void fill(const MotionBox& box, const QRectF& area);
    void label(const MotionBox& box, const QRectF& area);

    QPainter& m_painter;
    QRectF m_sheet;
    const Theme& m_theme;
    double m_x;
    double m_y;
};

void Sketch::box(const MotionBox& box, double seen)
{
    m_painter.save();
    m_painter.setOpacity(seen);
    const QRectF area = at(box.area);
    if (box.role == MotionRole::Rank)
        frame(box, area);
    else if (box.role != MotionRole::Mark)
        fill(box, area);
    label(box, area);
    m_painter.restore();
}

void Sketch::frame(const MotionBox& box, const QRectF& area)
{
    QPen pen(m_theme.colour(T::FieldLine), 1);
    if (box.filled <= 0)
        pen.setStyle(Qt::DashLine);
    m_painter.setPen(pen);
    m_painter.setBrush(m_theme.colour(T::Background));
    m_painter.drawRoundedRect(area, 5, 5);
}

void Sketch::fill(const MotionBox& box, const QRectF& area)
{
    const QColor strong = motionColour(box.role, m_theme);
    const QColor panel = m_theme.colour(T::Panel);
    m_painter.setPen(QPen(Theme::mix(strong, m_theme.colour(T::Foreground), 0.7), 1));
    m_painter.setBrush(Theme::mix(strong, panel, 0.12));
    m_painter.drawRoundedRect(area, 3, 3);
    QRectF there = area;
    there.setWidth(area.width() * qBound(0.0, box.filled, 1.0));
    if (there.width() < 1)
        return;
    m_painter.setPen(Qt::NoPen);
    // What waits is hatched, as everywhere; a backward pass is told from a forward one by its lines too.
    if (box.role == MotionRole::Waiting) {
        m_painter.setBrush(QBrush(m_theme.colour(T::Foreground3), Qt::BDiagPattern));
    } else {
        m_painter.setBrush(Theme::mix(strong, panel, 0.42));
    }
    m_painter.drawRoundedRect(there, 3, 3);
    if (box.role == MotionRole::Backward)
        m_painter.fillRect(QRectF(there.left(), there.bottom() - 3, there.width(), 3), strong);
}

void Sketch::label(const MotionBox& box, const QRectF& area)
{
    if (box.label.isEmpty())
        return;
    QFont font = Theme::uiFont(labelPixels, box.role == MotionRole::Rank ? QFont::DemiBold : QFont::Normal);
    const QFontMetricsF metrics(font);
    // A frame's name stands at its top; everything else is labelled in its middle.
    const bool top = box.role == MotionRole::Rank && area.height() > 3 * metrics.height();
    const QRectF room = top ? QRectF(area.left() + 4, area.top() + 2, area.width() - 8, metrics.height() + 4)
                            : area.adjusted(2, 0, -2, 0);
    if (room.height() < metrics.height() - 3)
        return;
    const QString text = metrics.elidedText(box.label, Qt::ElideRight, room.width());
    // A mark alone says nothing.
    if (text.size() < 2 && box.label.size() > 1)
        return;
    m_painter.setFont(font);
    if (box.role == MotionRole::Waiting) {
        const double width = metrics.horizontalAdvance(text) + 8;
        const QRectF plate(
            room.center().x() - width / 2, room.center().y() - metrics.height() / 2, width, metrics.height());
        m_painter.fillRect(plate, m_theme.colour(T::Panel));
    }
    m_painter.setPen(m_theme.colour(T::Foreground));
    m_painter.drawText(room, Qt::AlignCenter, text);
}

void Sketch::arrow(const MotionArrow& arrow, double share)
{
    const QPointF from = at(arrow.from);
    const QPointF to = at(arrow.to);
    const QColor colour = Theme::mix(motionColour(arrow.role, m_theme), m_theme.colour(T::Foreground), 0.75);
    QPainterPath path(from);
    path.quadTo((from + to) / 2 + QPointF(0, arrow.bend * m_y), to);
    QPen pen(colour, 2, Qt::SolidLine, Qt::RoundCap);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(pen);
    m_painter.drawPath(path);
    const double angle = path.angleAtPercent(0.99) * M_PI / 180;
    const QPointF along(std::cos(angle), -std::sin(angle));
    const QPointF across(along.y(), -along.x());
    QPainterPath head(to);
    head.lineTo(to - along * arrowHead + across * arrowHead / 2);
    head.lineTo(to - along * arrowHead - across * arrowHead / 2);
    head.closeSubpath();
    m_painter.fillPath(head, colour);
    // What travels, on its way.
    if (share >= 1)
        return;
    m_painter.setPen(QPen(m_theme.colour(T::Panel), 1));
    m_painter.setBrush(colour);
    m_painter.drawEllipse(path.pointAtPercent(qBound(0.0, share, 1.0)), 5, 5);
}

} // namespace

QColor motionColour(MotionRole role, const Theme& theme)
{
    // As the memory bar and the picture of the strategy have them.
    switch (role) {
    case MotionRole::Weights:
    case MotionRole::Forward: return Theme::category(0);
    case MotionRole::Activations:
    case MotionRole::Backward: return Theme::category(1);
    case MotionRole::Optimizer: return Theme::category(2);
    case MotionRole::Samples: return Theme::category(3);
    case MotionRole::Gradients: return Theme::category(4);
    case MotionRole::Waiting: return Theme::category(7);
    case MotionRole::Rank:
    case MotionRole::Mark: break;
    }
    return theme.colour(T::Foreground2);
}

void paintMotion(QPainter& painter, const MotionFrame& from, const MotionFrame& to, double share, const QRectF& sheet,
    const Theme& theme)
{
    Sketch sketch(painter, sheet, theme);
    QHash<QString, const MotionBox*> before;
    for (const MotionBox& box : from.boxes)
        before.insert(box.id, &box);
    QHash<QString, const MotionBox*> after;
    for (const MotionBox& box : to.boxes)
        after.insert(box.id, &box);
    for (const MotionBox& box : from.boxes) {
        if (share < 1 && !after.contains(box.id))
            sketch.box(box, 1 - share);
    }
    for (const MotionBox& box : to.boxes) {
        const MotionBox* earlier = before.value(box.id);
        if (share >= 1 || !earlier || earlier->role != box.role) {
            sketch.box(box, earlier ? 1 : share);
            continue;
        }
        MotionBox now = box;
        now.area = between(earlier->area, box.area, share);
        now.filled = between(earlier->filled, box.filled, share);
        sketch.box(now, 1);
    }
    for (const MotionArrow& arrow : to.arrows)
        sketch.arrow(arrow, share);
}

} // namespace rankwright
