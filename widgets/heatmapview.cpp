// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmapview.h"

#include "widgets/heatmapaccessible.h"
#include "widgets/heatmapminimap.h"
#include "widgets/theme.h"

#include <QFontMetrics>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace rankwright {

namespace {

constexpr qint64 judgeEveryMs = 1000;

} // namespace

HeatMapView::HeatMapView(const GpuGridModel& grid, QWidget* parent) : QAbstractScrollArea(parent), m_grid(&grid)
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
    connect(m_grid, &QAbstractItemModel::modelReset, this, &HeatMapView::takeShape);
    connect(m_grid, &QAbstractItemModel::rowsInserted, this, &HeatMapView::takeShape);
    connect(m_grid, &QAbstractItemModel::columnsInserted, this, &HeatMapView::takeShape);
    connect(m_grid, &GpuGridModel::rowsFlushed, this, &HeatMapView::takeFlush);
    connect(m_grid, &GpuGridModel::placementChanged, this, [this] {
        updateMates();
        rearrange();
        emit overlayChanged();
    });
}

void HeatMapView::setGrid(const GpuGridModel& grid)
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
        m_mates.clear();
        m_open.clear();
        m_zoom.reset();
        m_order = OddnessOrder();
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
    if (m_current && (m_current->node >= nodes.size() || m_current->gpu >= m_grid->columnCount()))
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
    m_order = OddnessOrder();
    m_order.update(m_field.nodeScores(), m_grid->nowMs());
    if (m_wantedOrder == Order::Oddness)
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
    if (current && (current->node >= m_grid->rowCount() || current->gpu >= m_grid->columnCount()))
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
    updateMates();
    showCurrent();
    if (current && hasFocus())
        announceHeatMapFocus(*this);
    emit currentChanged(current);
}

void HeatMapView::updateMates()
{
    std::set<GpuAddress> mates;
    const std::optional<GroupKind> kind = groupKindOf(m_overlay);
    const PlacedRank* place = kind && m_current ? m_grid->placeAt(*m_current) : nullptr;
    if (place) {
        for (const PlacedRank& mate : matesOf(m_grid->placement(), *place, *kind))
            mates.insert(mate.gpu);
    }
    if (mates == m_mates)
        return;
    m_mates = std::move(mates);
    viewport()->update();
}

void HeatMapView::setOverlay(HeatMapOverlay overlay)
{
    if (m_overlay == overlay)
        return;
    m_overlay = overlay;
    updateMates();
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
    const bool moved = m_order.update(m_field.nodeScores(), m_judgedMs) && m_wantedOrder == Order::Oddness;
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
    return {*m_grid, m_field, m_layout, m_rows, themeOf(this), m_marks, m_pins, m_mates, m_measure, m_scale, m_ended,
        m_overlay, {}, false, false};
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
