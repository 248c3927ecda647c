// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmaplayout.h"

#include <algorithm>

namespace rankwright {

namespace {

// Pixels. A focus ring is drawn around cells, so content keeps this distance from the viewport's edge.
constexpr int margin = 4;
constexpr int labelGap = 12;

constexpr int cardCellMinHeight = 44; // value and rank
constexpr int cardCellMaxHeight = 88;
constexpr int cardGap = 10;
constexpr int cardPadding = 7;
constexpr int cardCellMin = 45; // "100 %" in 13 px bold
constexpr int cardCellMax = 96;
constexpr int singleCellMax = 160; // a card of one GPU has the room of two dies
constexpr int fewPackages = 2; // so few on a node take the width that there is
constexpr int fewCellMaxHeight = 120;
constexpr int cardCellSlender = 20; // a cell may be this much higher than wide
constexpr int sideWidth = 50; // "137 W" and "of 500"

constexpr int compactCellMin = 31; // "100" in 11 px
constexpr int compactCellMax = 58;
constexpr int compactHeight = 22;
constexpr int compactMaxHeight = 58;

constexpr int denseMin = 8;
constexpr int denseMax = 20;
constexpr int denseLabelMin = 11; // below this a 10 px label is higher than its row

} // namespace

HeatMapLayout::HeatMapLayout(const HeatMapShape& shape, QSize viewport, std::optional<HeatMapLevel> wanted)
    : m_shape(shape)
{
    m_shape.gpusPerPackage = std::max(1, shape.gpusPerPackage);
    if (shape.nodes <= 0 || shape.gpusPerNode <= 0) {
        m_shape.nodes = 0;
        return;
    }
    const auto fits
        = [&] { return contentSize().height() <= viewport.height() && contentSize().width() <= viewport.width(); };
    if (!wanted || *wanted == HeatMapLevel::Cards) {
        layCards(viewport);
        if (wanted || fits())
            return;
    }
    if (!wanted || *wanted == HeatMapLevel::Compact) {
        layCompact(viewport);
        if (wanted || fits())
            return;
    }
    layDense(viewport);
}

HeatMapLayout::HeatMapLayout(const HeatMapShape& shape, QSize viewport, const HeatMapZoom& zoom)
    : HeatMapLayout(shape, viewport, std::optional(zoom.level))
{
    if (m_shape.nodes == 0 || (zoom.banks <= 0 && zoom.cell <= 0))
        return;
    const int banks = std::clamp(zoom.banks > 0 ? zoom.banks : m_banks, 1, m_shape.nodes);
    switch (zoom.level) {
    case HeatMapLevel::Cards:
        if (banks > 1) // in one column cards take the width they find
            zoomCards(banks);
        break;
    case HeatMapLevel::Compact: zoomCompact(banks); break;
    case HeatMapLevel::Dense: zoomDense(viewport, std::max(zoom.cell, 1), banks); break;
    }
}

void HeatMapLayout::zoomCards(int banks)
{
    const int dies = m_shape.gpusPerPackage;
    m_banks = banks;
    m_bankGap = 28;
    m_side = dies > 1 ? sideWidth + m_cellGap : 0;
    m_cellWidth = dies > 1 ? 56 : 72;
    m_cellHeight = 56;
    m_blockHeight = m_cellHeight + 2 * m_padding;
}

void HeatMapLayout::zoomCompact(int banks)
{
    m_banks = banks;
    m_cellWidth = std::max(m_cellWidth, compactCellMin);
    m_blockHeight = std::max(m_blockHeight, compactHeight);
    m_cellHeight = m_blockHeight;
}

void HeatMapLayout::zoomDense(QSize viewport, int size, int banks)
{
    const bool labelled = size >= denseLabelMin;
    tryDense(viewport, size, labelled ? std::clamp(m_shape.labelWidth, 40, 110) + 6 : 0);
    m_cellWidth = size;
    m_cellHeight = size;
    m_blockHeight = size;
    if (size < denseMin) { // gaps would outweigh the cells
        m_cellGap = size > 4 ? 1 : 0;
        m_packageGap = 1;
        m_lineGap = 1;
        m_bankGap = 6;
    }
    const int room = viewport.width() - 2 * margin + m_bankGap;
    const bool fitted = size < denseMin; // smaller than the fitted picture: as many side by side as the width takes
    m_banks = fitted ? std::clamp(room / (blockWidth() + m_bankGap), 1, m_shape.nodes) : banks;
}

void HeatMapLayout::layCards(QSize viewport)
{
    const int dies = m_shape.gpusPerPackage;
    m_level = HeatMapLevel::Cards;
    m_banks = 1;
    const bool few = packages() <= fewPackages;
    const int cellMax = few ? std::max(viewport.width(), cardCellMin) : dies > 1 ? cardCellMax : singleCellMax;
    const int heightMax = few ? fewCellMaxHeight : cardCellMaxHeight;
    m_label = std::clamp(m_shape.labelWidth, 76, 150) + labelGap;
    m_cellGap = 5;
    m_packageGap = cardGap;
    m_padding = cardPadding;
    m_lineGap = cardGap;
    const int room = viewport.width() - 2 * margin - m_label - (packages() - 1) * m_packageGap;
    const int card = room / packages();
    const int inner = card - 2 * m_padding - (dies - 1) * m_cellGap;
    m_side = inner - sideWidth - m_cellGap >= dies * cardCellMin ? sideWidth + m_cellGap : 0;
    m_cellWidth = std::clamp((inner - m_side) / dies, cardCellMin, cellMax);
    if (m_side > 0 && m_cellWidth == cellMax)
        m_side = std::min(inner - dies * m_cellWidth, sideWidth + 34);
    const int share = (viewport.height() - 2 * margin) / m_shape.nodes - m_lineGap - 2 * m_padding;
    m_cellHeight = std::clamp(share, cardCellMinHeight, std::min(heightMax, m_cellWidth + cardCellSlender));
    m_blockHeight = m_cellHeight + 2 * m_padding;
}

void HeatMapLayout::layCompact(QSize viewport)
{
    m_level = HeatMapLevel::Compact;
    m_label = std::clamp(m_shape.labelWidth, 48, 130) + 8;
    m_side = 0;
    m_cellGap = 1;
    m_packageGap = m_shape.gpusPerPackage > 1 ? 4 : 2;
    m_padding = 0;
    m_lineGap = 4;
    m_bankGap = 24;
    m_cellWidth = compactCellMin;
    const int width = viewport.width() - 2 * margin;
    const int most = std::clamp((width + m_bankGap) / (blockWidth() + m_bankGap), 1, m_shape.nodes);
    const int narrow = blockWidth();
    int largest = 0;
    int chosen = most;
    // As many columns of nodes as give the largest cells: a few nodes fill their place, many still fit.
    for (int pass = 0; pass <= most; ++pass) {
        m_banks = pass < most ? pass + 1 : chosen;
        const int spare = (width - m_banks * narrow - (m_banks - 1) * m_bankGap) / (m_banks * m_shape.gpusPerNode);
        m_cellWidth = std::clamp(compactCellMin + spare, compactCellMin, compactCellMax);
        const int share = (viewport.height() - 2 * margin) / lines() - m_lineGap;
        m_blockHeight = std::clamp(share, compactHeight, compactMaxHeight);
        m_cellHeight = m_blockHeight;
        if (pass < most && share >= compactHeight && m_cellWidth * m_cellHeight > largest) {
            largest = m_cellWidth * m_cellHeight;
            chosen = m_banks;
        }
    }
}

bool HeatMapLayout::tryDense(QSize viewport, int size, int label)
{
    m_label = label;
    m_cellWidth = size;
    m_cellHeight = size;
    m_blockHeight = size;
    m_lineGap = size >= 12 ? 4 : 3;
    m_bankGap = size >= 12 ? 20 : 12;
    const int width = viewport.width() - 2 * margin;
    m_banks = std::clamp((width + m_bankGap) / (blockWidth() + m_bankGap), 1, m_shape.nodes);
    if (contentSize().height() > viewport.height())
        return false;
    // What is left below makes the rows higher, so that the picture fills its place.
    const int spare = (viewport.height() - contentSize().height()) / lines();
    m_cellHeight = std::min(size + spare, size * 3 / 2);
    m_blockHeight = m_cellHeight;
    const int across = (width - contentSize().width() + 2 * margin) / (m_banks * m_shape.gpusPerNode);
    m_cellWidth = std::min(size + across, size * 2);
    return true;
}

void HeatMapLayout::layDense(QSize viewport)
{
    m_level = HeatMapLevel::Dense;
    m_side = 0;
    m_padding = 0;
    m_cellGap = 1;
    m_packageGap = 2;
    const int label = std::clamp(m_shape.labelWidth, 40, 110) + 6;
    for (int size = denseMax; size >= denseLabelMin; --size) {
        if (tryDense(viewport, size, label))
            return;
    }
    for (int size = denseMax; size >= denseMin; --size) {
        if (tryDense(viewport, size, 0))
            return;
    }
}

int HeatMapLayout::packages() const
{
    return (m_shape.gpusPerNode + m_shape.gpusPerPackage - 1) / m_shape.gpusPerPackage;
}

int HeatMapLayout::lines() const { return (m_shape.nodes + m_banks - 1) / m_banks; }

int HeatMapLayout::packageWidth() const
{
    return 2 * m_padding + m_shape.gpusPerPackage * m_cellWidth + (m_shape.gpusPerPackage - 1) * m_cellGap + m_side;
}

int HeatMapLayout::blockWidth() const
{
    return m_label + packages() * packageWidth() + (packages() - 1) * m_packageGap;
}

int HeatMapLayout::roomiestHeight(const HeatMapShape& shape, int width)
{
    constexpr int endless = 1 << 20;
    return HeatMapLayout(shape, QSize(width, endless), HeatMapLevel::Cards).contentSize().height();
}

QSize HeatMapLayout::contentSize() const
{
    if (m_shape.nodes == 0)
        return {};
    return {
        2 * margin + m_banks * blockWidth() + (m_banks - 1) * m_bankGap, 2 * margin + lines() * lineStep() - m_lineGap};
}

QPoint HeatMapLayout::origin(int node) const
{
    return {margin + (node % m_banks) * (blockWidth() + m_bankGap), margin + (node / m_banks) * lineStep()};
}

QRect HeatMapLayout::node(int node) const { return {origin(node), QSize(blockWidth(), m_blockHeight)}; }

QRect HeatMapLayout::label(int node) const
{
    return m_label > 0 ? QRect(origin(node), QSize(m_label, m_blockHeight)) : QRect();
}

QRect HeatMapLayout::package(int node, int package) const
{
    return {origin(node) + QPoint(m_label + package * (packageWidth() + m_packageGap), 0),
        QSize(packageWidth(), m_blockHeight)};
}

QRect HeatMapLayout::cell(GpuAddress address) const
{
    const QRect card = package(address.node, address.gpu / m_shape.gpusPerPackage);
    const int die = address.gpu % m_shape.gpusPerPackage;
    return {card.topLeft() + QPoint(m_padding + die * (m_cellWidth + m_cellGap), m_padding),
        QSize(m_cellWidth, m_cellHeight)};
}

QRect HeatMapLayout::side(int node, int package) const
{
    if (m_side == 0)
        return {};
    const QRect card = this->package(node, package);
    return {
        card.right() + 1 - m_padding - m_side + m_cellGap, card.top() + m_padding, m_side - m_cellGap, m_cellHeight};
}

std::optional<GpuAddress> HeatMapLayout::cellAt(QPoint point) const
{
    if (m_shape.nodes == 0 || point.x() < margin || point.y() < margin)
        return {};
    const int bank = (point.x() - margin) / (blockWidth() + m_bankGap);
    const int node = (point.y() - margin) / lineStep() * m_banks + bank;
    if (bank >= m_banks || node >= m_shape.nodes)
        return {};
    const int along = point.x() - origin(node).x() - m_label;
    if (along < 0)
        return {};
    const int package = along / (packageWidth() + m_packageGap);
    for (int die = 0; die < m_shape.gpusPerPackage; ++die) {
        const GpuAddress address{node, package * m_shape.gpusPerPackage + die};
        if (address.gpu < m_shape.gpusPerNode && cell(address).contains(point))
            return address;
    }
    return {};
}

std::optional<GpuAddress> HeatMapLayout::nearest(QPoint point) const
{
    if (m_shape.nodes == 0)
        return {};
    if (const std::optional<GpuAddress> hit = cellAt(point))
        return hit;
    const int bank = std::clamp((point.x() - margin) / (blockWidth() + m_bankGap), 0, m_banks - 1);
    const int line = std::clamp((point.y() - margin) / std::max(1, lineStep()), 0, lines() - 1);
    const int node = std::min(line * m_banks + bank, m_shape.nodes - 1);
    GpuAddress best{node, 0};
    for (int gpu = 1; gpu < m_shape.gpusPerNode; ++gpu) {
        const auto distance = [&](int one) { return std::abs(cell({node, one}).center().x() - point.x()); };
        if (distance(gpu) < distance(best.gpu))
            best.gpu = gpu;
    }
    return best;
}

NodeRange HeatMapLayout::visibleNodes(const QRect& area) const
{
    if (m_shape.nodes == 0 || area.isEmpty())
        return {};
    const int firstLine = std::max(0, (area.top() - margin) / lineStep());
    const int lastLine = std::max(0, area.bottom() - margin) / lineStep();
    const int first = firstLine * m_banks;
    if (area.bottom() < margin || first >= m_shape.nodes)
        return {};
    return {first, std::min(m_shape.nodes, (lastLine + 1) * m_banks)};
}

GpuAddress HeatMapLayout::moved(GpuAddress from, Move move, int viewportHeight) const
{
    if (m_shape.nodes == 0)
        return from;
    const int lastGpu = m_shape.gpusPerNode - 1;
    const int page = std::max(1, viewportHeight / std::max(1, lineStep())) * m_banks;
    GpuAddress to = from;
    const auto byNodes = [&](int step) {
        if (const int node = from.node + step; node >= 0 && node < m_shape.nodes)
            to.node = node;
        else if (std::abs(step) > m_banks)
            to.node = step < 0 ? from.node % m_banks : m_shape.nodes - 1;
    };
    switch (move) {
    case Move::Left:
        if (from.gpu > 0)
            --to.gpu;
        else if (from.node % m_banks > 0) // the neighbour bank of the same line
            to = {from.node - 1, lastGpu};
        break;
    case Move::Right:
        if (from.gpu < lastGpu)
            ++to.gpu;
        else if (from.node % m_banks < m_banks - 1 && from.node + 1 < m_shape.nodes)
            to = {from.node + 1, 0};
        break;
    case Move::Up: byNodes(-m_banks); break;
    case Move::Down: byNodes(m_banks); break;
    case Move::PageUp: byNodes(-page); break;
    case Move::PageDown: byNodes(page); break;
    case Move::RowStart: to.gpu = 0; break;
    case Move::RowEnd: to.gpu = lastGpu; break;
    case Move::First: to = {0, 0}; break;
    case Move::Last: to = {m_shape.nodes - 1, lastGpu}; break;
    }
    return to;
}

} // namespace rankwright
