// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"

#include "models/core/jsonreader.h"
#include "models/script/bind/scriptfields.h"
#include "models/script/document/authoredit.h"
#include "models/script/document/designjson.h"
#include "models/script/read/scriptimport.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/overrides.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// A number as a number; nothing known as null.
QJsonValue fieldValue(const ScriptField& field)
{
    bool fine = false;
    const qint64 number = field.value.toLongLong(&fine);
    if (fine && QString::number(number) == field.value)
        return number;
    return field.value.isEmpty() && field.state != ScriptField::State::Bound ? QJsonValue() : QJsonValue(field.value);
}

QJsonObject fieldsJson(const ScriptFields& bound)
{
    QJsonObject answer;
    for (auto it = bound.fields.cbegin(); it != bound.fields.cend(); ++it) {
        QJsonArray places;
        for (const ScriptPlace& place : it->places)
            places.append(
                QJsonObject{{u"line"_s, place.line}, {u"column"_s, place.column}, {u"length"_s, place.length}});
        answer.insert(it.key(),
            QJsonObject{{u"value"_s, fieldValue(*it)}, {u"places"_s, places},
                {u"why"_s, it->why.isEmpty() ? QJsonValue() : QJsonValue(it->why)}, {u"canBeSet"_s, it->canBeSet()},
                {u"notes"_s, QJsonArray::fromStringList(it->notes)}});
    }
    return answer;
}

QJsonObject answerOf(const JobSpec& spec, const ScriptReading& reading, const AuthorScript& script)
{
    QJsonObject answer = *parseJsonObject(writeDesign(spec), u"design"_s);
    QJsonObject understood;
    for (auto it = script.lines.cbegin(); it != script.lines.cend(); ++it) {
        if (*it > 0)
            understood.insert(it.key(), *it);
    }
    QJsonArray rest;
    for (const NotUnderstood& part : reading.notUnderstood)
        rest.append(QJsonObject{{u"line"_s, part.line > 0 ? QJsonValue(part.line) : QJsonValue()},
            {u"text"_s, part.text}, {u"why"_s, part.why}});
    answer.insert(u"understood"_s, understood);
    answer.insert(u"notUnderstood"_s, rest);
    answer.insert(u"fields"_s, fieldsJson(script.fields));
    answer.insert(u"commandsKept"_s, authorText(spec.overrides).has_value());
    return answer;
}

/// "parallel.strategy" of a design's JSON, as text.
QString valueAt(const QJsonObject& design, const QString& path)
{
    QJsonValue value = design;
    for (const QString& name : path.split(u'.'))
        value = value.toObject().value(name);
    if (value.isArray())
        return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    if (value.isObject())
        return QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    return value.toVariant().toString();
}

void printForPeople(
    QTextStream& out, const QJsonObject& design, const ScriptReading& reading, const AuthorScript& script)
{
    TextTable fields({u"field"_s, u"value"_s, u"line"_s});
    for (auto it = script.lines.cbegin(); it != script.lines.cend(); ++it) {
        const QString value = valueAt(design, it.key());
        if (!value.isEmpty() && *it > 0)
            fields.add({it.key(), value.left(80), QString::number(it.value())});
    }
    fields.print(out);
    if (reading.notUnderstood.isEmpty())
        return;
    out << u"\nThere is no field for:\n"_s;
    for (const NotUnderstood& part : reading.notUnderstood)
        out << u"  line %1: %2\n      %3\n"_s.arg(part.line).arg(part.text.left(100), part.why);
}

void printFields(QTextStream& out, const QString& text)
{
    TextTable table({u"field"_s, u"value"_s, u"lines"_s});
    const ScriptFields bound = bindScript(text);
    for (auto it = bound.fields.cbegin(); it != bound.fields.cend(); ++it) {
        QStringList lines;
        for (const ScriptPlace& place : it->places)
            lines.append(QString::number(place.line));
        lines.removeDuplicates();
        if (!it->value.isEmpty())
            table.add({it.key(), it->value.left(80), lines.isEmpty() ? it->why : lines.join(u", ")});
    }
    table.print(out);
}

/// As the window opens a script: ours is read back into its fields, any other stays its author's text.
JobSpec specOf(
    const ScriptBytes& script, const BatchText& batch, const ScriptReading& reading, const ClusterProfile& profile)
{
    if (isOwnScript(batch))
        return designOf(reading, batch, profile);
    JobSpec fresh;
    fresh.cluster = profile.name;
    fresh.overrides = authorBlocks(script.text, script.isUtf8 ? ScriptEncoding::Utf8 : ScriptEncoding::Latin1);
    return withAuthorText(fresh, script.text, profile);
}

/// Where the fields stand does not depend on the cluster; a design does.
int readFields(const CliContext& context, const QString& text)
{
    if (context.has(u"exact"_s))
        return report(context,
            {Fault::Invalid, u"--exact: a design needs a cluster"_s, {},
                u"name the script's cluster with --cluster, for instance lumi"_s});
    if (context.json)
        printJson(context.out, QJsonObject{{u"fields"_s, fieldsJson(bindScript(text))}});
    else
        printFields(context.out, text);
    return ExitDone;
}

int runRead(const CliContext& context)
{
    const QString cluster = context.option(u"cluster"_s);
    const ClusterProfile* profile = context.catalogue.find(cluster);
    if (profile == nullptr && context.has(u"cluster"_s))
        return report(context,
            {Fault::Invalid, u"--cluster: “%1” is not in the catalogue"_s.arg(cluster), {},
                u"choose one of "_s + context.catalogue.names().join(u", "_s)});
    const Result<ScriptBytes> script = loadScript(context);
    if (!script)
        return report(context, script.error());
    const QString& text = script->text;
    if (text.size() > largestScript)
        return report(context,
            {Fault::Unreadable,
                u"%1: larger than the 4 MB that sbatch takes of a script"_s.arg(context.positional.first()), {},
                u"keep data in a file of its own"_s});
    if (profile == nullptr)
        return readFields(context, text);
    const BatchText batch = parseBatch(text);
    ScriptReading reading = readScript(batch, *profile);
    const AuthorScript author = authorScriptOf(text, *profile);
    const JobSpec spec = specOf(*script, batch, reading, *profile);
    if (isOwnScript(batch))
        dropOwnLines(reading, spec, *profile);
    const QJsonObject answer = answerOf(spec, reading, author);
    if (context.json)
        printJson(context.out, answer);
    else
        printForPeople(context.out, answer, reading, author);
    return ExitDone;
}

} // namespace

CliCommand readCommand()
{
    return {
        .name = "read",
        .summary = "The fields of a hand-written batch script, and its design",
        .words = "SCRIPT.sh|-",
        .run = runRead,
        .options = {{.name = "cluster",
                        .value = "CLUSTER",
                        .text = "where the script runs; without it no design, its fields alone"},
            {.name = "exact", .text = "as without it: the script of the design is always this text, byte for byte"}},
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
