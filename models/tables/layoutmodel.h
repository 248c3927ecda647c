// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/layoutsearch.h"
#include "models/tables/recordmodel.h"

namespace rankwright::inline tables {

/// One row of the Plan page's table.
struct LayoutRow {
    QString id; ///< idOf(layout), worked out once: tables ask for it often
    Candidate layout;
    int rank = 0; ///< place in the search's order, 1 is best
    bool current = false; ///< the design is this layout
    bool operator==(const LayoutRow&) const = default;
};

/// What distinguishes one layout from another.
QString idOf(const Candidate& layout);
/// What a verdict means for colour and shape.
Tone toneOf(FitVerdict verdict);

/// Layouts that a search found, best first. Roles of the memory column carry figures for its bar.
class LayoutModel final : public RecordModel<LayoutRow> {
public:
    enum Column {
        Rank,
        Nodes,
        Gpus,
        StrategyName,
        Degrees,
        Batch,
        RecomputeName,
        Memory,
        Step,
        Speed,
        Mfu,
        Cost,
        Verdict,
        Why
    };
    enum Role {
        MemoryRole = FirstOwnRole, ///< double, bytes
        UsableRole, ///< double, bytes
        CurrentRole, ///< bool
    };

    explicit LayoutModel(QObject* parent = nullptr);

    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// `gpuWord`, `costUnit`: for the heads of their columns.
    void show(const QList<LayoutRow>& rows, const QString& gpuWord, const QString& costUnit);

private:
    QString m_gpuWord = QStringLiteral("GPU");
    QString m_costUnit;
};

} // namespace rankwright::inline tables
