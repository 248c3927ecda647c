// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/draft/entrycomparison.h"

#include <QDialog>

namespace rankwright {

/// In what a cluster's entry and its own Slurm differ, as a table; what could not be compared below it.
class ComparisonDialog final : public QDialog {
    Q_OBJECT
public:
    /// `title` is the cluster's.
    ComparisonDialog(const QString& title, const EntryComparison& comparison, QWidget* parent = nullptr);
};

} // namespace rankwright
