// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmapview.h"

#include "widgets/heatmapaccessible.h"
#include "widgets/heatmappainter.h"
#include "widgets/theme.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <vector>

namespace rankwright {

using namespace Qt::StringLiterals;

HeatMapView::HeatMapView(const GpuGridModel& grid, QWidget* parent) : QAbstractScrollArea(parent), m_grid(grid)
{
    installHeatMapAccessibility();
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("GPUs of the job"));
    // Every pixel is painted here, so Qt need not draw what is behind for each dirty row.
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&grid, &QAbstractItemModel::modelReset, this, [this] {
        m_current.reset();
        m_standouts.clear();
        updateScale();
        relayout();
        emit currentChanged(m_current);
    });
    const auto reshaped = [this] { relayout(); };
    connect(&grid, &QAbstractItemModel::rowsInserted, this, reshaped);
    connect(&grid, &QAbstractItemModel::columnsInserted, this, reshaped);
    connect(&grid, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex& from, const QModelIndex& to) {
        updateScale();
        updateNodes(from.row(), to.row());
    });
    connect(&themeOf(this), &Theme::changed, viewport(), [this] { viewport()->update(); });
    updateScale();
    relayout();
}

void HeatMapView::setMeasure(Measure measure)
{
    if (m_measure == measure)
        return;
    m_measure = measure;
    updateScale();
    viewport()->update();
    emit measureChanged(measure);
    emit scaleChanged();
}

void HeatMapView::setEnded(bool ended)
{
    if (m_ended == ended)
        return;
    m_ended = ended;
    viewport()->update();
}

void HeatMapView::setStandouts(const QList<GpuAddress>& standouts)
{
    if (m_standouts == standouts)
        return;
    const QList<GpuAddress> touched = m_standouts + standouts;
    m_standouts = standouts;
    for (const GpuAddress& address : touched)
        updateNodes(address.node, address.node);
}

void HeatMapView::setCurrent(std::optional<GpuAddress> current)
{
    if (current && (current->node >= m_layout.shape().nodes || current->gpu >= m_layout.shape().gpusPerNode))
        current.reset();
    if (m_current == current)
        return;
    for (const std::optional<GpuAddress>& touched : {m_current, current}) {
        if (touched)
            updateNodes(touched->node, touched->node);
    }
    m_current = current;
    showCurrent();
    if (current && hasFocus())
        announceHeatMapFocus(*this);
    emit currentChanged(current);
}

void HeatMapView::setLevel(std::optional<HeatMapLevel> level)
{
    m_wanted = level;
    relayout();
    showCurrent();
}

QSize HeatMapView::sizeHint() const { return {720, 320}; }

int HeatMapView::roomiestHeight() const { return HeatMapLayout::roomiestHeight(m_layout.shape(), viewport()->width()); }

QRect HeatMapView::cellOnViewport(GpuAddress address) const { return m_layout.cell(address).translated(-scrolled()); }

QPoint HeatMapView::scrolled() const { return {horizontalScrollBar()->value(), verticalScrollBar()->value()}; }

void HeatMapView::updateScale()
{
    const MeasureScale scale = scaleOf(m_grid, m_measure);
    if (m_scale == scale)
        return;
    m_scale = scale;
    viewport()->update();
    emit scaleChanged();
}

