// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/plannedrun.h"

namespace rankwright::inline planner {

/// One switch that an estimate relies on: the field of the design that says it, and its value in the words of the
/// design file.
struct Assumption {
    FieldPath field;
    QString value;
    bool operator==(const Assumption&) const = default;
};

/// Every switch that memory and time of a layout rely on, in the order of the form. Degrees of 1 and what does not
/// apply (experts of a dense model, chunks without a pipeline) are left out. Pure.
QList<Assumption> assumptionsOf(Strategy strategy, const Workload& workload, const Layout& layout);
QList<Assumption> assumptionsOf(const PlannedRun& run);

/// The value of one of them; empty: it is not among them.
QString assumedValue(const QList<Assumption>& all, const FieldPath& field);

} // namespace rankwright::inline planner
