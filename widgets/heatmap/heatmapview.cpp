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
#include <algorithm>
#include <cmath>

namespace rankwright {

namespace {

constexpr qint64 scoreEveryMs = 1000;

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
    updateShape();
}

HeatMapView::~HeatMapView() = default;

void HeatMapView::connectGrid()
{
    connect(m_grid, &GpuGrid::shapeChanged, this, &HeatMapView::updateShape);
    connect(m_grid, &GpuGrid::rowsFlushed, this, &HeatMapView::handleFlush);
    connect(m_grid, &GpuGrid::placementChanged, this, [this] {
        updateGroupMembers();
        updateNodes();
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
    updateShape();
}

void HeatMapView::updateShape()
{
    // Rows are only places: of another job, or the same one reported again, nodes keep their marks by name.
    const QStringList& nodes = m_grid->series().nodes();
    const QStringList before = std::exchange(m_names, nodes);
    const bool same = before.size() <= nodes.size() && std::equal(before.begin(), before.end(), nodes.begin());
    if (!same || before.isEmpty()) {
        const std::optional<GpuAddress> current = std::exchange(m_current, std::nullopt);
        m_marks.clear();
        m_groupMembers.clear();
        const bool pinned = !m_arrangement.pins().empty();
        m_arrangement.forgetNodes();
        if (current)
            emit currentChanged(m_current);
        if (pinned)
            emit pinsChanged();
    }
    m_field.rebuild(*m_grid, m_measure, m_state);
    m_scoredMs = m_grid->nowMs();
    const QFontMetrics metrics(Theme::uiFont(13, QFont::DemiBold));
    m_labelWidth = 0;
    for (const QString& node : nodes)
        m_labelWidth = std::max(m_labelWidth, metrics.horizontalAdvance(node));
    if (m_current && (m_current->node >= nodes.size() || m_current->gpu >= m_grid->gpusPerNode()))
        setCurrent({});
    updateScale();
    updateNodes();
    if (m_arrangement.setScores(m_field.nodeScores(), m_grid->nowMs()))
        showArrangement();
}

void HeatMapView::updateNodes()
{
    const bool many = m_grid->nodeCount() > HeatMapArrangement::foldFrom;
    m_arrangement.setNodes({m_grid->nodeCount(), m_grid->gpusPerNode(), m_grid->gpusPerPackage(), m_labelWidth},
        many ? m_grid->groupsOfNodes() : QList<NodeGroup>());
    showArrangement();
}

void HeatMapView::showArrangement()
{
    m_arrangement.setRoom(viewport()->size());
    m_arrangement.summarise(m_field);
    const QSize beyond = contentSize() - viewport()->size();
    verticalScrollBar()->setRange(0, std::max(0, beyond.height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(std::max(8, cells().lineStep()));
    horizontalScrollBar()->setRange(0, std::max(0, beyond.width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    viewport()->update();
    m_minimap->place();
    const int roomiest = roomiestHeight();
    if (roomiest == m_roomiest && m_shownLevel == cells().level())
        return;
    m_roomiest = roomiest;
    m_shownLevel = cells().level();
    emit layoutChanged();
}

void HeatMapView::setMeasure(Measure measure)
{
    if (m_measure == measure)
        return;
    m_measure = measure;
    m_field.rebuild(*m_grid, measure, m_state);
    m_arrangement.restartScores(m_field.nodeScores(), m_grid->nowMs());
    showArrangement();
    updateScale();
    viewport()->update();
    m_minimap->refresh();
    emit measureChanged(measure);
    emit scaleChanged();
}

void HeatMapView::setEnded(bool ended)
{
    const GridState state = ended ? GridState::Ended : GridState::Running;
    if (m_state == state)
        return;
    m_state = state;
    m_field.rebuild(*m_grid, m_measure, state);
    m_arrangement.summarise(m_field);
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
    if (current && !openGroup().isEmpty() && slotOf(current->node) < 0)
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
    const RankPlace* place = kind && m_current ? m_grid->placeAt(*m_current) : nullptr;
    if (place) {
        for (const RankPlace& mate : groupMembersOf(m_grid->placement(), *place, *kind))
            groupMembers.insert(mate.address());
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

void HeatMapView::handleFlush(const QList<int>& rows)
{
    m_field.refresh(*m_grid, rows);
    const qint64 now = m_grid->nowMs();
    const bool due = now < m_scoredMs || now - m_scoredMs >= scoreEveryMs;
    // The end of a guessed scale needs a look at every GPU; of many nodes that is for once a second.
    if (due || !canFold())
        updateScale();
    if (due)
        updateScores();
    updateRows(rows);
}

void HeatMapView::updateScores()
{
    m_scoredMs = m_grid->nowMs();
    m_field.scoreOutliers(*m_grid);
    const QRect before = m_current ? cellOnViewport(*m_current) : QRect();
    if (m_arrangement.setScores(m_field.nodeScores(), m_scoredMs)) {
        showArrangement();
        // The rows change places, the one in view does not leave the screen.
        if (viewport()->rect().intersects(before))
            showCurrent();
    }
    m_arrangement.summarise(m_field);
    if (isFolded())
        viewport()->update();
    m_minimap->refresh();
    emit outliersScored();
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
    QRegion dirty;
    const QRect screen = viewport()->rect();
    const QPoint offset = scrolled();
    const int beyond = isFolded() ? 2 : 4; // ring, outline and signs reach beyond a block
    for (const int row : rows) {
        QRect box = m_arrangement.nodeRect(row);
        if (!box.isEmpty())
            box.adjust(-beyond, -beyond, beyond, beyond);
        box.translate(-offset);
        if (!box.isEmpty() && box.intersects(screen))
            dirty += box;
    }
    viewport()->update(dirty);
}

void HeatMapView::updateRow(int row) { updateRows({row}); }

HeatMapScene HeatMapView::scene() const
{
    return {*m_grid, m_field, cells(), shownRows(), themeOf(this), m_marks, m_arrangement.pins(), m_groupMembers,
        m_measure, m_scale, m_state, m_overlay, {}, false, false};
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
    const NodeRange range = cells().visibleNodes(dirty.boundingRect());
    for (int slot = range.first; slot < range.end; ++slot) {
        if (!dirty.intersects(cells().node(slot).adjusted(-4, -4, 4, 4)))
            continue;
        renderer.paintNode(painter, slot);
        newest = std::max(newest, newestArrival(*m_grid, shownRows().at(slot)));
    }
}

void HeatMapView::paintTiles(QPainter& painter, const QRegion& dirty, const HeatMapScene& scene, qint64& newest)
{
    const HeatMapTilePainter renderer(scene, tiles(), groups());
    for (int tile = 0; tile < tiles().count(); ++tile) {
        if (!dirty.intersects(tiles().tile(tile).adjusted(-3, -3, 3, 3)))
            continue;
        renderer.paintTile(painter, tile, dirty);
        for (const int row : groups().at(tile).group.rows) {
            if (dirty.intersects(m_arrangement.nodeRect(row)))
                newest = std::max(newest, newestArrival(*m_grid, row));
        }
    }
}

void HeatMapView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    showArrangement();
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

void HeatMapView::setOrder(Order order)
{
    if (this->order() == order)
        return;
    m_arrangement.setOrder(order);
    showArrangement();
    showCurrent();
    emit orderChanged();
}

void HeatMapView::setFold(Fold fold)
{
    if (this->fold() == fold)
        return;
    m_arrangement.setFold(fold);
    showArrangement();
    showCurrent();
    emit layoutChanged();
}

void HeatMapView::openGroupOf(GpuAddress gpu)
{
    if (!m_arrangement.openGroupOf(gpu.node))
        return;
    showArrangement();
    verticalScrollBar()->setValue(0);
    setCurrent(gpu);
    emit layoutChanged();
}

void HeatMapView::closeGroup()
{
    if (openGroup().isEmpty())
        return;
    m_arrangement.closeGroup();
    showArrangement();
    showCurrent();
    emit layoutChanged();
}

void HeatMapView::setPins(const QList<HeatMapPin>& pins)
{
    HeatMapPins kept;
    for (const HeatMapPin& pin : pins) {
        if (pin.node >= 0 && pin.node < m_grid->nodeCount() && pin.gpu.value_or(0) < m_grid->gpusPerNode())
            kept.insert(pin);
    }
    if (kept == m_arrangement.pins())
        return;
    m_arrangement.setPins(kept);
    showArrangement();
    showCurrent();
    emit pinsChanged();
}

void HeatMapView::togglePin(HeatMapPin pin)
{
    QList<HeatMapPin> all = pins();
    if (!all.removeOne(pin))
        all.append(pin);
    setPins(all);
}

void HeatMapView::setLevel(std::optional<HeatMapLevel> level)
{
    m_arrangement.setLevel(level);
    showArrangement();
    showCurrent();
}

void HeatMapView::fit()
{
    m_input.forgetZoomRest();
    setLevel({});
}

void HeatMapView::zoom(int steps, QPoint around)
{
    if (shownRows().isEmpty() || steps == 0)
        return;
    if (isFolded()) { // closer to a group means into it
        const std::optional<GpuAddress> hit = cellAt(around);
        if (steps > 0 && (hit || m_current))
            openGroupOf(hit ? *hit : *m_current);
        return;
    }
    const QSize content = contentSize();
    const bool allInSight = content.width() <= viewport()->width() && content.height() <= viewport()->height();
    if (steps < 0 && allInSight && !openGroup().isEmpty()) { // further away than a whole group: all groups
        closeGroup();
        return;
    }
    const std::optional<GpuAddress> anchor = cells().nearest(around + scrolled());
    if (!m_arrangement.zoom(steps))
        return;
    showArrangement();
    if (anchor) {
        const QPoint centre = cells().cell(*anchor).center();
        horizontalScrollBar()->setValue(centre.x() - around.x());
        verticalScrollBar()->setValue(centre.y() - around.y());
    }
    viewport()->update();
    emit layoutChanged();
}

QPoint HeatMapView::scrolled() const { return {horizontalScrollBar()->value(), verticalScrollBar()->value()}; }

QRect HeatMapView::cellOnViewport(GpuAddress address) const
{
    return m_arrangement.cellRect(address).translated(-scrolled());
}

std::optional<GpuAddress> HeatMapView::cellAt(QPoint onViewport) const
{
    return m_arrangement.cellAt(onViewport + scrolled());
}

void HeatMapView::showCurrent()
{
    const QRect wanted = m_current ? m_arrangement.focusRect(*m_current) : QRect();
    if (wanted.isEmpty())
        return;
    QScrollBar* down = verticalScrollBar();
    if (wanted.top() < down->value())
        down->setValue(wanted.top());
    else if (wanted.bottom() >= down->value() + viewport()->height())
        down->setValue(wanted.bottom() + 1 - viewport()->height());
    QScrollBar* across = horizontalScrollBar();
    if (wanted.left() < across->value())
        across->setValue(wanted.left());
    else if (wanted.right() >= across->value() + viewport()->width())
        across->setValue(wanted.right() + 1 - viewport()->width());
}

void HeatMapView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_input.click(event->position().toPoint(), event->modifiers());
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
    m_input.fillMenu(menu, gpu);
    emit menuFilled(&menu, gpu);
}

void HeatMapView::keyPressEvent(QKeyEvent* event)
{
    if (!m_input.press(*event))
        QAbstractScrollArea::keyPressEvent(event);
}

void HeatMapView::wheelEvent(QWheelEvent* event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    constexpr double notch = 120;
    m_input.zoomBy(std::pow(1.25, event->angleDelta().y() / notch), event->position().toPoint());
    event->accept();
}

void HeatMapView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (!m_current && !shownRows().isEmpty())
        setCurrent(GpuAddress{shownRows().first(), 0});
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
        m_input.showTip(help->pos(), help->globalPos());
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() != Qt::ZoomNativeGesture)
            return QAbstractScrollArea::viewportEvent(event);
        m_input.zoomBy(1 + gesture->value(), gesture->position().toPoint());
        return true;
    }
    if (event->type() == QEvent::Gesture) {
        auto* gestures = static_cast<QGestureEvent*>(event);
        if (auto* pinch = static_cast<QPinchGesture*>(gestures->gesture(Qt::PinchGesture))) {
            m_input.zoomBy(pinch->scaleFactor(), viewport()->mapFromGlobal(pinch->centerPoint().toPoint()));
            gestures->accept(pinch);
            return true;
        }
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace rankwright
