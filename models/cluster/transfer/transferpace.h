// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <deque>
#include <optional>

namespace rankwright::inline cluster {

/// How far a transfer is.
struct TransferProgress {
    qint64 bytes = 0; ///< done, with what was there from an earlier attempt
    qint64 totalBytes = 0;
    qint64 files = 0; ///< in place
    qint64 totalFiles = 0;
    std::optional<double> bytesPerSecond; ///< of the last seconds
    std::optional<double> secondsLeft;
    QString current; ///< name of a large file; empty: many small ones
    bool operator==(const TransferProgress&) const = default;
};

/// The rate over the last ten seconds, and what is left by it; nothing before two seconds have passed.
class TransferPace {
public:
    void add(qint64 nowMs, qint64 bytes);
    std::optional<double> bytesPerSecond() const;
    std::optional<double> secondsLeft(qint64 bytesLeft) const;

private:
    std::deque<std::pair<qint64, qint64>> m_points;
};

/// "12.0 MiB of 300 MiB, 4 of 12 files, 25.1 MiB/s, 11 s left"
QString progressText(const TransferProgress& progress);

} // namespace rankwright::inline cluster
