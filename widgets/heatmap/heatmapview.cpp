// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmapview.h"

#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapaccessible.h"
#include "widgets/heatmap/heatmapminimap.h"

#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QNativeGestureEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPinchGesture>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace rankwright {

namespace {

constexpr qint64 judgeEveryMs = 1000;

} // namespace

HeatMapView::HeatMapView(const GpuGrid& grid, QWidget* parent) : QAbstractScrollArea(parent), m_grid(&grid)
{
    installHeatMapAccessibility();
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("GPUs of the job"));
    // Every pixel is painted here, so Qt need not draw what is behind for each dirty row.
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->grabGesture(Qt::PinchGesture);
    m_minimap = new HeatMapMinimap(*this);
    connect(&themeOf(this), &Theme::changed, viewport(), [this] { viewport()->update(); });
    connectGrid();
    takeShape();
}

HeatMapView::~HeatMapView() = default;

void HeatMapView::connectGrid()
{
    connect(m_grid, &GpuGrid::shapeChanged, this, &HeatMapView::takeShape);
    connect(m_grid, &GpuGrid::rowsFlushed, this, &HeatMapView::takeFlush);
    connect(m_grid, &GpuGrid::placementChanged, this, [this] {
        updateGroupMembers();
        rearrange();
        emit overlayChanged();
    });
}

void HeatMapView::setGrid(const GpuGrid& grid)
{
    if (m_grid == &grid)
        return;
    disconnect(m_grid, nullptr, this, nullptr);
    m_grid = &grid;
    connectGrid();
    takeShape();
}

void HeatMapView::takeShape()
{
    // Rows are only places: of another job, or the same one told anew, nodes keep their marks by name.
    const QStringList& nodes = m_grid->series().nodes();
    const QStringList before = std::exchange(m_names, nodes);
    const bool same = before.size() <= nodes.size() && std::equal(before.begin(), before.end(), nodes.begin());
    if (!same || before.isEmpty()) {
        const std::optional<GpuAddress> current = std::exchange(m_current, std::nullopt);
        m_marks.clear();
        m_groupMembers.clear();
        m_open.clear();
        m_zoom.reset();
        m_order = OutlierOrder();
        const bool pinned = !m_pins.empty();
        m_pins.clear();
        if (current)
            emit currentChanged(m_current);
        if (pinned)
            emit pinsChanged();
    }
    m_field.rebuild(*m_grid, m_measure, m_ended);
    m_order.update(m_field.nodeScores(), m_grid->nowMs());
    m_judgedMs = m_grid->nowMs();
    const QFontMetrics metrics(Theme::uiFont(13, QFont::DemiBold));
    m_labelWidth = 0;
    for (const QString& node : nodes)
        m_labelWidth = std::max(m_labelWidth, metrics.horizontalAdvance(node));
    if (m_current && (m_current->node >= nodes.size() || m_current->gpu >= m_grid->gpusPerNode()))
        setCurrent({});
    updateScale();
    rearrange();
}

void HeatMapView::setMeasure(Measure measure)
{
    if (m_measure == measure)
        return;
    m_measure = measure;
    m_field.rebuild(*m_grid, measure, m_ended);
    m_order = OutlierOrder();
    m_order.update(m_field.nodeScores(), m_grid->nowMs());
    if (m_wantedOrder == Order::OutlierScore)
        rearrange();
    summarise();
    updateScale();
    viewport()->update();
    m_minimap->refresh();
    emit measureChanged(measure);
    emit scaleChanged();
}

void HeatMapView::setEnded(bool ended)
{
    if (m_ended == ended)
        return;
    m_ended = ended;
    m_field.rebuild(*m_grid, m_measure, ended);
    summarise();
    viewport()->update();
}

void HeatMapView::setMarks(const QList<HeatMapMark>& marks)
{
    HeatMapMarks worst;
    for (const HeatMapMark& mark : marks) {
        const auto [place, added] = worst.emplace(mark.gpu, mark.level);
        if (!added)
            place->second = std::max(place->second, mark.level);
    }
    if (worst == m_marks)
        return;
    for (const HeatMapMarks* touched : {&m_marks, &worst}) {
        for (const auto& [gpu, level] : *touched)
            updateRow(gpu.node);
    }
    m_marks = worst;
    if (isFolded()) // frames of tiles, too
        viewport()->update();
}

