// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/gpuwindow.h"

#include <optional>

namespace rankwright::inline insight {

/// Utilisation of all GPUs together, second by second: whether they swing together.
class FleetCurve {
public:
    void addUse(float use, qint64 ms);
    struct Second {
        std::optional<qint64> second; ///< empty: none was seen yet
        float sum = 0, most = 0;
        int count = 0;
        float mean() const { return count > 0 ? sum / float(count) : notReported; }
    };
    /// Oldest first, of [fromMs, toMs); seconds without a sample are left out.
    QList<Second> seconds(qint64 fromMs, qint64 toMs) const;

private:
    std::array<Second, 128> m_ring{};
};

} // namespace rankwright::inline insight
