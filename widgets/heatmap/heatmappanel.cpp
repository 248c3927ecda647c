// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmappanel.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/heatmap/heatmaplegend.h"

#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QToolButton* makeChoice(const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(name);
    button->setProperty("quiet", true);
    auto* menu = new QMenu(button);
    menu->setToolTipsVisible(true);
    button->setMenu(menu);
    return button;
}

} // namespace

HeatMapPanel::HeatMapPanel(const GpuGrid& grid, QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_pages = new QStackedWidget(this);
    m_map = new HeatMapView(grid, m_pages);
    m_message = makeLabel({}, "quiet", m_pages);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setWordWrap(true);
    m_pages->addWidget(m_map);
    m_pages->addWidget(m_message);
    m_legend = new HeatMapLegend(*m_map, this);
    m_trail = buildTrail();
    column->addWidget(m_trail);
    column->addWidget(m_pages, 1);
    column->addWidget(m_legend);
    buildControls();
    connectMap();
    refresh();
}

void HeatMapPanel::buildControls()
{
    m_controls = new QWidget(this);
    auto* row = new QHBoxLayout(m_controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    QStringList names;
    for (const Measure measure : allMeasures)
        names.append(shortName(measure));
    m_measure = new SegmentedControl(names, m_controls);
    m_measure->setAccessibleName(tr("What the cells show"));
    for (int index = 0; index < m_measure->count(); ++index) {
        m_measure->setSegmentToolTip(
            index, tr("%1: key %2 in the map").arg(toText(allMeasures.at(std::size_t(index)))).arg(index + 1));
    }
    m_order = makeChoice(tr("Order of the nodes"), m_controls);
    m_order->setToolTip(tr("Order of the nodes: key O in the map"));
    m_overlay = makeChoice(tr("What is drawn over the values"), m_controls);
    m_overlay->setToolTip(tr("Ranks and parallel groups over the values: key V in the map"));
    for (const auto& [order, text] : {std::pair{HeatMapView::Order::Place, tr("By place")},
             std::pair{HeatMapView::Order::OutlierScore, tr("Outliers first")}})
        m_order->menu()->addAction(text, m_map, [this, order = order] { m_map->setOrder(order); });
    row->addWidget(m_measure);
    row->addWidget(m_order);
    row->addWidget(m_overlay);
}

QWidget* HeatMapPanel::buildTrail()
{
    auto* trail = new QWidget(this);
    auto* row = new QHBoxLayout(trail);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(8);
    m_back = new QToolButton(trail);
    m_back->setFocusPolicy(Qt::StrongFocus);
    m_back->setProperty("quiet", true);
    m_back->setToolTip(tr("Key Esc in the map"));
    m_where = makeElidedLabel("caption", trail);
    m_fold = new QToolButton(trail);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_fold->setProperty("quiet", true);
    m_fold->setToolTip(tr("Groups of nodes, or every node by itself: key G in the map"));
    row->addWidget(m_back);
    row->addWidget(m_where, 1);
    row->addWidget(m_fold);
    connect(m_back, &QToolButton::clicked, m_map, [this] {
        if (m_map->isZoomed())
            m_map->fit();
        else
            m_map->closeGroup();
    });
    connect(m_fold, &QToolButton::clicked, m_map, [this] {
        m_map->setFold(
            m_map->fold() == HeatMapView::Fold::Groups ? HeatMapView::Fold::Nodes : HeatMapView::Fold::Groups);
    });
    return trail;
}

void HeatMapPanel::connectMap()
{
    connect(m_measure, &SegmentedControl::chosen, this,
        [this](int index) { m_map->setMeasure(allMeasures.at(std::size_t(index))); });
    connect(m_map, &HeatMapView::measureChanged, this, [this](Measure measure) {
        m_measure->setCurrent(int(std::find(allMeasures.begin(), allMeasures.end(), measure) - allMeasures.begin()));
        refreshTrail();
    });
    connect(m_map, &HeatMapView::layoutChanged, this, &HeatMapPanel::refresh);
    connect(m_map, &HeatMapView::outliersScored, this, &HeatMapPanel::refreshTrail);
    connect(m_map, &HeatMapView::orderChanged, this, &HeatMapPanel::refreshChoices);
    connect(m_map, &HeatMapView::overlayChanged, this, &HeatMapPanel::refreshChoices);
    connect(m_map, &HeatMapView::overlayChanged, m_legend, &HeatMapLegend::refresh);
    connect(m_map, &HeatMapView::currentChanged, this, [this] {
        if (m_map->overlay() != HeatMapOverlay::None)
            m_legend->refresh();
        refreshTrail();
    });
    m_measure->setCurrent(0);
}

void HeatMapPanel::setGrid(const GpuGrid& grid)
{
    m_map->setGrid(grid);
    refresh();
}

void HeatMapPanel::setMessage(const QString& message) { m_message->setText(message); }

bool HeatMapPanel::hasCells() const { return m_map->grid().nodeCount() > 0 && m_map->grid().gpusPerNode() > 0; }

int HeatMapPanel::roomiestHeight() const
{
    const int below = m_legend->sizeHint().height() + 6;
    return m_map->roomiestHeight() + below;
}

QList<QWidget*> HeatMapPanel::tabStops() const { return {m_map, m_measure, m_order, m_overlay, m_back, m_fold}; }

void HeatMapPanel::refresh()
{
    const bool any = hasCells();
    m_pages->setCurrentIndex(any ? 0 : 1);
    m_legend->setVisible(any);
    m_controls->setVisible(any);
    m_legend->refresh();
    refreshTrail();
    refreshChoices();
    if (const auto room = any ? std::optional(roomiestHeight()) : std::nullopt; room != m_room) {
        m_room = room;
        emit roomChanged();
    }
}

void HeatMapPanel::refreshTrail()
{
    const bool zoomed = m_map->isZoomed();
    const bool open = !m_map->openGroup().isEmpty();
    m_trail->setVisible(hasCells() && (m_map->canFold() || zoomed));
    if (m_trail->isHidden())
        return;
    m_back->setVisible(zoomed || open);
    m_back->setText(zoomed ? tr("‹ Whole map") : tr("‹ All groups"));
    m_fold->setVisible(m_map->canFold());
    m_fold->setText(m_map->fold() == HeatMapView::Fold::Groups ? tr("Show every node") : tr("Fold into groups"));
    const GpuGrid& grid = m_map->grid();
    QString where;
    if (m_map->isFolded()) {
        where = tr("%1 in %2").arg(nodesText(grid.nodeCount()), counted(m_map->groups().size(), tr("group")));
        if (const std::optional<GpuAddress> current = m_map->current()) {
            for (const HeatMapGroup& group : m_map->groups()) {
                if (group.group.rows.contains(current->node))
                    where += u" · "_s + describeGroup(grid, m_map->field(), group).replace(u'\n', u" · "_s);
            }
        }
    } else if (open) {
        for (const HeatMapGroup& group : m_map->groups()) {
            if (group.group.name == m_map->openGroup())
                where = describeGroup(grid, m_map->field(), group).replace(u'\n', u" · "_s);
        }
    } else {
        where = nodesText(grid.nodeCount()) + u", "_s
            + gpusText(qint64(grid.nodeCount()) * grid.gpusPerNode(), grid.gpuWord());
    }
    m_where->setText(where);
    m_where->setToolTip(richToolTip(where));
}

void HeatMapPanel::refreshChoices()
{
    const bool odd = m_map->order() == HeatMapView::Order::OutlierScore;
    m_order->setText((odd ? tr("Outliers first") : tr("By place")) + u" ▾"_s);
    m_order->setVisible(m_map->grid().nodeCount() > 1);
    m_overlay->setText((m_map->overlay() == HeatMapOverlay::None ? tr("Overlay") : toText(m_map->overlay())) + u" ▾"_s);
    // Cards name the ranks anyway.
    m_overlay->setVisible(m_map->overlays().size() > 2 || m_map->cells().level() != HeatMapLevel::Cards);
    QMenu* menu = m_overlay->menu();
    menu->clear();
    for (const HeatMapOverlay overlay : m_map->overlays()) {
        QAction* action = menu->addAction(toText(overlay), m_map, [this, overlay] { m_map->setOverlay(overlay); });
        action->setCheckable(true);
        action->setChecked(overlay == m_map->overlay());
    }
}

} // namespace rankwright
