// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/designjson.h"

#include "models/core/jsonreader.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/fieldtable.h"

#include <QJsonDocument>

#include <limits>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

constexpr int formatVersion = 1;

QString quoted(const QString& text) { return u"“"_s + text.left(60) + u"”"_s; }

/// "01:00:00" as Slurm takes it, or a number of minutes.
std::optional<Seconds> readTime(JsonReader& json, const QString& key)
{
    if (json.json().value(key).isDouble()) {
        const auto minutes = json.number(key);
        if (minutes && !(*minutes >= 0 && *minutes <= 1e9)) {
            json.refuse(key, u"minutes must be from 0 to 1000000000"_s);
            return std::nullopt;
        }
        return minutes ? std::optional(Seconds{qRound64(*minutes * 60)}) : std::nullopt;
    }
    const auto text = json.text(key);
    if (!text)
        return std::nullopt;
    const auto time = parseSlurmTime(*text);
    if (!time) {
        json.refuse(key, time.error().what + u". "_s + time.error().remedy);
        return std::nullopt;
    }
    return *time;
}

/// "480G" as Slurm takes it, or a number of bytes.
std::optional<Bytes> readMemory(JsonReader& json, const QString& key)
{
    if (json.json().value(key).isDouble()) {
        const auto count = json.integer(key, 0, qint64(1) << 62);
        return count ? std::optional(Bytes{*count}) : std::nullopt;
    }
    const auto text = json.text(key);
    if (!text)
        return std::nullopt;
    const auto memory = parseSlurmMemory(*text);
    if (!memory) {
        json.refuse(key, memory.error().what + u". "_s + memory.error().remedy);
        return std::nullopt;
    }
    return *memory;
}

QList<OverrideBlock> readOverrides(JsonReader& json, const QString& key)
{
    QList<OverrideBlock> blocks;
    QList<JsonReader> members = json.objects(key);
    for (JsonReader& member : members) {
        OverrideBlock block;
        block.after = member.text(u"after"_s).value_or(QString());
        const auto below = member.integer(u"below"_s, 0, 1000000);
        block.below = below ? static_cast<int>(*below) : 0;
        block.instead = member.texts(u"instead"_s).value_or(QStringList());
        block.lines = member.texts(u"lines"_s).value_or(QStringList());
        block.toEnd = member.flag(u"toEnd"_s).value_or(false);
        block.noFinalNewline = member.flag(u"noFinalNewline"_s).value_or(false);
        block.isLatin1 = member.flag(u"isLatin1"_s).value_or(false);
        blocks.append(block);
        json.absorb(member);
    }
    return blocks;
}

// One reading and one writing for each type of member: that a field is of this type is all that its row has to say.

void read(JsonReader& json, const QString& key, QString& out) { out = json.text(key).value_or(QString()); }
void read(JsonReader& json, const QString& key, std::optional<QString>& out) { out = json.text(key); }
void read(JsonReader& json, const QString& key, std::optional<bool>& out) { out = json.flag(key); }
void read(JsonReader& json, const QString& key, std::optional<double>& out) { out = json.number(key); }
void read(JsonReader& json, const QString& key, std::optional<Seconds>& out) { out = readTime(json, key); }
void read(JsonReader& json, const QString& key, std::optional<Bytes>& out) { out = readMemory(json, key); }
void read(JsonReader& json, const QString& key, QStringList& out) { out = json.texts(key).value_or(QStringList()); }
void read(JsonReader& json, const QString& key, QList<OverrideBlock>& out) { out = readOverrides(json, key); }

