// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/nodeusage.h"

#include <algorithm>

namespace rankwright::inline insight {

namespace {

constexpr int mostNodes = 16;
constexpr int moments = 32;
constexpr qint64 keptMs = 60'000; ///< an older look says nothing of the moment

class Mean {
public:
    void add(const std::optional<double>& value)
    {
        m_sum += value.value_or(0);
        m_count += value ? 1 : 0;
    }
    std::optional<double> value() const { return m_count > 0 ? std::optional(m_sum / m_count) : std::nullopt; }

private:
    double m_sum = 0;
    int m_count = 0;
};

std::optional<double> real(const std::optional<qint64>& value)
{
    return value ? std::optional(double(*value)) : std::nullopt;
}

} // namespace

NodeUsage nodeUsage(const TelemetryHistory& history, TimeSpan job)
{
    NodeUsage usage;
    Mean received, sent, linkShare, someWait, waiting;
    const int nodes = int(history.nodes().size());
    const int looked = std::min(nodes, mostNodes);
    for (int i = 0; i < looked; ++i) {
        const int row = looked > 1 ? int(qint64(i) * (nodes - 1) / (looked - 1)) : 0;
        qint64 seenMs = 0;
        for (int moment = 1; moment <= moments; ++moment) {
            const qint64 ms = job.fromMs + job.length() * moment / moments;
            const auto reported = history.processesOf(row, ms);
            if (!reported || !reported->resources || reported->takenMs == seenMs || ms - reported->takenMs > keptMs)
                continue;
            seenMs = reported->takenMs;
            const NodeResources& one = *reported->resources;
            received.add(real(one.received));
            sent.add(real(one.sent));
            linkShare.add(one.linkShare());
            someWait.add(one.someWait);
            waiting.add(one.waiting ? std::optional(*one.waiting > 0 ? 1.0 : 0.0) : std::nullopt);
            if (one.memoryOf == ResourceScope::Job && one.held().value_or(-1) > usage.mostHeld.value_or(-1)) {
                usage.mostHeld = one.held();
                usage.memoryLimit = one.memoryLimit;
            }
        }
    }
    usage.received = received.value();
    usage.sent = sent.value();
    usage.linkShare = linkShare.value();
    usage.someWait = someWait.value();
    usage.waitingLooks = waiting.value();
    return usage;
}

} // namespace rankwright::inline insight
