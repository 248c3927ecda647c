// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/telemetry/history/telemetryhistory.h"

namespace rankwright {

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

/// Moments that clocks can mean: 2000 to 2100. Others come from a clock that is broken.
bool isPlausibleTime(qint64 ms);
/// The tick as a history keeps it: with a moment (the node's clock, else `arrivedMs`), each GPU once, none with an
/// index that no node has. Empty: nothing is left, or there is no moment.
std::optional<NodeTick> keptTick(const NodeTick& tick, qint64 arrivedMs);
/// Adds GPUs of `more` that `tick` does not have: lines of one moment (a node of many GPUs sends several). False: there
/// was nothing new.
bool addGpus(NodeTick& tick, const NodeTick& more);

} // namespace rankwright
