// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/jsonreader.h"

#include <QJsonDocument>
#include <QRegularExpression>

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline core {

namespace {

QString memberPath(const QString& path, const QString& key)
{
    static const QRegularExpression plain(u"^[A-Za-z_][A-Za-z0-9_]*$"_s);
    if (plain.match(key).hasMatch())
        return path + u'.' + key;
    return path + u"[\""_s + key.left(60) + u"\"]"_s;
}

QString kindOf(const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::Bool: return u"true or false"_s;
    case QJsonValue::Double: return u"the number "_s + QString::number(value.toDouble(), 'g', 12);
    case QJsonValue::String: return u"the text “"_s + value.toString().left(60) + u"”"_s;
    case QJsonValue::Array: return u"a list"_s;
    case QJsonValue::Object: return u"an object"_s;
    case QJsonValue::Null:
    case QJsonValue::Undefined: break;
    }
    return u"nothing"_s;
}

bool isWhole(const QJsonValue& value)
{
    const double number = value.toDouble();
    return value.isDouble() && std::floor(number) == number && std::abs(number) <= 9.0e18;
}

} // namespace

JsonReader::JsonReader(QJsonObject object, QString path) : m_object(std::move(object)), m_path(std::move(path)) { }

QJsonValue JsonReader::readValue(const QString& key)
{
    ignore(key);
    const QJsonValue value = m_object.value(key);
    return value.isUndefined() ? QJsonValue(QJsonValue::Null) : value;
}

void JsonReader::wrongType(const QString& key, const QString& expected, const QJsonValue& found)
{
    refuse(key, u"expected "_s + expected + u", found "_s + kindOf(found));
}

void JsonReader::refuse(const QString& key, const QString& why)
{
    if (m_fault)
        return;
    const QString path = memberPath(m_path, key);
    m_fault = Error{Fault::Unreadable, path + u": "_s + why, path, {}};
}

std::optional<QString> JsonReader::text(const QString& key)
{
    const QJsonValue value = readValue(key);
    if (value.isNull())
        return std::nullopt;
    if (!value.isString()) {
        wrongType(key, u"text"_s, value);
        return std::nullopt;
    }
    return value.toString();
}

std::optional<qint64> JsonReader::integer(const QString& key, qint64 low, qint64 high)
{
    const QJsonValue value = readValue(key);
    if (value.isNull())
        return std::nullopt;
    if (!isWhole(value)) {
        wrongType(key, u"a whole number"_s, value);
        return std::nullopt;
    }
    const qint64 number = value.toInteger();
    if (number < low || number > high) {
        refuse(key, u"must be from %1 to %2, found %3"_s.arg(low).arg(high).arg(number));
        return std::nullopt;
    }
    return number;
}

std::optional<int> JsonReader::whole(const QString& key, int low, int high)
{
    const auto number = integer(key, low, high);
    return number ? std::optional(int(*number)) : std::nullopt;
}

std::optional<double> JsonReader::number(const QString& key)
{
    const QJsonValue value = readValue(key);
    if (value.isNull())
        return std::nullopt;
    if (!value.isDouble()) {
        wrongType(key, u"a number"_s, value);
        return std::nullopt;
    }
    return value.toDouble();
}

std::optional<Seconds> JsonReader::seconds(const QString& key)
{
    const auto count = integer(key, std::numeric_limits<qint64>::min(), std::numeric_limits<qint64>::max());
    return count ? std::optional(Seconds{*count}) : std::nullopt;
}

std::optional<Bytes> JsonReader::bytes(const QString& key)
{
    const auto count = integer(key, std::numeric_limits<qint64>::min(), std::numeric_limits<qint64>::max());
    return count ? std::optional(Bytes{*count}) : std::nullopt;
}

std::optional<bool> JsonReader::flag(const QString& key)
{
    const QJsonValue value = readValue(key);
    if (value.isNull())
        return std::nullopt;
    if (!value.isBool()) {
        wrongType(key, u"true or false"_s, value);
        return std::nullopt;
    }
    return value.toBool();
}

std::optional<QDateTime> JsonReader::time(const QString& key)
{
    const auto word = text(key);
    if (!word)
        return std::nullopt;
    const QDateTime time = QDateTime::fromString(*word, Qt::ISODateWithMs);
    if (!time.isValid()) {
        wrongType(key, u"a time such as 2026-11-21T20:15:00Z"_s, *word);
        return std::nullopt;
    }
    return time;
}

