// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace rankwright::inline script {

// A new value in the form in which the author wrote the old one.

/// The number of GPUs in a value of --gres ("gpu:a100:4", "gpu") or --gpus and its kin ("4", "a100:4").
struct GpuCount {
    qint64 number = 1;
    qsizetype begin = 0; ///< of the digits
    qsizetype end = 0; ///< equal to begin: no digits, ":4" would be inserted here
};
/// Nothing: no GPUs, or several kinds of them.
std::optional<GpuCount> gpuCount(const QString& written); ///< of --gpus and its kin
std::optional<GpuCount> gresGpuCount(const QString& written); ///< of --gres or --tres-per-task

/// A time limit that is none: UNLIMITED, INFINITE, in any case (sbatch(1), --time).
bool isNoLimit(const QString& value);
/// The time (in any form of sbatch) as `written` is: "30" stays minutes, "1-00" days and hours, where that says it.
QString timeAsWritten(const QString& written, const QString& time);
/// The size in the unit of `written` where it is a whole number of it.
QString memoryAsWritten(const QString& written, const QString& memory);
/// A directive's value as a word, in the quotes of `written` where it had some.
QString directiveAsWritten(const QString& written, const QString& value);

} // namespace rankwright::inline script
