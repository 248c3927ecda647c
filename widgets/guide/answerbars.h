// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/guide/guidestep.h"
#include "widgets/base/stackedbar.h"

class QLabel;

namespace rankwright {

/// The memory bar of one answer, with what stands above it.
struct AnswerBar {
    QString name; ///< "Share everything (FSDP)"
    QString note; ///< "40.4 GiB, likely 36–45"
    bool chosen = false;
    StackedBarData bar;
};

/// Of whole copies of each model, where nothing is said of GPUs yet: weights, gradients and optimiser alone.
QList<AnswerBar> copyBars(const GuideQuestion& question, const QString& gpuWord);
/// Of the fullest rank with each answer, as the Design page shows it.
QList<AnswerBar> rankBars(const GuideQuestion& question, const QString& gpuWord);

/// The Design page's memory bar for each answer, all on one scale; the last has the axis, the chosen one the legend.
/// Shows; computes nothing.
class AnswerBars final : public QWidget {
    Q_OBJECT
public:
    /// `what`: begins each bar's accessible name, "Memory that is needed".
    explicit AnswerBars(const QString& what, QWidget* parent = nullptr);

    void setBars(const QList<AnswerBar>& bars);
    const QList<AnswerBar>& barsShown() const { return m_bars; }

private:
    struct Row {
        QWidget* box = nullptr;
        QLabel* name = nullptr;
        QLabel* note = nullptr;
        StackedBar* bar = nullptr;
    };
    Row& row(qsizetype at);

    QString m_what;
    QList<AnswerBar> m_bars;
    QList<Row> m_rows; ///< as many as were ever shown
};

} // namespace rankwright
