// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmapminimap.h"

#include "widgets/base/colourmap.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <vector>

namespace rankwright {

namespace {

constexpr int mostWidth = 168;
constexpr int mostHeight = 120;
constexpr int leastEdge = 28;
constexpr int distance = 10; // from the view's corner

} // namespace

HeatMapMinimap::HeatMapMinimap(HeatMapView& view) : QWidget(view.viewport()), m_view(view)
{
    setAccessibleName(tr("Overview of the map"));
    describeAsTable(*this, [this] { return table(); });
    setToolTip(tr("The whole map: drag the frame to another part"));
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_OpaquePaintEvent); // else the map below would be painted with every refresh
    hide();
}

void HeatMapMinimap::place()
{
    const QSize content = m_view.contentSize();
    const QSize screen = m_view.viewport()->size();
    const bool partly = content.width() > screen.width() * 1.15 || content.height() > screen.height() * 1.15;
    const bool room = screen.width() > 3 * mostWidth && screen.height() > 2 * leastEdge;
    setVisible(partly && room && !content.isEmpty() && !m_view.isFolded());
    if (isHidden())
        return;
    m_scale = std::min(
        double(mostWidth) / content.width(), std::min(double(mostHeight), screen.height() * 0.6) / content.height());
    const QSize size(
        std::max(leastEdge, int(content.width() * m_scale)), std::max(leastEdge, int(content.height() * m_scale)));
    const QRect corner = m_view.viewport()->rect();
    setGeometry(
        QRect(QPoint(corner.right() - size.width() - distance, corner.bottom() - size.height() - distance), size));
    raise();
    refresh();
}

void HeatMapMinimap::refresh()
{
    if (isHidden())
        return;
    const Theme& theme = themeOf(&m_view);
    m_image = QImage(size(), QImage::Format_RGB32);
    m_image.fill(theme.colour(Theme::Token::Panel));
    const GpuMeasure& field = m_view.field();
    const HeatMapLayout& layout = m_view.cells();
    const Ramp ramp = rampOf(field.measure());
    const QRgb silent = theme.colour(Theme::Token::Foreground3).rgb();
    std::vector<float> shown(std::size_t(m_image.width()) * std::size_t(m_image.height()), -1);
    for (int slot = 0; slot < m_view.shownRows().size(); ++slot) {
        const int row = m_view.shownRows().at(slot);
        for (int gpu = 0; gpu < field.gpusPerNode(); ++gpu) {
            const GpuCell& cell = field.at({row, gpu});
            const bool reported = cell.isTrusted() && !std::isnan(cell.value);
            const QRgb colour = reported ? rampColour(ramp, m_view.scale().position(double(cell.value))) : silent;
            const QRect box = layout.cell({slot, gpu});
            const int right = std::min(int(box.right() * m_scale), m_image.width() - 1);
            const int bottom = std::min(int(box.bottom() * m_scale), m_image.height() - 1);
            for (int y = int(box.top() * m_scale); y <= bottom; ++y) {
                for (int x = int(box.left() * m_scale); x <= right; ++x) {
                    float& odd = shown[std::size_t(y) * std::size_t(m_image.width()) + std::size_t(x)];
                    if (cell.outlierScore <= odd)
                        continue;
                    odd = cell.outlierScore;
                    m_image.setPixel(x, y, colour);
                }
            }
        }
    }
    update();
}

/// What is within the frame, and the whole map.
PictureTable HeatMapMinimap::table() const
{
    PictureTable table{{tr("Nodes"), tr("First node"), tr("Last node"), tr("Outliers")}, {}};
    const QRect frame(m_view.scrolled(), m_view.viewport()->size());
    const QStringList& names = m_view.grid().series().nodes();
    const GpuMeasure& field = m_view.field();
    struct Part {
        QStringList nodes;
        int outliers = 0;
    };
    Part inView;
    Part whole;
    for (int slot = 0; slot < m_view.shownRows().size(); ++slot) {
        const int row = m_view.shownRows().at(slot);
        bool isInView = false;
        int outliers = 0;
        for (int gpu = 0; gpu < field.gpusPerNode(); ++gpu) {
            isInView = isInView || m_view.cells().cell({slot, gpu}).intersects(frame);
            outliers += field.isOutlier({row, gpu}) ? 1 : 0;
        }
        for (Part* part : {&whole, isInView ? &inView : nullptr}) {
            if (!part)
                continue;
            part->nodes.append(names.value(row));
            part->outliers += outliers;
        }
    }
    for (const auto& [name, part] : {std::pair(tr("In view"), inView), std::pair(tr("Whole map"), whole)})
        table.rows.append({name,
            {QString::number(part.nodes.size()), part.nodes.value(0), part.nodes.value(part.nodes.size() - 1),
                QString::number(part.outliers)}});
    return table;
}

QRectF HeatMapMinimap::frame() const
{
    const QPointF corner = QPointF(m_view.scrolled()) * m_scale;
    return QRectF(corner, QSizeF(m_view.viewport()->size()) * m_scale) & QRectF(rect());
}

void HeatMapMinimap::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(&m_view);
    QPainter painter(this);
    painter.drawImage(0, 0, m_image);
    QColor veil = theme.colour(Theme::Token::Panel);
    veil.setAlphaF(0.45F);
    const QRegion outside = QRegion(rect()) - QRegion(frame().toAlignedRect());
    for (const QRect& area : outside)
        painter.fillRect(area, veil);
    painter.setPen(QPen(theme.colour(Theme::Token::Line), 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.setPen(QPen(theme.colour(Theme::Token::Accent), 1.6));
    painter.drawRect(frame().adjusted(1, 1, -1, -1));
}

void HeatMapMinimap::moveTo(QPointF point)
{
    const QPointF centre = point / m_scale;
    m_view.horizontalScrollBar()->setValue(int(centre.x()) - m_view.viewport()->width() / 2);
    m_view.verticalScrollBar()->setValue(int(centre.y()) - m_view.viewport()->height() / 2);
}

void HeatMapMinimap::mousePressEvent(QMouseEvent* event)
{
    moveTo(event->position());
    event->accept();
}

void HeatMapMinimap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        moveTo(event->position());
    event->accept();
}

} // namespace rankwright
