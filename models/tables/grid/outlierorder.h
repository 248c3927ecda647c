// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include <span>

namespace rankwright::inline tables {

/// Orders rows with the most deviating first, and keeps calm about it: scores are taken in classes (each half as high
/// again as the one below), a row leaves its class only when it falls clearly below it, rows of one class stand by
/// place, and the order changes at most every `pauseMs`. So figures that swing do not make the picture jump. Value;
/// does not know what a score is made of.
class OutlierOrder {
public:
    static constexpr qint64 pauseMs = 3000;

    /// Takes one score per row (0: as the others; GpuMeasure). True when the order has changed.
    bool update(std::span<const float> scores, qint64 nowMs);
    const QList<int>& rows() const { return m_rows; }

private:
    QList<int> m_classes;
    QList<int> m_rows;
    qint64 m_changedMs = 0;
};

} // namespace rankwright::inline tables