void HeatMapView::relayout()
{
    const QFontMetrics metrics(Theme::uiFont(13, QFont::DemiBold));
    int widest = 0;
    for (const QString& node : m_grid.series().nodes())
        widest = std::max(widest, metrics.horizontalAdvance(node));
    const HeatMapShape shape{m_grid.rowCount(), m_grid.columnCount(), m_grid.gpusPerPackage(), widest};
    const HeatMapLevel before = m_layout.level();
    m_layout = HeatMapLayout(shape, viewport()->size(), m_wanted);
    const QSize beyond = m_layout.contentSize() - viewport()->size();
    verticalScrollBar()->setRange(0, std::max(0, beyond.height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(std::max(8, m_layout.lineStep()));
    horizontalScrollBar()->setRange(0, std::max(0, beyond.width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    viewport()->update();
    const int roomiest = roomiestHeight();
    if (roomiest != m_roomiest || before != m_layout.level()) {
        m_roomiest = roomiest;
        emit layoutChanged();
    }
}

void HeatMapView::updateNodes(int first, int last)
{
    const NodeRange visible = m_layout.visibleNodes(viewport()->rect().translated(scrolled()));
    for (int node = std::max(first, visible.first); node <= std::min(last, visible.last); ++node) {
        // The ring and the outline reach 3 px beyond a block.
        viewport()->update(m_layout.node(node).adjusted(-3, -3, 3, 3).translated(-scrolled()));
    }
}

void HeatMapView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    const Theme& theme = themeOf(this);
    const HeatMapScene scene{m_grid, m_layout, theme, m_measure, m_scale, m_ended, m_standouts, m_current, hasFocus()};
    const HeatMapPainter renderer(scene);
    const QPoint offset = scrolled();
    std::vector<int> nodes;
    for (const QRect& dirty : event->region()) {
        painter.fillRect(dirty, theme.colour(Theme::Token::Panel));
        const QRect area = dirty.translated(offset);
        const NodeRange range = m_layout.visibleNodes(area);
        for (int node = range.first; node <= range.last; ++node) {
            if (m_layout.node(node).adjusted(-3, -3, 3, 3).intersects(area))
                nodes.push_back(node);
        }
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    painter.translate(-offset);
    painter.setRenderHint(QPainter::Antialiasing);
    qint64 newest = 0;
    for (const int node : nodes) {
        renderer.paintNode(painter, node);
        newest = std::max(newest, newestArrival(m_grid, node));
    }
    painter.end();
    emit painted(newest);
}

void HeatMapView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void HeatMapView::scrollContentsBy(int dx, int dy) { viewport()->scroll(dx, dy); }

void HeatMapView::mousePressEvent(QMouseEvent* event)
{
    const std::optional<GpuAddress> hit = m_layout.cellAt(event->position().toPoint() + scrolled());
    if (event->button() == Qt::LeftButton && hit)
        setCurrent(hit);
    event->accept();
}

void HeatMapView::mouseReleaseEvent(QMouseEvent* event) { event->accept(); }

void HeatMapView::keyPressEvent(QKeyEvent* event)
{
    using Move = HeatMapLayout::Move;
    const bool whole = event->modifiers().testFlag(Qt::ControlModifier);
    std::optional<Move> move;
    switch (event->key()) {
    case Qt::Key_Left: move = Move::Left; break;
    case Qt::Key_Right: move = Move::Right; break;
    case Qt::Key_Up: move = Move::Up; break;
    case Qt::Key_Down: move = Move::Down; break;
    case Qt::Key_Home: move = whole ? Move::First : Move::RowStart; break;
    case Qt::Key_End: move = whole ? Move::Last : Move::RowEnd; break;
    case Qt::Key_PageUp: move = Move::PageUp; break;
    case Qt::Key_PageDown: move = Move::PageDown; break;
    case Qt::Key_1: setMeasure(Measure::Utilization); return;
    case Qt::Key_2: setMeasure(Measure::Memory); return;
    case Qt::Key_3: setMeasure(Measure::Power); return;
    case Qt::Key_4: setMeasure(Measure::Temperature); return;
    case Qt::Key_Plus: stepLevel(-1); return;
    case Qt::Key_Minus: stepLevel(1); return;
    default: QAbstractScrollArea::keyPressEvent(event); return;
    }
    if (m_layout.shape().nodes == 0)
        return;
    setCurrent(m_current ? m_layout.moved(*m_current, *move, viewport()->height()) : GpuAddress{0, 0});
}

void HeatMapView::stepLevel(int by)
{
    const int level = std::clamp(int(m_layout.level()) + by, int(HeatMapLevel::Cards), int(HeatMapLevel::Dense));
    setLevel(HeatMapLevel(level));
}

void HeatMapView::wheelEvent(QWheelEvent* event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    if (event->angleDelta().y() != 0)
        stepLevel(event->angleDelta().y() > 0 ? -1 : 1);
    event->accept();
}

void HeatMapView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (!m_current && m_layout.shape().nodes > 0)
        setCurrent(GpuAddress{0, 0});
    else if (m_current) {
        updateNodes(m_current->node, m_current->node);
        announceHeatMapFocus(*this);
    }
}

void HeatMapView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    if (m_current)
        updateNodes(m_current->node, m_current->node);
}

bool HeatMapView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::optional<GpuAddress> hit = m_layout.cellAt(help->pos() + scrolled());
    if (!hit) {
        QToolTip::hideText();
        return true;
    }
    // Escaped: node and GPU names come from the cluster and must not be read as markup.
    const QString text = u"<p style='white-space:pre'>%1</p>"_s.arg(describeGpu(m_grid, *hit, m_ended).toHtmlEscaped());
    QToolTip::showText(help->globalPos(), text, viewport(), cellOnViewport(*hit));
    return true;
}

void HeatMapView::showCurrent()
{
    if (!m_current)
        return;
    const QRect cell = m_layout.cell(*m_current).adjusted(-6, -6, 6, 6);
    QScrollBar* down = verticalScrollBar();
    if (cell.top() < down->value())
        down->setValue(cell.top());
    else if (cell.bottom() >= down->value() + viewport()->height())
        down->setValue(cell.bottom() + 1 - viewport()->height());
    QScrollBar* across = horizontalScrollBar();
    if (cell.left() < across->value())
        across->setValue(cell.left());
    else if (cell.right() >= across->value() + viewport()->width())
        across->setValue(cell.right() + 1 - viewport()->width());
}

} // namespace rankwright
