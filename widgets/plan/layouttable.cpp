// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/layouttable.h"

#include "models/tables/layoutmodel.h"
#include "widgets/plan/memorybardelegate.h"

#include <QHeaderView>

namespace rankwright {

void dressLayoutTable(RecordTable& table)
{
    table.setAccessibleName(RecordTable::tr("Layouts"));
    table.setItemDelegateForColumn(LayoutModel::Memory, new MemoryBarDelegate(&table));
    table.verticalHeader()->setDefaultSectionSize(30);
    QHeaderView* head = table.horizontalHeader();
    const QList<std::pair<int, int>> widths{{LayoutModel::Rank, 44}, {LayoutModel::Nodes, 58}, {LayoutModel::Gpus, 62},
        {LayoutModel::StrategyName, 84}, {LayoutModel::Degrees, 106}, {LayoutModel::Batch, 88},
        {LayoutModel::RecomputeName, 92}, {LayoutModel::Memory, 120}, {LayoutModel::Step, 76}, {LayoutModel::Speed, 90},
        {LayoutModel::Mfu, 66}, {LayoutModel::Cost, 94}, {LayoutModel::Verdict, 132}, {LayoutModel::Why, 320}};
    head->setStretchLastSection(true);
    for (const auto& [column, width] : widths)
        head->resizeSection(column, width);
    table.sortByColumn(LayoutModel::Rank, Qt::AscendingOrder);
}

} // namespace rankwright
