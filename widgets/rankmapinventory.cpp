// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rankmapinventory.h"

#include <algorithm>

namespace rankwright {

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

RankMapInventory takeRankMapInventory(const NodeShape& shape)
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
