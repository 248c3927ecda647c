// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rankmap/rankmaplayout.h"

#include <algorithm>
#include <cmath>

namespace rankwright {

namespace {

// Measures of the drawing at scale 1, in pixels.
constexpr double packageGap = 7;
constexpr double packagePad = 8;
constexpr double linkGap = 15;
constexpr double dieHeight = 46;
constexpr double minimumDieWidth = 44;
constexpr double headHeight = 20;
constexpr double laneHeight = 24;
constexpr double captionHeight = 15;
constexpr double coreLabelHeight = 14;
constexpr double coreNoteHeight = 24;
constexpr double biggestScale = 2.2;
constexpr double smallestScale = 0.84; // below, figures in a die can no longer be read
constexpr int fewNodes = 2; // drawn in full whatever the room: one scrolls
constexpr int compactNodes = 64; // likewise as rows of dies
constexpr double compactLabel = 62;
constexpr double compactDieHeight = 26;
constexpr double smallestCompactDie = 18;
constexpr double biggestCompactDie = 38;
constexpr double compactPad = 3;
constexpr double compactLinkGap = 4;
constexpr double denseLabel = 62;

double coreSize(double scale) { return std::floor(11 * scale); }

double packageHeight(const RankMapInventory& inventory, double scale)
{
    double height = 2 * packagePad * scale + dieHeight * scale + captionHeight + 2;
    if (inventory.coreRows > 0)
        height += 9 * scale + inventory.coreRows * (coreSize(scale) + 2) + coreLabelHeight + 3;
    return height;
}

double laneOf(const RankMapInventory& inventory, double scale) { return inventory.outerLinks ? laneHeight * scale : 2; }

double fullNodeHeight(const RankMapInventory& inventory, double scale)
{
    return headHeight + laneOf(inventory, scale) + packageHeight(inventory, scale)
        + (inventory.published ? 0 : coreNoteHeight);
}

double fullNodeWidth(const RankMapInventory& inventory, double scale)
{
    const double package = 2 * packagePad * scale + inventory.diesPerPackage * minimumDieWidth * scale
        + (inventory.diesPerPackage - 1) * linkGap * scale;
    return double(inventory.packages.size()) * package + double(inventory.packages.size() - 1) * packageGap;
}

void placeCores(RankMapLayout::Die& die, QPointF top, double width, double scale)
{
    const double size = coreSize(scale);
    const int count = int(die.cores.size());
    if (count == 0)
        return;
    if (count > RankMapInventory::mostCoresDrawn) {
        die.coreArea = QRectF(top.x(), top.y(), width, size);
        die.cores.clear();
    } else {
        const int columns = qMin(count, RankMapInventory::coreColumns);
        const double row = columns * size + (columns - 1) * 2;
        const double x = top.x() + (width - row) / 2;
        for (int i = 0; i < count; ++i) {
            die.cores[i].box = QRectF(std::round(x + (i % columns) * (size + 2)),
                std::round(top.y() + (i / columns) * (size + 2)), size, size);
        }
        die.coreArea = QRectF(x, top.y(), row, ((count + columns - 1) / columns) * (size + 2) - 2);
    }
    die.coreLabel = QRectF(top.x() - 6, die.coreArea.bottom() + 2, width + 12, coreLabelHeight);
}

void placePackages(RankMapLayout& layout, const RankMapInventory& inventory)
{
    const double scale = layout.scale;
    const int count = int(inventory.packages.size());
    const double width = (layout.nodeSize.width() - (count - 1) * packageGap) / count;
    const double top = headHeight + laneOf(inventory, scale);
    layout.packages = inventory.packages;
    layout.dies = inventory.dies;
    for (int p = 0; p < count; ++p) {
        auto& package = layout.packages[p];
        const double x = p * (width + packageGap);
        package.box = QRectF(x, top, width, packageHeight(inventory, scale));
        package.caption = QRectF(x + packagePad, package.box.bottom() - packagePad * scale - captionHeight + 4,
            width - 2 * packagePad, captionHeight);
        const int dies = int(package.gpus.size());
        const double dieWidth = (width - 2 * packagePad * scale - (dies - 1) * linkGap * scale) / dies;
        for (int d = 0; d < dies; ++d) {
            auto& die = layout.dies[package.gpus.at(d)];
            const double left = x + packagePad * scale + d * (dieWidth + linkGap * scale);
            die.box = QRectF(std::round(left), std::round(top + packagePad * scale), std::floor(dieWidth),
                std::floor(dieHeight * scale));
            placeCores(die, QPointF(die.box.left(), die.box.bottom() + 9 * scale), die.box.width(), scale);
        }
    }
}

void placeLinks(RankMapLayout& layout, const NodeShape& shape)
{
    double longest = 1;
    for (const GpuLink& given : shape.links) {
        if (given.from < 0 || given.to < 0 || given.from >= layout.dies.size() || given.to >= layout.dies.size())
            continue;
        const QRectF from = layout.dies.at(qMin(given.from, given.to)).box;
        const QRectF to = layout.dies.at(qMax(given.from, given.to)).box;
        RankMapLayout::Link link{
            given.from, given.to, given.links, given.gigabytesPerSecond, given.inPackage, {}, {}, {}, 0};
        if (given.inPackage) {
            const double height = 10 * layout.scale;
            link.bar = QRectF(from.right(), from.center().y() - height / 2, to.left() - from.right(), height);
        } else {
            // Arcs leave a die on the side that they go to, so that those of one die do not lie on one another.
            link.start = QPointF(from.center().x() + from.width() / 6, from.top());
            link.end = QPointF(to.center().x() - to.width() / 6, to.top());
            longest = qMax(longest, link.end.x() - link.start.x());
        }
        layout.links.append(link);
    }
    const double lane = layout.packages.isEmpty() ? 0 : layout.packages.first().box.top() - layout.head.bottom();
    for (auto& link : layout.links) {
        if (!link.inPackage)
            link.rise
                = packagePad * layout.scale + (lane - 2) * (0.35 + 0.65 * (link.end.x() - link.start.x()) / longest);
    }
}

void finish(RankMapLayout& layout)
{
    const int rows = layout.rows();
    layout.contents
        = QSizeF(layout.left + layout.columns * layout.nodeSize.width() + (layout.columns - 1) * layout.gapX,
            rows * layout.nodeSize.height() + qMax(0, rows - 1) * layout.gapY);
}

/// The scale at which all nodes fit when drawn in full, and the columns that allow it.
std::pair<double, int> bestScale(const RankMapInventory& inventory, int nodes, QSizeF viewport)
{
    std::pair<double, int> best{0, 1};
    for (int columns = 1; columns <= qMin(nodes, 8); ++columns) {
        const int rows = (nodes + columns - 1) / columns;
        const double width = (viewport.width() - (columns - 1) * 18) / columns;
        const double height = (viewport.height() - (rows - 1) * 14) / rows;
        // Text lines keep their height, so the fixed part is taken off before the ratio.
        const double fixed = fullNodeHeight(inventory, 0);
        const double one = fullNodeHeight(inventory, 1) - fixed;
        const double gaps = double(inventory.packages.size() - 1) * packageGap;
        const double scale = qMin((width - gaps) / (fullNodeWidth(inventory, 1) - gaps), (height - fixed) / one);
        if (scale > best.first + 0.02)
            best = {scale, columns};
    }
    return best;
}

RankMapLayout layOutFull(
    const NodeShape& shape, const RankMapInventory& inventory, int nodes, QSizeF viewport, double scale, int columns)
{
    RankMapLayout layout;
    layout.detail = RankMapLayout::Detail::Full;
    layout.nodes = nodes;
    layout.columns = columns;
    layout.scale = qBound(smallestScale, scale, biggestScale);
    layout.gapX = 18;
    layout.gapY = 14;
    const double room = (viewport.width() - (columns - 1) * layout.gapX) / columns;
    const double width = qMax(room, fullNodeWidth(inventory, layout.scale));
    layout.nodeSize = QSizeF(std::floor(width), std::ceil(fullNodeHeight(inventory, layout.scale)));
    layout.head = QRectF(0, 0, layout.nodeSize.width(), headHeight);
    placePackages(layout, inventory);
    if (!inventory.published)
        layout.coreNote
            = QRectF(0, layout.nodeSize.height() - coreNoteHeight + 4, layout.nodeSize.width(), coreNoteHeight - 4);
    placeLinks(layout, shape);
    finish(layout);
    return layout;
}

double compactWidth(const RankMapInventory& inventory, double dieWidth)
{
    double width = compactLabel;
    for (const auto& package : inventory.packages)
        width += double(package.gpus.size()) * dieWidth + double(package.gpus.size() - 1) * compactLinkGap
            + 2 * compactPad;
    return width + double(inventory.packages.size() - 1) * 4;
}

RankMapLayout layOutCompact(const NodeShape& shape, const RankMapInventory& inventory, int nodes, QSizeF viewport)
{
    RankMapLayout layout;
    layout.detail = RankMapLayout::Detail::Compact;
    layout.nodes = nodes;
    layout.gapX = 18;
    layout.gapY = 6;
    const double narrow = compactWidth(inventory, 24);
    layout.columns = qBound(1, int((viewport.width() + layout.gapX) / (narrow + layout.gapX)), nodes);
    // One column too many only makes the numbers small: as many as the height needs are enough.
    while (layout.columns > 1) {
        const int rows = (nodes + layout.columns - 2) / (layout.columns - 1);
        if (rows * (compactDieHeight + 2 * compactPad + layout.gapY) > viewport.height())
            break;
        --layout.columns;
    }
    // Rows shrink before they scroll.
    const double row = (viewport.height() + layout.gapY) / layout.rows();
    const double boxHeight
        = std::floor(qBound(smallestCompactDie, row - layout.gapY - 2 * compactPad, biggestCompactDie));
    const double room = (viewport.width() - (layout.columns - 1) * layout.gapX) / layout.columns;
    const double dieWidth = qBound(24.0, 24 + std::floor((room - narrow) / double(inventory.dies.size())), 140.0);
    layout.nodeSize = QSizeF(compactWidth(inventory, dieWidth), boxHeight + 2 * compactPad);
    layout.head = QRectF(0, 0, compactLabel - 6, layout.nodeSize.height());
    layout.packages = inventory.packages;
    layout.dies = inventory.dies;
    double x = compactLabel;
    for (auto& package : layout.packages) {
        const double start = x;
        x += compactPad;
        for (const int gpu : std::as_const(package.gpus)) {
            layout.dies[gpu].box = QRectF(x, compactPad, dieWidth, boxHeight);
            layout.dies[gpu].cores.clear();
            x += dieWidth + compactLinkGap;
        }
        x += compactPad - compactLinkGap;
        package.box = QRectF(start, 0, x - start, layout.nodeSize.height());
        x += 4;
    }
    placeLinks(layout, shape);
    layout.links.removeIf([](const RankMapLayout::Link& link) { return !link.inPackage; });
    finish(layout);
    return layout;
}

RankMapLayout layOutDense(const RankMapInventory& inventory, int nodes, QSizeF viewport)
{
    const int gpus = int(inventory.dies.size());
    RankMapLayout layout;
    layout.detail = RankMapLayout::Detail::Dense;
    layout.nodes = nodes;
    layout.left = denseLabel;
    layout.packages = inventory.packages;
    layout.dies = inventory.dies;
    for (double cell = 14; cell >= 6; --cell) {
        layout.gapX = layout.gapY = cell >= 9 ? 5 : 4;
        layout.nodeSize = QSizeF(gpus * (cell + 1) - 1, cell);
        layout.columns
            = qMax(1, int((viewport.width() - layout.left + layout.gapX) / (layout.nodeSize.width() + layout.gapX)));
        // Rows of a round number of nodes are easier to count.
        if (layout.columns > 10)
            layout.columns -= layout.columns % 5;
        for (auto& die : layout.dies) {
            die.box = QRectF(die.gpu * (cell + 1), 0, cell, cell);
            die.cores.clear();
        }
        for (auto& package : layout.packages)
            package.box = QRectF(layout.dies.at(package.gpus.first()).box.topLeft(),
                layout.dies.at(package.gpus.last()).box.bottomRight());
        finish(layout);
        if (layout.contents.height() <= viewport.height())
            break;
    }
    return layout;
}

} // namespace

QPointF RankMapLayout::nodeOrigin(int node) const
{
    return {left + (node % columns) * (nodeSize.width() + gapX), (node / columns) * (nodeSize.height() + gapY)};
}

QRectF RankMapLayout::dieBox(GpuAddress spot) const
{
    if (spot.node < 0 || spot.node >= nodes || spot.gpu < 0 || spot.gpu >= dies.size())
        return {};
    return dies.at(spot.gpu).box.translated(nodeOrigin(spot.node));
}

std::optional<GpuAddress> RankMapLayout::spotAt(QPointF point) const
{
    if (nodes == 0 || point.x() < left || point.y() < 0)
        return std::nullopt;
    const int column = int((point.x() - left) / (nodeSize.width() + gapX));
    const int row = int(point.y() / (nodeSize.height() + gapY));
    const int node = row * columns + column;
    if (column >= columns || node >= nodes)
        return std::nullopt;
    const QPointF inside = point - nodeOrigin(node);
    for (const Die& die : dies) {
        // The cores below a die show its description too.
        const QRectF target = die.coreArea.isEmpty() ? die.box : die.box.united(die.coreArea).united(die.coreLabel);
        if (target.contains(inside))
            return GpuAddress{node, die.gpu};
    }
    return std::nullopt;
}

RankMapLayout::NodeRange RankMapLayout::visibleNodes(double top, double bottom) const
{
    if (nodes == 0 || bottom <= top)
        return {};
    const double step = nodeSize.height() + gapY;
    const int first = qBound(0, int(std::floor(top / step)), rows()) * columns;
    const int last = qBound(0, int(std::ceil(bottom / step)), rows()) * columns;
    return {qMin(first, nodes), qMin(last, nodes)};
}

GpuAddress RankMapLayout::neighbour(GpuAddress spot, Qt::Key key) const
{
    const int gpus = int(dies.size());
    const int index = spot.node * gpus + spot.gpu;
    const int last = nodes * gpus - 1;
    int target = index;
    switch (key) {
    case Qt::Key_Left: target = index - 1; break;
    case Qt::Key_Right: target = index + 1; break;
    case Qt::Key_Up: target = index - columns * gpus; break;
    case Qt::Key_Down: target = index + columns * gpus; break;
    case Qt::Key_Home: target = 0; break;
    case Qt::Key_End: target = last; break;
    default: break;
    }
    if (target < 0 || target > last || gpus == 0)
        return spot;
    return {target / gpus, target % gpus};
}

RankMapLayout layOutRankMap(const NodeShape& shape, int nodes, QSizeF viewport)
{
    const RankMapInventory inventory = rankMapInventory(shape);
    const int count = qMax(0, nodes);
    const auto [scale, columns] = bestScale(inventory, qMax(1, count), viewport);
    if (count <= fewNodes || scale >= smallestScale)
        return layOutFull(shape, inventory, count, viewport, scale, scale >= smallestScale ? columns : 1);
    RankMapLayout compact = layOutCompact(shape, inventory, count, viewport);
    if (count <= compactNodes || compact.contents.height() <= viewport.height())
        return compact;
    return layOutDense(inventory, count, viewport);
}

namespace {

const GpuPlace* placeOf(const NodeShape& shape, int gpu)
{
    for (const GpuPlace& place : shape.places) {
        if (place.gpu == gpu)
            return &place;
    }
    return nullptr;
}

} // namespace

RankMapInventory rankMapInventory(const NodeShape& shape)
{
    RankMapInventory inventory;
    inventory.published = !shape.places.isEmpty();
    const int perPackage = qMax(1, shape.gpu.perPackage);
    for (int gpu = 0; gpu < qMax(1, shape.gpus); ++gpu) {
        const GpuPlace* place = placeOf(shape, gpu);
        RankMapLayout::Die die;
        die.gpu = gpu;
        die.package = place ? place->package : gpu / perPackage;
        if (place) {
            die.numa = place->numa;
            for (const int core : place->cores)
                die.cores.append({core, false, {}});
            for (const int core : place->reservedCores)
                die.cores.append({core, true, {}});
            std::sort(
                die.cores.begin(), die.cores.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
            const int count = int(die.cores.size());
            inventory.coreRows = qMax(inventory.coreRows,
                count > RankMapInventory::mostCoresDrawn
                    ? 1
                    : (count + RankMapInventory::coreColumns - 1) / RankMapInventory::coreColumns);
        }
        auto found = std::find_if(inventory.packages.begin(), inventory.packages.end(),
            [&die](const auto& package) { return package.index == die.package; });
        if (found == inventory.packages.end()) {
            inventory.packages.append({die.package, die.numa, {}, {}, {}});
            found = std::prev(inventory.packages.end());
        }
        found->gpus.append(gpu);
        inventory.diesPerPackage = qMax(inventory.diesPerPackage, int(found->gpus.size()));
        inventory.dies.append(die);
    }
    inventory.outerLinks
        = std::any_of(shape.links.begin(), shape.links.end(), [](const GpuLink& link) { return !link.inPackage; });
    return inventory;
}

} // namespace rankwright
