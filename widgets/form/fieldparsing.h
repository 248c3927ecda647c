// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"

#include <QMap>
#include <QStringList>

#include <optional>

namespace rankwright {

// What people type into the form's fields, read and written. Empty text is "open", never an error.

/// Whole number in [low, high]; spaces of any kind and underscores group digits. Error: one sentence with the range.
Result<std::optional<qint64>> readWhole(const QString& text, qint64 low, qint64 high);
/// A positive number, with a point or a comma.
Result<std::optional<double>> readPositive(const QString& text);
/// As Slurm reads it ("90", "01:30:00", "1-12"), or with units: "90 min", "2h", "1 d 12 h".
Result<std::optional<Seconds>> readTime(const QString& text);
/// Slurm's sizes, with or without "iB": "480G", "480 GiB".
Result<std::optional<Bytes>> readMemory(const QString& text);
std::optional<QString> readText(const QString& text);
/// One per line, empty lines dropped.
QStringList readLines(const QString& text);
/// "NAME=value" per line. Error names the line.
Result<QMap<QString, QString>> readVariables(const QString& text);

QString writeWhole(const std::optional<qint64>& value);
QString writeVariables(const QMap<QString, QString>& variables);

} // namespace rankwright
