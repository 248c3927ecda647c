// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace rankwright {

class HeatMapView;

/// What the colours of a heat map mean: its ramp between the two ends of the scale with the unit, and in words how to
/// read a card, a hatch and an outline. Follows the view; shows no data of its own.
class HeatMapLegend final : public QWidget {
    Q_OBJECT
public:
    explicit HeatMapLegend(const HeatMapView& view, QWidget* parent = nullptr);
    /// To be called when the grid got another shape.
    void refresh();

private:
    const HeatMapView& m_view;
    QWidget* m_bar = nullptr;
    QLabel* m_words = nullptr;
};

} // namespace rankwright
