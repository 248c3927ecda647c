// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/calibration.h"
#include "models/tables/measuredmodel.h"
#include "widgets/plan/speedupplot.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;

namespace rankwright {

class Card;
class RecordTable;
class SegmentedControl;

/// The Plan page's card beside the plot: the expected speed-up, or what the user's own runs taught. Shows what it is
/// given; forgets nothing by itself.
class PlanSideCard final : public QWidget {
    Q_OBJECT
public:
    explicit PlanSideCard(QWidget* parent = nullptr);

    /// What the cluster calls one of its GPUs.
    void setGpuWord(const QString& word);
    /// `sentence`: why more GPUs won't help, or that they do.
    void showSpeedup(const SpeedupData& curve, const QString& sentence);
    void showRuns(const CalibrationTable& runs);
    /// Brings what was measured to the front.
    void openRuns();
    const CalibrationTable& runs() const { return m_shownRuns; }

signals:
    void clearRunsRequested();
    void useRunsRequested(bool on);

private:
    QWidget* buildSpeedup();
    QWidget* buildRuns();
    void showCaption();

    MeasuredModel* m_runs = nullptr;
    CalibrationTable m_shownRuns;
    QString m_gpuWord;
    Card* m_card = nullptr;
    SegmentedControl* m_tabs = nullptr;
    SpeedupPlot* m_speedup = nullptr;
    QLabel* m_speedupText = nullptr;
    RecordTable* m_runTable = nullptr;
    QLabel* m_runText = nullptr;
    QCheckBox* m_use = nullptr;
    QPushButton* m_clear = nullptr;
};

} // namespace rankwright
