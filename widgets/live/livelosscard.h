// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/history/lossplot.h"

namespace rankwright {

class Card;

/// The Live page's card with the loss curve, and what the curve comes to.
class LiveLossCard final : public QWidget {
    Q_OBJECT
public:
    explicit LiveLossCard(QWidget* parent = nullptr);

    void setLosses(const QList<LossPoint>& losses);
    /// As LossPlot.
    void setMoment(std::optional<double> step);
    void flush();
    /// How the loss moved until now.
    std::optional<LossTrend> trend() const { return lossTrend(m_losses); }
    /// How it had moved at a step; empty step: before the first.
    std::optional<LossTrend> trendUntil(std::optional<double> step) const;

private:
    void refreshCaption();

    QList<LossPoint> m_losses;
    bool m_past = false;
    Card* m_card = nullptr;
    LossPlot* m_plot = nullptr;
};

} // namespace rankwright
