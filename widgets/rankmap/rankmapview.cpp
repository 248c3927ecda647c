// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rankmap/rankmapview.h"

#include "widgets/base/accessiblegrid.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/base/translate.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

class RankMapGrid final : public AccessibleGrid {
public:
    explicit RankMapGrid(const RankMapView& view) : m_view(view) { }

    int rows() const override { return m_view.layoutShown().nodes; }
    int columns() const override { return int(m_view.layoutShown().dies.size()); }
    /// The description's first line names the rank, the rest describes it.
    QString cellText(GridCell cell, QAccessible::Text kind) const override
    {
        const QString summary = m_view.storyOf(spot(cell));
        switch (kind) {
        case QAccessible::Name: return summary.section(u'\n', 0, 0);
        case QAccessible::Description: return summary.section(u'\n', 1).replace(u'\n', u"; "_s);
        case QAccessible::Value: {
            const RankPlace* place = m_view.dataShown().placeAt(spot(cell));
            return place ? QString::number(place->rank) : QString();
        }
        default: return {};
        }
    }
    QString rowText(int row) const override { return tr("node %1").arg(row + 1); }
    QString columnText(int column) const override
    {
        return u"%1 %2"_s.arg(m_view.dataShown().shape.gpu.word).arg(spot({0, column}).gpu);
    }
    QRect cellBox(GridCell cell) const override { return m_view.boxOnViewport(spot(cell)); }
    std::optional<GridCell> cellAt(QPoint point) const override { return cellOf(m_view.spotAt(point)); }
    std::optional<GridCell> current() const override { return cellOf(m_view.selectedSpot()); }

private:
    GpuAddress spot(GridCell cell) const { return {cell.row, m_view.layoutShown().dies.value(cell.column).gpu}; }
    std::optional<GridCell> cellOf(const std::optional<GpuAddress>& at) const
    {
        for (int column = 0; at && column < columns(); ++column) {
            if (m_view.layoutShown().dies.at(column).gpu == at->gpu)
                return GridCell{at->node, column};
        }
        return std::nullopt;
    }

    const RankMapView& m_view;
};

QAccessibleInterface* makeRankMapInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(RankMapView::staticMetaObject.className()))
        return nullptr;
    auto* view = static_cast<RankMapView*>(object);
    return makeGridInterface(*view, std::make_unique<RankMapGrid>(*view));
}

/// Makes every RankMapView a table to assistive tools: nodes are rows, GPUs columns, a cell's name is the rank, its
/// description where the rank runs. Registers a factory once; safe to call often.
void installRankMapAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(&makeRankMapInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

/// Notifies assistive tools that the view's selected GPU has the focus.
void announceRankMapFocus(RankMapView& view) { announceGridFocus(view, RankMapGrid(view)); }

constexpr int margin = 5; // so that the ring of a die at the border is not cut
constexpr int leastHeight = 190;
} // namespace

RankMapView::RankMapView(QWidget* parent) : QAbstractScrollArea(parent)
{
    installRankMapAccessibility();
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Node map"));
    verticalScrollBar()->setSingleStep(24);
}

void RankMapView::setData(const RankMapData& map)
{
    if (map == m_data)
        return; // most edits leave the nodes as they are, and nothing costs as much to paint
    const int rank = selectedRank();
    m_data = map;
    m_marks.hovered.reset();
    m_marks.selected = m_data.spotOf(rank);
    // Few nodes are drawn in full whatever the room: then the room is never less than they need.
    const RankMapLayout least = layOutRankMap(m_data.shape, m_data.nodes, QSizeF(1, 1));
    const bool full = least.detail == RankMapLayout::Detail::Full;
    setMinimumHeight(qMax(leastHeight, full ? int(std::ceil(least.contents.height())) + 2 * margin : 0));
    layOut();
    viewport()->update();
}

void RankMapView::selectRank(int rank)
{
    const auto spot = m_data.spotOf(rank);
    if (spot == m_marks.selected)
        return;
    m_marks.selected = spot;
    if (spot)
        reveal(*spot);
    viewport()->update();
}

int RankMapView::selectedRank() const
{
    const RankPlace* place = m_marks.selected ? m_data.placeAt(*m_marks.selected) : nullptr;
    return place ? place->rank : -1;
}

