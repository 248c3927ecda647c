// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/jsonvalue.h"

namespace rankwright::inline core {

QJsonValue orNull(const QString& text) { return text.isEmpty() ? QJsonValue() : QJsonValue(text); }

QJsonValue orNull(const std::optional<int>& number) { return number ? QJsonValue(*number) : QJsonValue(); }

QJsonValue orNull(const std::optional<qint64>& number) { return number ? QJsonValue(*number) : QJsonValue(); }

QJsonValue orNull(const std::optional<double>& number) { return number ? QJsonValue(*number) : QJsonValue(); }

QJsonValue orNull(const std::optional<Seconds>& seconds)
{
    return seconds ? QJsonValue(qint64(seconds->count)) : QJsonValue();
}

QJsonValue orNull(const std::optional<Bytes>& bytes) { return bytes ? QJsonValue(qint64(bytes->count)) : QJsonValue(); }

QJsonValue timeJson(const QDateTime& time)
{
    return time.isValid() ? QJsonValue(time.toUTC().toString(Qt::ISODate)) : QJsonValue();
}

QJsonValue momentJson(const QDateTime& time)
{
    return time.isValid() ? QJsonValue(time.toUTC().toString(Qt::ISODateWithMs)) : QJsonValue();
}

} // namespace rankwright::inline core