void HeatMapView::setStandouts(const QList<GpuAddress>& standouts)
{
    QList<HeatMapMark> marks;
    for (const GpuAddress& gpu : standouts)
        marks.append({gpu, Alert::Level::Warning});
    setMarks(marks);
}

void HeatMapView::setCurrent(std::optional<GpuAddress> current)
{
    if (current && (current->node >= m_grid->nodeCount() || current->gpu >= m_grid->gpusPerNode()))
        current.reset();
    if (m_current == current)
        return;
    const std::optional<GpuAddress> before = std::exchange(m_current, current);
    // What a finding points at must not stay behind a fold: its group is opened, unless all groups are in sight.
    if (current && !m_open.isEmpty() && m_slots.value(current->node, -1) < 0)
        openGroupOf(*current);
    for (const std::optional<GpuAddress>& touched : {before, current}) {
        if (touched)
            updateRow(touched->node);
    }
    if (isFolded())
        viewport()->update();
    updateGroupMembers();
    showCurrent();
    if (current && hasFocus())
        announceHeatMapFocus(*this);
    emit currentChanged(current);
}

void HeatMapView::updateGroupMembers()
{
    std::set<GpuAddress> groupMembers;
    const std::optional<GroupKind> kind = groupKindOf(m_overlay);
    const PlacedRank* place = kind && m_current ? m_grid->placeAt(*m_current) : nullptr;
    if (place) {
        for (const PlacedRank& mate : groupMembersOf(m_grid->placement(), *place, *kind))
            groupMembers.insert(mate.gpu);
    }
    if (groupMembers == m_groupMembers)
        return;
    m_groupMembers = std::move(groupMembers);
    viewport()->update();
}

void HeatMapView::setOverlay(HeatMapOverlay overlay)
{
    if (m_overlay == overlay)
        return;
    m_overlay = overlay;
    updateGroupMembers();
    viewport()->update();
    emit overlayChanged();
}

QList<HeatMapOverlay> HeatMapView::overlays() const
{
    QList<HeatMapOverlay> overlays{HeatMapOverlay::None, HeatMapOverlay::Ranks};
    const QList<GroupKind> kinds = kindsIn(m_grid->placement());
    for (const HeatMapOverlay one :
        {HeatMapOverlay::Tensor, HeatMapOverlay::Stage, HeatMapOverlay::Data, HeatMapOverlay::Shard}) {
        if (kinds.contains(*groupKindOf(one)))
            overlays.append(one);
    }
    return overlays;
}

void HeatMapView::takeFlush(const QList<int>& rows)
{
    m_field.refresh(*m_grid, rows);
    const qint64 now = m_grid->nowMs();
    const bool due = now < m_judgedMs || now - m_judgedMs >= judgeEveryMs;
    // The end of a guessed scale needs a look at every GPU; of many nodes that is for once a second.
    if (due || !canFold())
        updateScale();
    if (due)
        judge();
    updateRows(rows);
}

void HeatMapView::judge()
{
    m_judgedMs = m_grid->nowMs();
    m_field.judge(*m_grid);
    const bool moved = m_order.update(m_field.nodeScores(), m_judgedMs) && m_wantedOrder == Order::OutlierScore;
    if (moved && m_current) {
        // The rows change places, the one that is looked at does not leave the screen.
        const QRect before = cellOnViewport(*m_current);
        rearrange();
        if (viewport()->rect().intersects(before))
            showCurrent();
    } else if (moved) {
        rearrange();
    }
    summarise();
    if (isFolded())
        viewport()->update();
    m_minimap->refresh();
    emit judged();
}

void HeatMapView::updateScale()
{
    const MeasureScale scale = scaleOf(*m_grid, m_measure);
    if (m_scale == scale)
        return;
    m_scale = scale;
    viewport()->update();
    emit scaleChanged();
}

