// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/gpusample.h"

#include <array>
#include <cmath>
#include <limits>

namespace rankwright::inline insight {

inline constexpr float notReported = std::numeric_limits<float>::quiet_NaN();
inline bool isReported(float value) { return !std::isnan(value); }

/// What the alert rules need to know of one GPU: its newest 32 samples and a few figures of the whole job. Less than
/// 900 bytes, however long the job is. Times in ms by the caller's clock.
class GpuWindow {
public:
    void addSample(const GpuSample& sample, qint64 ms);

    /// What was reported since `fromMs`; NaN where nothing was.
    struct Recent {
        int samples = 0;
        float use = notReported, leastUse = notReported, mostUse = notReported; ///< %
        float power = notReported; ///< W
    };
    Recent recent(qint64 fromMs) const;

    /// Did it ever do work: three samples in a row at 20 % or more, or eight above 5 % (it waits for data in each
    /// step).
    bool hasWorked() const { return m_firstWorkMs > 0; }
    qint64 firstWorkMs() const { return m_firstWorkMs; }
    /// Samples above 5 % so far: an idle GPU shows none, or one blip of a driver call.
    int busySamples() const { return m_busySamples; }
    qint64 firstMs() const { return m_firstMs; }
    qint64 lastMs() const { return m_lastMs; }
    bool reportsUse() const { return m_reportsUse; }
    bool isSecondaryDie() const { return m_secondary; }
    /// No process of the job uses it: reported so, or less than 1 GiB of its memory is in use. Empty: not known.
    std::optional<bool> isVacant() const;
    std::optional<int> processes() const { return m_processes; }
    double usedBytes() const { return double(m_used); }
    double totalBytes() const { return double(m_total); } ///< -1 not reported
    double peakBytes() const { return double(m_peak); } ///< -1 not reported
    /// Share of the memory in use, 0..1; NaN not reported.
    float memoryShare() const
    {
        return m_used >= 0 && m_total > 0 ? float(double(m_used) / double(m_total)) : notReported;
    }
    /// The peak rose in each of the last four half minutes.
    bool isMemoryGrowing() const;
    float cap() const { return m_cap; }
    float temperature() const { return m_temperature; }
    float clock() const { return m_clock; } ///< MHz, mean of the last seconds of work
    /// How much of it works, mean of the last seconds of full use; empty what it last did not report.
    const GpuActivity& activity() const { return m_activity; }
    /// Reported without a pause since then that heat or hardware slows it down; 0: it does not.
    qint64 throttledSinceMs() const { return m_throttledSinceMs; }
    Throttles throttle() const { return m_throttle.value_or(Throttles()); }
    /// Errors of its memory that could not be corrected and came while it was watched; those that it had before do not
    /// count.
    qint64 newErrors() const { return m_newErrors; }
    qint64 errorsRoseMs() const { return m_errorsRoseMs; } ///< when the first of them was reported; 0: none was
    double meanUse() const { return m_useCount > 0 ? m_useSum / double(m_useCount) : -1; } ///< since it first worked

private:
    struct Point {
        qint64 ms = 0;
        float use = notReported;
        float power = notReported;
    };
    void addMemory(const GpuSample& sample, qint64 ms);
    void addSpeed(const GpuSample& sample, qint64 ms);
    void addErrors(const GpuSample& sample, qint64 ms);
    void addActivity(const GpuSample& sample);

    std::array<Point, 32> m_ring{};
    int m_next = 0;
    int m_filled = 0;
    qint64 m_firstMs = 0, m_lastMs = 0, m_firstWorkMs = 0, m_throttledSinceMs = 0, m_markMs = 0;
    int m_workStreak = 0, m_busyStreak = 0;
    int m_busySamples = 0;
    qint64 m_used = -1, m_total = -1, m_peak = -1;
    std::array<float, 5> m_marks{}; ///< peak share at the end of each half minute, newest first
    float m_cap = notReported, m_temperature = notReported, m_clock = notReported;
    GpuActivity m_activity;
    std::optional<int> m_processes;
    std::optional<Throttles> m_throttle;
    double m_useSum = 0;
    qint64 m_useCount = 0;
    std::optional<qint64> m_errorCount; ///< as last reported
    qint64 m_newErrors = 0, m_errorsRoseMs = 0;
    bool m_secondary = false;
    bool m_reportsUse = false;
};

} // namespace rankwright::inline insight
