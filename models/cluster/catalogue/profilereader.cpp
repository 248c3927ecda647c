// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/profilereader.h"

#include "models/core/hostlist.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

constexpr int mostCores = 4096; // of one node; a longer list is a mistake of the file

} // namespace

ProfileReader::ProfileReader(JsonReader& json) : m_json(json)
{
    m_json.ignore(u"note"_s);
    m_json.ignore(u"source"_s);
}

QString ProfileReader::text(const QString& key) { return m_json.text(key).value_or(QString()); }
QString ProfileReader::longText(const QString& key) { return m_json.lines(key).value_or(QString()); }

QString ProfileReader::neededText(const QString& key)
{
    const auto value = m_json.text(key);
    if (!value || value->isEmpty())
        m_json.refuse(key, u"a text is needed here"_s);
    return value.value_or(QString());
}

int ProfileReader::whole(const QString& key, int low, int fallback) { return maybeWhole(key, low).value_or(fallback); }

std::optional<int> ProfileReader::maybeWhole(const QString& key, int low)
{
    const auto value = m_json.integer(key, low, 100'000'000);
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

double ProfileReader::neededNumber(const QString& key)
{
    const auto value = m_json.number(key);
    if (!value)
        m_json.refuse(key, u"a number is needed here"_s);
    return value.value_or(0.0);
}

std::optional<double> ProfileReader::maybePositive(const QString& key)
{
    const auto value = m_json.number(key);
    if (value && !(*value > 0))
        m_json.refuse(key, u"must be larger than 0; leave it out, or null, when it is not published"_s);
    return value;
}

bool ProfileReader::flag(const QString& key, bool fallback) { return m_json.flag(key).value_or(fallback); }
QStringList ProfileReader::texts(const QString& key) { return m_json.texts(key).value_or(QStringList()); }

std::optional<Bytes> ProfileReader::maybeMemory(const QString& key)
{
    const auto value = m_json.text(key);
    if (!value)
        return std::nullopt;
    const auto memory = parseSlurmMemory(*value);
    if (!memory)
        m_json.refuse(key, memory.error().what);
    else if (memory->count == 0)
        m_json.refuse(key, u"a size of 0 is never meant; leave it out, or null, when it is not published"_s);
    return memory ? std::optional(*memory) : std::nullopt;
}

std::optional<Seconds> ProfileReader::maybeTime(const QString& key)
{
    const auto value = m_json.text(key);
    if (!value)
        return std::nullopt;
    const auto time = parseSlurmTime(*value);
    if (!time)
        m_json.refuse(key, time.error().what);
    return time ? std::optional(*time) : std::nullopt;
}

QList<int> ProfileReader::cores(const QString& key)
{
    QList<int> numbers;
    const QString ranges = text(key);
    if (ranges.isEmpty())
        return numbers;
    // "49-55,57" is what is between the brackets of a node list
    const auto expanded = expandHostlist(u'[' + ranges + u']', mostCores);
    if (!expanded) {
        m_json.refuse(key, u"expected cores such as \"49-55,57\", found “"_s + ranges.left(60) + u"”"_s);
        return numbers;
    }
    for (const QString& core : *expanded)
        numbers.append(core.toInt());
    return numbers;
}

int ProfileReader::oneOf(const QString& key, const QStringList& words)
{
    const QString word = text(key);
    const auto at = words.indexOf(word);
    if (at < 0)
        m_json.refuse(key, u"expected one of "_s + words.join(u", "_s) + u"; found “"_s + word.left(60) + u"”"_s);
    return static_cast<int>(qMax<qsizetype>(0, at));
}

void ProfileReader::each(const QString& key, const std::function<void(ProfileReader&)>& part)
{
    QList<JsonReader> elements = m_json.objects(key);
    for (JsonReader& element : elements) {
        ProfileReader reader(element);
        part(reader);
        m_json.absorb(element);
    }
}

void ProfileReader::within(const QString& key, const std::function<void(ProfileReader&)>& part)
{
    auto member = m_json.object(key);
    if (!member)
        return;
    ProfileReader reader(*member);
    part(reader);
    m_json.absorb(*member);
}

} // namespace rankwright::inline cluster

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

QStringList readFingerprints(ProfileReader& reader, const QString& key)
{
    const QStringList prints = reader.texts(key);
    for (const QString& print : prints) {
        if (!print.startsWith(u"SHA256:"_s))
            reader.json().refuse(key, u"a fingerprint starts with SHA256:, found “"_s + print.left(60) + u"”"_s);
    }
    return prints;
}

} // namespace

QString readDay(ProfileReader& reader, const QString& key)
{
    static const QRegularExpression form(u"^\\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?$"_s);
    const QString day = reader.text(key);
    if (!day.isEmpty() && !form.match(day).hasMatch())
        reader.json().refuse(key, u"expected a day, month or year such as \"2026-08-21\""_s);
    return day;
}

LineEvidence readEvidence(ProfileReader& reader)
{
    return {reader.texts(u"images"_s), reader.texts(u"releases"_s), readDay(reader, u"checked"_s)};
}

void readLogin(ProfileReader& reader, LoginRule& login)
{
    login.host = reader.text(u"host"_s);
    if (const auto port = reader.json().integer(u"port"_s, 1, 65535))
        login.port = static_cast<int>(*port);
    login.jump = reader.text(u"jump"_s);
    login.method = reader.longText(u"method"_s);
    login.secondFactor = reader.text(u"secondFactor"_s);
    login.takesKeys = reader.json().flag(u"takesKeys"_s);
    reader.within(u"keyRegistration"_s, [&](ProfileReader& page) {
        login.keyRegistration = {page.neededText(u"title"_s), page.text(u"url"_s), page.text(u"delay"_s)};
        // A click opens it in a browser: nothing but a web page is meant.
        if (const QString& url = login.keyRegistration.url; !url.isEmpty() && !url.startsWith(u"https://"_s))
            page.json().refuse(u"url"_s, u"a page starts with https://, found “"_s + url.left(60) + u"”"_s);
    });
    reader.each(u"others"_s, [&](ProfileReader& other) {
        login.others.append({other.neededText(u"host"_s), other.text(u"purpose"_s)});
    });
    login.fingerprints = readFingerprints(reader, u"fingerprints"_s);
    login.jumpFingerprints = readFingerprints(reader, u"jumpFingerprints"_s);
    login.nodeLogin = reader.json().flag(u"nodeLogin"_s);
    login.note = reader.longText(u"note"_s);
    login.source = reader.longText(u"source"_s);
    if (login.jump.isEmpty() && !login.jumpFingerprints.isEmpty())
        reader.json().refuse(u"jumpFingerprints"_s, u"there is no “jump” that they could belong to"_s);
}

} // namespace rankwright::inline cluster
