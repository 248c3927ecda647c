// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/telemetryhistory.h"

namespace rankwright::inline insight {

/// Sums up values into equal stretches of time. Value for the stack; does not read a history.
class BucketFiller {
public:
    /// `count` equal buckets over `span`; none when the span is empty or `count` is below 1.
    BucketFiller(TimeSpan span, int count);
    /// A single value; NaN and moments outside the span are left out.
    void add(qint64 ms, float value);
    /// What is summed up already (a coarser level): it goes whole into the bucket that holds its middle.
    void add(const HistoryBucket& part);
    QList<HistoryBucket> buckets() const;
    /// Length of one bucket in milliseconds.
    double bucketMs() const;

private:
    struct Sum {
        int samples = 0;
        float least = 0;
        float most = 0;
        double total = 0;
    };
    Sum* at(qint64 ms);

    TimeSpan m_span;
    QList<Sum> m_sums;
};

} // namespace rankwright::inline insight
