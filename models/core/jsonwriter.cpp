// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/jsonwriter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline core {

namespace {

constexpr int longestLine = 110; // a list of texts up to this long is on one line

QString indent(int depth) { return QString(depth * 2, u' '); }

} // namespace

QString JsonWriter::quoted(const QString& text)
{
    // Qt escapes as JSON wants it; the brackets of the list that it needs are taken off again.
    const QByteArray list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(list.mid(1, list.size() - 2));
}

void JsonWriter::put(const QString& key, const QString& value)
{
    m_members.append({key, value, {}, false, Layout::Spread});
}

JsonWriter& JsonWriter::text(const QString& key, const QString& value)
{
    if (value.contains(u'\n'))
        return texts(key, value.split(u'\n'));
    if (!value.isEmpty())
        put(key, quoted(value));
    return *this;
}

JsonWriter& JsonWriter::texts(const QString& key, const QStringList& values)
{
    if (values.isEmpty())
        return *this;
    QStringList all;
    for (const QString& value : values)
        all.append(quoted(value));
    const QString oneLine = u'[' + all.join(u", "_s) + u']';
    // \x01 stands for the indentation, which is known only when the text is written
    put(key, oneLine.size() <= longestLine ? oneLine : u"[\x01  "_s + all.join(u",\x01  "_s) + u"\x01]"_s);
    return *this;
}

JsonWriter& JsonWriter::number(const QString& key, std::optional<double> value)
{
    constexpr double wholeBelow = 1e15; // written without an exponent up to here, as people do
    if (value && *value == std::floor(*value) && std::abs(*value) < wholeBelow)
        put(key, QString::number(qint64(*value)));
    else if (value)
        put(key, QString::number(*value, 'g', QLocale::FloatingPointShortest));
    return *this;
}

JsonWriter& JsonWriter::whole(const QString& key, std::optional<int> value)
{
    if (value)
        put(key, QString::number(*value));
    return *this;
}

JsonWriter& JsonWriter::flag(const QString& key, bool value, bool whenMissing)
{
    if (value != whenMissing)
        put(key, value ? u"true"_s : u"false"_s);
    return *this;
}

JsonWriter& JsonWriter::object(const QString& key, const JsonWriter& value, Layout layout)
{
    if (!value.isEmpty())
        m_members.append({key, {}, {value}, false, layout});
    return *this;
}

JsonWriter& JsonWriter::objects(const QString& key, const QList<JsonWriter>& values, Layout layout)
{
    if (!values.isEmpty())
        m_members.append({key, {}, values, true, layout});
    return *this;
}

QString JsonWriter::valueText(const Member& member, int depth) const
{
    if (member.parts.isEmpty())
        return QString(member.value).replace(u'\x01', u'\n' + indent(depth));
    if (!member.isList)
        return member.layout == Layout::OneLine ? member.parts.first().writeOnOneLine()
                                                : member.parts.first().write(depth);
    QStringList rows;
    for (const JsonWriter& part : member.parts)
        rows.append(
            indent(depth + 1) + (member.layout == Layout::OneLine ? part.writeOnOneLine() : part.write(depth + 1)));
    return u"[\n"_s + rows.join(u",\n"_s) + u'\n' + indent(depth) + u']';
}

QString JsonWriter::write(int depth) const
{
    if (m_members.isEmpty())
        return u"{}"_s;
    QStringList rows;
    for (const Member& member : m_members)
        rows.append(indent(depth + 1) + quoted(member.key) + u": "_s + valueText(member, depth + 1));
    return u"{\n"_s + rows.join(u",\n"_s) + u'\n' + indent(depth) + u'}';
}

QString JsonWriter::writeOnOneLine() const
{
    QStringList cells;
    for (const Member& member : m_members) {
        QString value = member.value;
        if (!member.parts.isEmpty()) {
            QStringList parts;
            for (const JsonWriter& part : member.parts)
                parts.append(part.writeOnOneLine());
            value = member.isList ? u'[' + parts.join(u", "_s) + u']' : parts.first();
        }
        cells.append(quoted(member.key) + u": "_s + value.remove(u'\x01'));
    }
    return u'{' + cells.join(u", "_s) + u'}';
}

} // namespace rankwright::inline core
