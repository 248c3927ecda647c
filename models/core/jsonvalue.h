// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"

#include <QDateTime>
#include <QJsonValue>
#include <QString>

#include <optional>

namespace rankwright::inline core {

// Single members of JSON that we write: what is not known is null, never 0 or "".
QJsonValue orNull(const QString& text);
QJsonValue orNull(const std::optional<int>& number);
QJsonValue orNull(const std::optional<qint64>& number);
QJsonValue orNull(const std::optional<double>& number);
QJsonValue orNull(const std::optional<Seconds>& seconds);
QJsonValue orNull(const std::optional<Bytes>& bytes);
/// ISO 8601 in UTC, whole seconds; null for an invalid time.
QJsonValue timeJson(const QDateTime& time);
/// The same with milliseconds.
QJsonValue momentJson(const QDateTime& time);

} // namespace rankwright::inline core
