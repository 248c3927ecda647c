// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/calibration.h"
#include "models/tables/recordmodel.h"

namespace rankwright::inline tables {

/// Runs that were predicted and then measured, newest first: prediction and measurement side by side.
class MeasuredModel final : public RecordModel<MeasuredRun> {
public:
    explicit MeasuredModel(QObject* parent = nullptr);
};

/// (predicted - measured) / measured; empty when not measured.
std::optional<double> predictionError(double predicted, const std::optional<double>& measured);

} // namespace rankwright::inline tables