void HeatMapView::updateRows(const QList<int>& rows)
{
    if (m_slots.isEmpty())
        return;
    QRegion dirty;
    const QRect screen = viewport()->rect();
    const QPoint offset = scrolled();
    for (const int row : rows) {
        QRect box;
        if (isFolded())
            box = m_tiles.node(m_places[std::size_t(row)]).adjusted(-2, -2, 2, 2);
        else if (const int slot = m_slots.value(row, -1); slot >= 0)
            box = m_layout.node(slot).adjusted(-4, -4, 4, 4); // ring, outline and signs reach beyond a block
        box.translate(-offset);
        if (!box.isEmpty() && box.intersects(screen))
            dirty += box;
    }
    viewport()->update(dirty);
}

void HeatMapView::updateRow(int row) { updateRows({row}); }

HeatMapScene HeatMapView::scene() const
{
    return {*m_grid, m_field, m_layout, m_rows, themeOf(this), m_marks, m_pins, m_groupMembers, m_measure, m_scale,
        m_ended, m_overlay, {}, false, false};
}

void HeatMapView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    HeatMapScene shown = scene();
    shown.current = m_current;
    shown.focused = hasFocus();
    const QPoint offset = scrolled();
    const QRegion dirty = event->region().translated(offset);
    painter.translate(-offset);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QRect& area : dirty)
        painter.fillRect(area, shown.theme.colour(Theme::Token::Panel));
    qint64 newest = 0;
    if (isFolded())
        paintTiles(painter, dirty, shown, newest);
    else
        paintNodes(painter, dirty, shown, newest);
    painter.end();
    emit painted(newest);
}

void HeatMapView::paintNodes(QPainter& painter, const QRegion& dirty, const HeatMapScene& scene, qint64& newest)
{
    const HeatMapPainter renderer(scene);
    const NodeRange range = m_layout.visibleNodes(dirty.boundingRect());
    for (int slot = range.first; slot <= range.last; ++slot) {
        if (!dirty.intersects(m_layout.node(slot).adjusted(-4, -4, 4, 4)))
            continue;
        renderer.paintNode(painter, slot);
        newest = std::max(newest, newestArrival(*m_grid, m_rows.at(slot)));
    }
}

void HeatMapView::paintTiles(QPainter& painter, const QRegion& dirty, const HeatMapScene& scene, qint64& newest)
{
    const HeatMapTilePainter renderer(scene, m_tiles, m_groups);
    for (int tile = 0; tile < m_tiles.count(); ++tile) {
        if (!dirty.intersects(m_tiles.tile(tile).adjusted(-3, -3, 3, 3)))
            continue;
        renderer.paintTile(painter, tile, dirty);
        for (const int row : m_groups.at(tile).group.rows) {
            if (dirty.intersects(m_tiles.node(m_places[std::size_t(row)])))
                newest = std::max(newest, newestArrival(*m_grid, row));
        }
    }
}

void HeatMapView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void HeatMapView::scrollContentsBy(int dx, int dy)
{
    // With a rectangle the overview stays where it is; its picture moves with the rest and is painted over.
    viewport()->scroll(dx, dy, viewport()->rect());
    if (m_minimap->isHidden())
        return;
    const QRect overview = m_minimap->geometry();
    viewport()->update(QRegion(overview) + overview.translated(dx, dy));
}

} // namespace rankwright

// Hands at HeatMapView: arrows, Home, End, page keys and with Ctrl the first and last GPU; 1 to 6 the measure; + - and
// 0 the zoom; Enter opens a group, Esc goes back; G groups or all nodes; O the order; V the overlay; P pins the GPU,
// Shift+P its node.
namespace rankwright {

using namespace Qt::StringLiterals;

void HeatMapView::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    const std::optional<GpuAddress> hit = cellAt(at);
    if (event->button() == Qt::LeftButton && hit) {
        if (event->modifiers().testFlag(Qt::ControlModifier)) {
            togglePin({hit->node, hit->gpu});
        } else if (isFolded()) {
            const auto& summary = m_groups.at(m_places[std::size_t(hit->node)].tile).summary;
            // The oddest of an odd group is what one comes for; else the GPU that was hit.
            openGroupOf(summary.worst && summary.worstOutlierScore >= GpuMeasure::outlierFrom ? *summary.worst : *hit);
            if (!isFolded())
                setCurrent(
                    summary.worst && summary.worstOutlierScore >= GpuMeasure::outlierFrom ? *summary.worst : *hit);
        } else {
            setCurrent(hit);
        }
    }
    event->accept();
}