QString JsonReader::requiredText(const QString& key)
{
    const QString found = text(key).value_or(QString());
    if (found.isEmpty())
        refuse(key, u"expected text, found nothing"_s);
    return found;
}

int JsonReader::requiredWhole(const QString& key)
{
    const auto found = whole(key);
    if (!found)
        refuse(key, u"expected a whole number, found nothing"_s);
    return found.value_or(0);
}

std::optional<QJsonArray> JsonReader::array(const QString& key)
{
    const QJsonValue value = readValue(key);
    if (value.isNull())
        return std::nullopt;
    if (!value.isArray()) {
        wrongType(key, u"a list"_s, value);
        return std::nullopt;
    }
    return value.toArray();
}

std::optional<QStringList> JsonReader::texts(const QString& key)
{
    const auto elements = array(key);
    if (!elements)
        return std::nullopt;
    QStringList result;
    for (qsizetype i = 0; i < elements->size(); ++i) {
        if (!elements->at(i).isString()) {
            wrongType(key, u"text as element %1 of the list"_s.arg(i), elements->at(i));
            return std::nullopt;
        }
        result.append(elements->at(i).toString());
    }
    return result;
}

std::optional<QString> JsonReader::lines(const QString& key)
{
    if (m_object.value(key).isArray()) {
        const auto all = texts(key);
        return all ? std::optional(all->join(u'\n')) : std::nullopt;
    }
    return text(key);
}

std::optional<JsonReader> JsonReader::object(const QString& key)
{
    const QJsonValue value = readValue(key);
    if (value.isNull())
        return std::nullopt;
    if (!value.isObject()) {
        wrongType(key, u"an object"_s, value);
        return std::nullopt;
    }
    return JsonReader(value.toObject(), memberPath(m_path, key));
}

QList<JsonReader> JsonReader::objects(const QString& key)
{
    QList<JsonReader> readers;
    const auto elements = array(key);
    if (!elements)
        return readers;
    for (qsizetype i = 0; i < elements->size(); ++i) {
        if (!elements->at(i).isObject()) {
            wrongType(key, u"an object as element %1 of the list"_s.arg(i), elements->at(i));
            return {};
        }
        readers.append(JsonReader(elements->at(i).toObject(), memberPath(m_path, key) + u"[%1]"_s.arg(i)));
    }
    return readers;
}

bool JsonReader::has(const QString& key) const
{
    const QJsonValue value = m_object.value(key);
    return !value.isUndefined() && !value.isNull();
}

void JsonReader::ignore(const QString& key)
{
    if (!m_asked.contains(key))
        m_asked.append(key);
}

void JsonReader::absorb(const JsonReader& nested)
{
    if (!m_fault && nested.m_fault)
        m_fault = nested.m_fault;
    m_nestedUnknown += nested.unknownMembers();
}

QStringList JsonReader::unknownMembers() const
{
    QStringList unknown;
    const QStringList keys = m_object.keys();
    for (const QString& key : keys) {
        if (!m_asked.contains(key))
            unknown.append(memberPath(m_path, key));
    }
    return unknown + m_nestedUnknown;
}

Result<QJsonObject> parseJsonObject(const QByteArray& bytes, const QString& name)
{
    const qsizetype skipped = bytes.startsWith("\xef\xbb\xbf") ? 3 : 0; // a byte order mark, as some editors write it
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(bytes.mid(skipped), &problem);
    if (problem.error != QJsonParseError::NoError) {
        // Qt has already stepped over the character that it did not expect
        const QByteArray before = bytes.left(skipped + qMax(0, problem.offset - 1));
        const qsizetype line = before.count('\n') + 1;
        const qsizetype column = before.size() - (before.lastIndexOf('\n') + 1) + 1;
        return fail(Fault::Unreadable,
            u"%1, line %2, column %3: this is not JSON"_s.arg(name, QString::number(line), QString::number(column)),
            problem.errorString(), u"Look for a missing comma, quote or bracket at or just before that place."_s);
    }
    if (!document.isObject())
        return fail(Fault::Unreadable, name + u": the file must hold one JSON object"_s, u"$"_s,
            u"Put everything between { and }."_s);
    return document.object();
}

} // namespace rankwright::inline core
