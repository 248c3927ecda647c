// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/trainerkeys.h"

#include "models/core/jsonreader.h"

#include <QJsonObject>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

QString unquoted(QString value)
{
    value = value.trimmed();
    if (value.size() > 1 && (value.startsWith(u'"') || value.startsWith(u'\'')) && value.endsWith(value.front()))
        return value.sliced(1, value.size() - 2);
    return value;
}

bool isNumber(const QString& word)
{
    bool fine = false;
    word.toDouble(&fine);
    return fine;
}

void addJson(const QJsonObject& object, const QString& above, QHash<QString, QString>& out)
{
    for (auto member = object.begin(); member != object.end(); ++member) {
        const QString key = above + member.key();
        if (member->isObject())
            addJson(member->toObject(), key + u'.', out);
        else
            out.insert(key, member->toVariant().toString());
    }
}

} // namespace

TrainerKeys TrainerKeys::ofWords(const QStringList& words)
{
    TrainerKeys keys;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString& word = words.at(i);
        if (word.contains(u' ') && !word.startsWith(u'-')) { // the text of a small shell
            keys.m_values.insert(ofWords(word.split(u' ', Qt::SkipEmptyParts)).m_values);
            continue;
        }
        static const QRegularExpression overriding(u"^\\+{0,2}([A-Za-z][\\w.]*\\.\\w+)=(.*)$"_s);
        if (const auto match = overriding.match(word); match.hasMatch()) {
            keys.m_values.insert(match.captured(1), unquoted(match.captured(2)));
            continue;
        }
        if (!word.startsWith(u"--"_s))
            continue;
        const qsizetype equals = word.indexOf(u'=');
        const QString name = word.left(equals < 0 ? word.size() : equals).replace(u'_', u'-');
        const QString next = words.value(i + 1);
        const bool takesNext = equals < 0 && i + 1 < words.size() && (!next.startsWith(u'-') || isNumber(next));
        keys.m_values.insert(name, equals >= 0 ? unquoted(word.mid(equals + 1)) : takesNext ? next : QString());
    }
    return keys;
}

TrainerKeys TrainerKeys::ofToml(const QString& text)
{
    static const QRegularExpression table(u"^\\s*\\[([\\w.-]+)\\]\\s*(?:#.*)?$"_s);
    static const QRegularExpression member(u"^\\s*([\\w-]+)\\s*=\\s*(\"[^\"]*\"|'[^']*'|\\[[^\\]]*\\]|[^#]*)"_s);
    TrainerKeys keys;
    QString above;
    for (const QString& line : text.split(u'\n')) {
        if (const auto match = table.match(line); match.hasMatch())
            above = match.captured(1) + u'.';
        else if (const auto value = member.match(line); value.hasMatch())
            keys.m_values.insert(above + value.captured(1), unquoted(value.captured(2)));
    }
    return keys;
}

TrainerKeys TrainerKeys::ofYaml(const QString& text)
{
    static const QRegularExpression member(u"^(\\s*)([\\w-]+):\\s*(\"[^\"]*\"|'[^']*'|[^#]*)"_s);
    TrainerKeys keys;
    QString above;
    for (const QString& line : text.split(u'\n')) {
        const auto match = member.match(line);
        if (!match.hasMatch())
            continue;
        const QString value = unquoted(match.captured(3));
        if (match.captured(1).isEmpty())
            above = value.isEmpty() ? match.captured(2) + u'.' : QString();
        if (!value.isEmpty())
            keys.m_values.insert(above + match.captured(2), value);
    }
    return keys;
}

TrainerKeys TrainerKeys::ofJson(const QString& text)
{
    TrainerKeys keys;
    if (const auto object = parseJsonObject(text.toUtf8(), u"configuration"_s))
        addJson(*object, {}, keys.m_values);
    return keys;
}

TrainerKeys TrainerKeys::overlaidBy(const TrainerKeys& words) const
{
    TrainerKeys both = *this;
    for (auto word = words.m_values.cbegin(); word != words.m_values.cend(); ++word) {
        const QString name = word.key().mid(2).replace(u'-', u'_');
        if (word.key().startsWith(u"--"_s) && name.contains(u'.'))
            both.m_values.insert(name, word.value());
    }
    return both;
}

std::optional<QString> TrainerKeys::text(const QString& key) const
{
    const auto found = m_values.constFind(key);
    return found != m_values.constEnd() ? std::optional(*found) : std::nullopt;
}

std::optional<qint64> TrainerKeys::number(const QString& key) const
{
    bool fine = false;
    const qint64 value = m_values.value(key).toLongLong(&fine);
    return fine ? std::optional(value) : std::nullopt;
}

bool TrainerKeys::isTrue(const QString& key) const
{
    const auto value = text(key);
    return value && (value->isEmpty() || value->compare(u"true"_s, Qt::CaseInsensitive) == 0);
}

bool TrainerKeys::isFalse(const QString& key) const
{
    return m_values.value(key).compare(u"false"_s, Qt::CaseInsensitive) == 0;
}

} // namespace rankwright::inline script
