// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <compare>
#include <optional>

namespace rankwright::inline core {

inline constexpr double bytesPerGib = 1073741824.0;

/// An amount of memory in bytes. Slurm's K, M, G, T are powers of 1024 (slurm.conf, "Memory"); a bare number is MiB.
struct Bytes {
    qint64 count = 0;

    static constexpr Bytes mib(double n) { return {static_cast<qint64>(n * 1048576.0)}; }
    static constexpr Bytes gib(double n) { return {static_cast<qint64>(n * bytesPerGib)}; }
    constexpr double inGib() const { return static_cast<double>(count) / bytesPerGib; }
    constexpr double inMib() const { return static_cast<double>(count) / 1048576.0; }
    auto operator<=>(const Bytes&) const = default; // NOLINT(modernize-use-nullptr): of what is generated
};

/// A span of wall time in seconds, as Slurm's --time takes it.
struct Seconds {
    qint64 count = 0;

    constexpr double inHours() const { return static_cast<double>(count) / 3600.0; }
    auto operator<=>(const Seconds&) const = default; // NOLINT(modernize-use-nullptr): of what is generated
};

/// Reads a Slurm memory size: "480G", "125000" (MiB), "1.5T", "500000M". Error: not a size, negative, or beyond 2^62.
Result<Bytes> parseSlurmMemory(const QString& text);
/// Writes it as --mem takes it: whole GiB as "480G", else whole MiB as "125000M".
QString slurmMemory(Bytes bytes);
/// For people: "41.3 GiB", "512 MiB"; thin space between number and unit.
QString humanBytes(Bytes bytes, int decimals = 1);

/// Reads MM, MM:SS, HH:MM:SS, D-HH, D-HH:MM, D-HH:MM:SS (sbatch(1), --time). Error says which forms exist.
Result<Seconds> parseSlurmTime(const QString& text);
/// Writes "HH:MM:SS", from 24 h on "D-HH:MM:SS".
QString slurmTime(Seconds seconds);
/// For people: "2 days", "36 h", "1 h 52 min", "45 s".
QString humanDuration(Seconds seconds);

/// A number for people: thin space in thousands, at most `decimals` digits after the point, no trailing zeros, C
/// locale.
QString humanNumber(double value, int decimals = 1);

} // namespace rankwright::inline core
