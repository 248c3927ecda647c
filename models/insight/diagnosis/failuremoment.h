// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>

#include <optional>

namespace rankwright::inline insight {

/// A time as torchrun's failure summary prints it, "2026-11-24_10:15:02" (PyTorch,
/// torch/distributed/elastic/multiprocessing/ errors, get_failure_details); invalid where it is none. Its zone is the
/// node's and is not printed.
QDateTime torchrunTime(const QString& printed);

/// The moment of a failure, ms since the epoch, from torchrun's time and the job's end: the summary is printed in the
/// last minutes of a job, and zones differ by whole quarters of an hour (tz database), so the two together tell the
/// zone. At most 7.5 minutes before the end; never after it. Empty: `printed` is not a time.
std::optional<qint64> failureMoment(const QString& printed, qint64 endedAtMs);

} // namespace rankwright::inline insight
