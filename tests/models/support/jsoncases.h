// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/recordedfile.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QList>

#include <optional>

namespace rankwright::test {

/// The cases of a file below tests/data with one JSON object per line; ends the suite when the file or a line cannot be
/// read.
inline QList<QJsonObject> jsonCases(const QString& path)
{
    QList<QJsonObject> all;
    for (const QByteArray& line : recordedFile(path).trimmed().split('\n')) {
        const QJsonObject one = QJsonDocument::fromJson(line).object();
        if (one.isEmpty())
            qFatal("%s: line %d is not a case", qPrintable(path), int(all.size()) + 1);
        all.append(one);
    }
    return all;
}

/// null for what is not reported.
template <typename T>
QJsonValue jsonOf(const std::optional<T>& value)
{
    return value ? QJsonValue(double(*value)) : QJsonValue();
}

inline QJsonValue jsonOf(const QString& text) { return text.isEmpty() ? QJsonValue() : QJsonValue(text); }

} // namespace rankwright::test