void HeatMapView::mouseReleaseEvent(QMouseEvent* event) { event->accept(); }

void HeatMapView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const std::optional<GpuAddress> gpu = byKey ? m_current : cellAt(event->pos());
    if (!gpu)
        return;
    QMenu menu(this);
    fillMenu(menu, *gpu);
    menu.exec(byKey ? viewport()->mapToGlobal(cellOnViewport(*gpu).center()) : event->globalPos());
    event->accept();
}

void HeatMapView::fillMenu(QMenu& menu, GpuAddress gpu)
{
    const QString node = m_grid->series().nodes().value(gpu.node);
    const QString name = u"%1 %2"_s.arg(m_grid->gpuWord()).arg(gpu.gpu);
    const HeatMapPin one{gpu.node, gpu.gpu};
    const HeatMapPin whole{gpu.node};
    menu.addAction(m_pins.contains(one) ? tr("Unpin %1 of %2").arg(name, node) : tr("Pin %1 of %2").arg(name, node),
        this, [this, one] { togglePin(one); });
    menu.addAction(m_pins.contains(whole) ? tr("Unpin node %1").arg(node) : tr("Pin node %1").arg(node), this,
        [this, whole] { togglePin(whole); });
    if (!m_pins.empty())
        menu.addAction(tr("Unpin all"), this, [this] { setPins({}); });
    if (canFold()) {
        menu.addSeparator();
        if (isFolded())
            menu.addAction(tr("Open its group"), this, [this, gpu] { openGroupOf(gpu); });
        else if (!m_open.isEmpty())
            menu.addAction(tr("Back to all groups"), this, &HeatMapView::closeGroup);
    }
}

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
    default:
        if (!pressCommand(event->key(), event->modifiers()))
            QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    moveCurrent(*move);
}

bool HeatMapView::pressCommand(int key, Qt::KeyboardModifiers modifiers)
{
    if (key >= Qt::Key_1 && key <= Qt::Key_6) {
        setMeasure(allMeasures.at(std::size_t(key - Qt::Key_1)));
        return true;
    }
    const QPoint around = m_current && viewport()->rect().intersects(cellOnViewport(*m_current))
        ? cellOnViewport(*m_current).center()
        : viewport()->rect().center();
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(1, around); return true;
    case Qt::Key_Minus: zoom(-1, around); return true;
    case Qt::Key_0: fit(); return true;
    case Qt::Key_O: setOrder(m_wantedOrder == Order::Place ? Order::OutlierScore : Order::Place); return true;
    case Qt::Key_G:
        if (canFold())
            setFold(m_fold == Fold::Groups ? Fold::Nodes : Fold::Groups);
        return canFold();
    case Qt::Key_V: {
        const QList<HeatMapOverlay> all = overlays();
        setOverlay(all.at((all.indexOf(m_overlay) + 1) % all.size()));
        return true;
    }
    case Qt::Key_P:
        if (m_current)
            togglePin(modifiers.testFlag(Qt::ShiftModifier) ? HeatMapPin{m_current->node}
                                                            : HeatMapPin{m_current->node, m_current->gpu});
        return m_current.has_value();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!isFolded() || !m_current)
            return false;
        openGroupOf(*m_current);
        return true;
    case Qt::Key_Escape:
        if (!m_zoom && m_open.isEmpty())
            return false;
        stepBack();
        return true;
    default: return false;
    }
}

void HeatMapView::stepBack()
{
    if (m_zoom)
        fit();
    else
        closeGroup();
}

