// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

#include <limits>
#include <optional>

namespace rankwright::inline core {

/// Reads typed members of one JSON object and names the JSON path of every fault ("$.resources.nodes: expected a
/// whole number, found text"). Missing and null are the same: an empty optional. The first fault is kept; reading goes
/// on with empty values so that callers read everything and ask once. Unknown members are collected, not refused.
/// Value type for the stack; keeps its own copy of the object.
class JsonReader {
public:
    /// `path` is where this object stands, "$" for the document.
    explicit JsonReader(QJsonObject object, QString path = QStringLiteral("$"));

    std::optional<QString> text(const QString& key);
    std::optional<qint64> integer(const QString& key, qint64 low, qint64 high);
    std::optional<int> whole(
        const QString& key, int low = std::numeric_limits<int>::min(), int high = std::numeric_limits<int>::max());
    std::optional<double> number(const QString& key);
    std::optional<Seconds> seconds(const QString& key);
    std::optional<Bytes> bytes(const QString& key);
    std::optional<bool> flag(const QString& key);
    /// ISO 8601, with or without milliseconds.
    std::optional<QDateTime> time(const QString& key);
    /// As text() and whole(), and a fault when nothing (or an empty text) is there.
    QString requiredText(const QString& key);
    int requiredWhole(const QString& key);
    std::optional<QStringList> texts(const QString& key);
    /// Lines of a long text: a string or an array of strings, joined by newlines.
    std::optional<QString> lines(const QString& key);
    std::optional<JsonReader> object(const QString& key);
    /// Each element of an array of objects; empty when missing.
    QList<JsonReader> objects(const QString& key);
    std::optional<QJsonArray> array(const QString& key);
    bool has(const QString& key) const;
    /// Marks a member as known without reading it (notes, schema hints).
    void ignore(const QString& key);

    /// A fault found by the caller at a member of this object.
    void refuse(const QString& key, const QString& why);
    /// Takes over the first fault and the unknown members of a nested reader; call it when done with one.
    void absorb(const JsonReader& nested);

    const std::optional<Error>& fault() const { return m_fault; }
    /// Paths of members that were not read, in document order; nested ones only after absorb().
    QStringList unknownMembers() const;
    const QString& path() const { return m_path; }
    const QJsonObject& json() const { return m_object; }

private:
    QJsonValue readValue(const QString& key);
    void wrongType(const QString& key, const QString& expected, const QJsonValue& found);

    QJsonObject m_object;
    QString m_path;
    QStringList m_asked;
    QStringList m_nestedUnknown;
    std::optional<Error> m_fault;
};

/// Parses a document whose top is an object; the error names `name`, line and column of the fault.
Result<QJsonObject> parseJsonObject(const QByteArray& bytes, const QString& name);

} // namespace rankwright::inline core