void read(JsonReader& json, const QString& key, std::optional<int>& out)
{
    // any int is read: a figure that makes no sense is a finding with a fix, not an unreadable file
    const auto value = json.integer(key, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    out = value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

void read(JsonReader& json, const QString& key, std::optional<qint64>& out)
{
    constexpr qint64 most = std::numeric_limits<qint64>::max();
    out = json.integer(key, -most, most);
}

void read(JsonReader& json, const QString& key, QMap<QString, QString>& out)
{
    auto member = json.object(key);
    if (!member)
        return;
    const QStringList names = member->json().keys();
    for (const QString& name : names) {
        if (const auto value = member->text(name))
            out.insert(name, *value);
    }
    json.absorb(*member);
}

/// The model: kept as read, whatever is in it.
void read(JsonReader& json, const QString& key, QJsonObject& out)
{
    if (const auto member = json.object(key))
        out = member->json();
}

/// An enumerator by its word, with a fault that lists the words.
template <typename Enum>
void read(JsonReader& json, const QString& key, std::optional<Enum>& out)
{
    const auto text = json.text(key);
    out = text ? enumeratorOf<Enum>(*text) : std::nullopt;
    if (text && !out)
        json.refuse(key, u"expected one of "_s + fileWords<Enum>().join(u", "_s) + u"; found "_s + quoted(*text));
}

/// "resources.nodes" is "nodes" of the part "resources"; "training.adapter.rank" "rank" of a part of "training"; "name"
/// is of no part.
struct PlaceInFile {
    QString part;
    QString key;
};

PlaceInFile placeOf(QLatin1StringView path)
{
    const qsizetype dot = path.lastIndexOf(u'.');
    return dot < 0 ? PlaceInFile{{}, path} : PlaceInFile{path.first(dot), path.sliced(dot + 1)};
}

JobSpec readMembers(JsonReader& json)
{
    json.ignore(u"note"_s);
    json.ignore(u"understood"_s); // what "read" adds for people
    json.ignore(u"notUnderstood"_s);
    json.ignore(u"fields"_s);
    json.ignore(u"commandsKept"_s);
    if (!json.has(field::cluster))
        json.refuse(field::cluster, u"the name of a cluster is needed, for instance \"lumi\""_s);
    JobSpec spec;
    std::vector<std::pair<QString, std::optional<JsonReader>>> parts; // in the order of the form; inner ones after
    const auto partOf = [&](const QString& name, const auto& self) -> std::optional<JsonReader>& {
        for (auto& [known, part] : parts) {
            if (known == name)
                return part;
        }
        const qsizetype dot = name.lastIndexOf(u'.');
        std::optional<JsonReader> inner;
        if (dot < 0)
            inner = json.object(name);
        else if (std::optional<JsonReader>& outer = self(name.first(dot), self))
            inner = outer->object(name.sliced(dot + 1));
        return parts.emplace_back(name, std::move(inner)).second;
    };
    for (const SpecField& field : specFields()) {
        const PlaceInFile place = placeOf(field.path);
        JsonReader* reader = &json;
        if (!place.part.isEmpty()) {
            std::optional<JsonReader>& part = partOf(place.part, partOf);
            if (!part)
                continue;
            reader = &*part;
        }
        std::visit([&](const auto& member) { read(*reader, place.key, member.in(spec)); }, field.member);
    }
    for (auto one = parts.rbegin(); one != parts.rend(); ++one) {
        const qsizetype dot = one->first.lastIndexOf(u'.');
        if (one->second && dot >= 0)
            partOf(one->first.first(dot), partOf)->absorb(*one->second);
    }
    for (const auto& [name, part] : parts) {
        if (part && !name.contains(u'.'))
            json.absorb(*part);
    }
    return spec;
}

QJsonValue json(const QString& text) { return text; }
QJsonValue json(bool value) { return value; }
QJsonValue json(int value) { return value; }
QJsonValue json(qint64 value) { return value; }
QJsonValue json(double value) { return value; }
QJsonValue json(Seconds time) { return slurmTime(time); }
QJsonValue json(const QStringList& texts) { return QJsonArray::fromStringList(texts); }
QJsonValue json(const QJsonObject& model) { return model.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(model); }

QJsonValue json(Bytes bytes)
{
    // Slurm's spelling counts whole MiB; what is not whole is kept exactly, as bytes
    return bytes.count % 1048576 == 0 && bytes.count >= 0 ? QJsonValue(slurmMemory(bytes)) : QJsonValue(bytes.count);
}

QJsonValue json(const QMap<QString, QString>& variables)
{
    QJsonObject object;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        object.insert(it.key(), it.value());
    return object;
}

QJsonValue json(const QList<OverrideBlock>& blocks)
{
    QJsonArray array;
    for (const OverrideBlock& block : blocks) {
        QJsonObject member{{u"after"_s, block.after}, {u"below"_s, block.below},
            {u"instead"_s, QJsonArray::fromStringList(block.instead)},
            {u"lines"_s, QJsonArray::fromStringList(block.lines)}};
        if (block.toEnd)
            member.insert(u"toEnd"_s, true);
        if (block.noFinalNewline)
            member.insert(u"noFinalNewline"_s, true);
        if (block.isLatin1)
            member.insert(u"isLatin1"_s, true);
        array.append(member);
    }
    return array;
}

template <typename Enum>
requires std::is_enum_v<Enum> QJsonValue json(Enum value) { return QString(wordOf(value)); }

template <typename Value>
QJsonValue json(const std::optional<Value>& value)
{
    return value ? json(*value) : QJsonValue(QJsonValue::Null);
}

} // namespace

Result<ReadDesign> readDesign(const QByteArray& json, const QString& name)
{
    const auto object = parseJsonObject(json, name);
    if (!object)
        return fail(object.error());
    JsonReader reader(*object);
    const auto version = reader.integer(u"version"_s, 1, std::numeric_limits<int>::max());
    if (!reader.fault() && version != formatVersion) {
        return fail(Fault::Unreadable,
            version ? u"%1: $.version: this program reads designs of version 1, found %2"_s.arg(
                name, QString::number(*version))
                    : u"%1: $.version: a version is needed"_s.arg(name),
            u"$.version"_s, u"Put \"version\": 1 first, or open a newer design with a newer program."_s);
    }
    ReadDesign design;
    design.spec = readMembers(reader);
    if (reader.fault()) {
        Error error = reader.fault()->within(name);
        error.remedy = u"Correct that member; the format is described in docs/design_file.md."_s;
        return fail(error);
    }
    design.unknownMembers = reader.unknownMembers();
    return design;
}

QByteArray writeDesign(const JobSpec& spec)
{
    QJsonObject document{{u"version"_s, formatVersion}};
    QMap<QString, QJsonObject> parts;
    for (const SpecField& field : specFields()) {
        const PlaceInFile place = placeOf(field.path);
        QJsonObject& into = place.part.isEmpty() ? document : parts[place.part];
        into.insert(place.key, std::visit([&](const auto& member) { return json(member.of(spec)); }, field.member));
    }
    const QStringList names = parts.keys(); // an inner part's name is after that of the part it is in
    for (auto name = names.crbegin(); name != names.crend(); ++name) {
        const qsizetype dot = name->lastIndexOf(u'.');
        QJsonObject& into = dot < 0 ? document : parts[name->first(dot)];
        into.insert(name->sliced(dot + 1), parts.value(*name));
    }
    QByteArray text = QJsonDocument(document).toJson(QJsonDocument::Indented);
    // Qt takes a byte order mark at the beginning of any text for one and drops it: escaped, it stays.
    return text.replace("\xef\xbb\xbf", "\\ufeff");
}

} // namespace rankwright::inline script
