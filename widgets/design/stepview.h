// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/planning/designestimate.h"
#include "widgets/base/stackedbar.h"

class QLabel;

namespace rankwright {

/// The bar's figures of an estimate that is known.
StackedBarData stepBar(const DesignEstimate& estimate);

/// The time of a step by parts, with what limits it. Shows; decides nothing.
class StepView final : public QWidget {
    Q_OBJECT
public:
    explicit StepView(QWidget* parent = nullptr);

    void setData(const Result<DesignEstimate>& estimate, const QString& gpuWord);
    const StackedBar& bar() const { return *m_bar; }

private:
    StackedBar* m_bar = nullptr;
    QLabel* m_line = nullptr;
};

} // namespace rankwright