void HeatMapView::moveCurrent(HeatMapLayout::Move move)
{
    if (m_rows.isEmpty() || m_grid->gpusPerNode() == 0)
        return;
    if (!m_current || m_slots.value(m_current->node, -1) < 0) {
        setCurrent(GpuAddress{m_rows.first(), 0});
        return;
    }
    if (isFolded()) {
        moveTile(move);
        return;
    }
    const GpuAddress from{m_slots.at(m_current->node), m_current->gpu};
    const GpuAddress to = m_layout.moved(from, move, viewport()->height());
    setCurrent(GpuAddress{m_rows.at(to.node), to.gpu});
}

void HeatMapView::moveTile(HeatMapLayout::Move move)
{
    using Move = HeatMapLayout::Move;
    const int count = m_tiles.count();
    const int columns = m_tiles.columns();
    const int from = m_places[std::size_t(m_current->node)].tile;
    const int lineStart = from / columns * columns;
    int to = from;
    switch (move) {
    case Move::Left: to = std::max(lineStart, from - 1); break;
    case Move::Right: to = std::min({lineStart + columns - 1, from + 1, count - 1}); break;
    case Move::Up: to = from >= columns ? from - columns : from; break;
    case Move::Down: to = from + columns < count ? from + columns : from; break;
    case Move::RowStart: to = lineStart; break;
    case Move::RowEnd: to = std::min(lineStart + columns, count) - 1; break;
    case Move::First:
    case Move::PageUp: to = 0; break;
    case Move::Last:
    case Move::PageDown: to = count - 1; break;
    }
    // In a group the eye wants the GPU that differs; where none does, this is its first.
    if (to != from && m_groups.at(to).summary.worst)
        setCurrent(m_groups.at(to).summary.worst);
}

void HeatMapView::wheelEvent(QWheelEvent* event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    constexpr double notch = 120;
    zoomBy(std::pow(1.25, event->angleDelta().y() / notch), event->position().toPoint());
    event->accept();
}

void HeatMapView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (!m_current && !m_rows.isEmpty())
        setCurrent(GpuAddress{m_rows.first(), 0});
    else if (m_current) {
        updateRow(m_current->node);
        announceHeatMapFocus(*this);
    }
    if (isFolded())
        viewport()->update();
}

void HeatMapView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    if (m_current)
        updateRow(m_current->node);
    if (isFolded())
        viewport()->update();
}

bool HeatMapView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (!showTip(help->pos(), help->globalPos()))
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() != Qt::ZoomNativeGesture)
            return QAbstractScrollArea::viewportEvent(event);
        zoomBy(1 + gesture->value(), gesture->position().toPoint());
        return true;
    }
    if (event->type() == QEvent::Gesture) {
        auto* gestures = static_cast<QGestureEvent*>(event);
        if (auto* pinch = static_cast<QPinchGesture*>(gestures->gesture(Qt::PinchGesture))) {
            zoomBy(pinch->scaleFactor(), viewport()->mapFromGlobal(pinch->centerPoint().toPoint()));
            gestures->accept(pinch);
            return true;
        }
    }
    return QAbstractScrollArea::viewportEvent(event);
}

bool HeatMapView::showTip(QPoint at, QPoint global)
{
    const std::optional<GpuAddress> hit = cellAt(at);
    if (!hit)
        return false;
    QString text;
    QRect box = cellOnViewport(*hit);
    if (isFolded()) {
        const int tile = m_places[std::size_t(hit->node)].tile;
        text = describeGroup(*m_grid, m_field, m_groups.at(tile)) + u"\n\n"_s;
        box = box.isEmpty() ? m_tiles.tile(tile) : box;
    }
    text += describeGpu(*m_grid, *hit, m_ended);
    // Escaped: node and GPU names come from the cluster and must not be read as markup.
    QToolTip::showText(global, u"<p style='white-space:pre'>%1</p>"_s.arg(text.toHtmlEscaped()), viewport(), box);
    return true;
}

void HeatMapView::placeMinimap() { m_minimap->place(); }

} // namespace rankwright