void RankMapView::layOut()
{
    const auto before = m_layout.detail;
    const QSizeF room = viewport()->size() - QSize(2 * margin, 2 * margin);
    m_layout = layOutRankMap(m_data.shape, m_data.nodes, room);
    const int height = int(std::ceil(m_layout.contents.height())) + 2 * margin;
    const int width = int(std::ceil(m_layout.contents.width())) + 2 * margin;
    verticalScrollBar()->setRange(0, qMax(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    horizontalScrollBar()->setRange(0, qMax(0, width - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    if (m_marks.selected)
        reveal(*m_marks.selected);
    if (m_layout.detail != before)
        emit detailChanged();
}

QPointF RankMapView::toContents(QPointF position) const
{
    return position + QPointF(horizontalScrollBar()->value() - margin, verticalScrollBar()->value() - margin);
}

bool RankMapView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto spot = m_layout.spotAt(toContents(help->pos()));
        if (spot && m_toolTip)
            QToolTip::showText(help->globalPos(), richToolTip(m_toolTip(*spot)), viewport());
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave && m_marks.hovered) {
        m_marks.hovered.reset();
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void RankMapView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    const Theme& theme = themeOf(this);
    painter.fillRect(event->rect(), theme.colour(Theme::Token::Panel));
    const QPointF shift = toContents({});
    painter.translate(-shift);
    m_marks.focused = hasFocus();
    paintRankMap(painter, m_layout, m_data, m_marks, QRectF(event->rect()).translated(shift), theme.scheme());
    painter.resetTransform();
    paintHandle(painter);
    if (hasFocus() && !m_marks.selected) {
        painter.setPen(QPen(theme.colour(Theme::Token::Accent), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
}

void RankMapView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

/// GPUs that the job asks for on the first node.
int RankMapView::gpusUsed() const
{
    const int gpus = int(m_layout.dies.size());
    int used = 0;
    for (int gpu = 0; gpu < gpus && gpu < m_data.rankAt.size(); ++gpu)
        used += m_data.rankAt.at(gpu) >= 0 ? 1 : 0;
    return used;
}

QRect RankMapView::gpuHandle() const
{
    const int used = gpusUsed();
    if (m_layout.detail == RankMapLayout::Detail::Dense || used < 1 || m_layout.dies.size() < 2)
        return {};
    const QRectF die = m_layout.dieBox({0, m_layout.dies.at(used - 1).gpu}).translated(-toContents({}));
    return QRectF(die.right() - 1, die.top(), 7, die.height()).toAlignedRect();
}

void RankMapView::paintHandle(QPainter& painter) const
{
    const QRect handle = gpuHandle();
    if (handle.isEmpty() || (!m_dragging && !m_marks.hovered && !hasFocus()))
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeOf(this).colour(Theme::Token::Panel), 1));
    painter.setBrush(themeOf(this).colour(Theme::Token::Accent));
    painter.drawRoundedRect(QRectF(handle).adjusted(1, 0, -1, 0), 2.5, 2.5);
}

/// As many GPUs as have their middle before the pointer.
void RankMapView::dragTo(QPointF position)
{
    const double x = toContents(position).x();
    int wanted = 0;
    for (const RankMapLayout::Die& die : m_layout.dies)
        wanted += m_layout.dieBox({0, die.gpu}).center().x() < x ? 1 : 0;
    wanted = qBound(1, wanted, int(m_layout.dies.size()));
    if (wanted != gpusUsed())
        emit gpusWanted(wanted, m_drag);
}

void RankMapView::mouseReleaseEvent(QMouseEvent* event)
{
    QAbstractScrollArea::mouseReleaseEvent(event);
    if (!m_dragging)
        return;
    m_dragging = false;
    viewport()->update();
    emit gpusTaken();
}

void RankMapView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && gpuHandle().adjusted(-2, 0, 2, 0).contains(event->position().toPoint())) {
        m_dragging = true;
        ++m_drag;
        return;
    }
    if (const auto spot = m_layout.spotAt(toContents(event->position())))
        select(*spot);
}

void RankMapView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragging) {
        dragTo(event->position());
        return;
    }
    const bool onHandle = gpuHandle().adjusted(-2, 0, 2, 0).contains(event->position().toPoint());
    viewport()->setCursor(onHandle ? Qt::SplitHCursor : Qt::ArrowCursor);
    const auto spot = m_layout.spotAt(toContents(event->position()));
    if (spot == m_marks.hovered)
        return;
    m_marks.hovered = spot;
    viewport()->update();
}

void RankMapView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
        if (m_marks.selected)
            select(m_layout.neighbour(*m_marks.selected, Qt::Key(event->key())));
        else if (m_layout.nodes > 0)
            select({});
        return;
    case Qt::Key_Plus:
    case Qt::Key_Minus: {
        const int wanted = gpusUsed() + (event->key() == Qt::Key_Plus ? 1 : -1);
        if (m_layout.nodes > 0 && wanted >= 1 && wanted <= m_layout.dies.size()) {
            emit gpusWanted(wanted, ++m_drag);
            emit gpusTaken();
        }
        return;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_marks.selected && m_toolTip) {
            const QRectF box = m_layout.dieBox(*m_marks.selected);
            QToolTip::showText(viewport()->mapToGlobal((box.bottomLeft() - toContents({})).toPoint()),
                richToolTip(m_toolTip(*m_marks.selected)), viewport());
        }
        return;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void RankMapView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
    announceRankMapFocus(*this);
}

void RankMapView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void RankMapView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        viewport()->update();
}

void RankMapView::select(GpuAddress spot)
{
    m_marks.selected = spot;
    reveal(spot);
    viewport()->update();
    emit rankSelected(selectedRank());
    // By now the page has described the choice.
    QAccessibleEvent reported(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&reported);
    announceRankMapFocus(*this);
}

QRect RankMapView::boxOnViewport(GpuAddress spot) const
{
    return m_layout.dieBox(spot).translated(-toContents({})).toAlignedRect();
}

void RankMapView::reveal(GpuAddress spot)
{
    const QRectF box = m_layout.dieBox(spot).adjusted(-margin, -margin, margin, margin);
    if (box.isEmpty())
        return;
    auto* bar = verticalScrollBar();
    if (box.top() < bar->value())
        bar->setValue(int(box.top()));
    else if (box.bottom() + margin > bar->value() + viewport()->height())
        bar->setValue(int(box.bottom()) + 2 * margin - viewport()->height());
}

} // namespace rankwright
