// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/authoredit.h"

#include "models/core/linediff.h"
#include "models/core/units.h"
#include "models/planner/design/commandfigures.h"
#include "models/script/batch/batchtext.h"
#include "models/script/bind/boundscript.h"
#include "models/script/document/scriptlosses.h"
#include "models/script/read/scriptimport.h"
#include "models/script/read/scriptvalues.h"
#include "models/script/write/scriptwriter.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

const QString variablesPrefix = u"environment.variables."_s;

// ---- fields of a design as texts of the script ----

QString scriptText(const QString& value) { return value; }
QString scriptText(int value) { return QString::number(value); }
QString scriptText(qint64 value) { return QString::number(value); }
QString scriptText(double value) { return QString::number(value, 'g', 12); }
QString scriptText(Seconds value) { return slurmTime(value); }
QString scriptText(Bytes value) { return slurmMemory(value); }
template <typename Other>
QString scriptText(const Other&)
{
    return {};
}
template <typename Value>
QString scriptText(const std::optional<Value>& value)
{
    return value ? scriptText(*value) : QString();
}

/// As FieldEdit has it; a list in the spelling of its field.
QString editValue(const SpecField& field, const JobSpec& spec)
{
    if (field.path == field::modules)
        return spec.environment.modules.join(u' ');
    if (field.path == field::setup)
        return spec.environment.setup.join(u'\n');
    if (field.path == field::binds)
        return spec.environment.binds.join(u',');
    return std::visit([&spec](const auto& member) { return scriptText(member.of(spec)); }, field.member);
}

/// sbatch(1), --nodes: as many as the tasks need; without tasks, one.
void applyDefaults(const ScriptFields& fields, JobSpec& spec)
{
    const auto isAbsent = [&fields](const QString& path) {
        const ScriptField* field = fields.find(path);
        return field != nullptr && field->state == ScriptField::State::Absent;
    };
    if (!spec.resources.nodes && isAbsent(field::nodes) && isAbsent(u"resources.tasks"_s))
        spec.resources.nodes = 1;
}

// ---- why a field cannot be changed ----

/// What a form shows beside the field's own name.
QString forForm(const QString& path, const QString& what)
{
    const QString named = path + u" cannot be set: "_s;
    QString text = what.startsWith(named) ? what.mid(named.size()) : what;
    if (!text.isEmpty() && !text.endsWith(u'.'))
        text += u'.';
    return text;
}

int lineNamedIn(const QString& why)
{
    static const QRegularExpression named(u"\\bline (\\d+)"_s, QRegularExpression::CaseInsensitiveOption);
    const auto match = named.match(why);
    return match.hasMatch() ? match.captured(1).toInt() : 0;
}

Unexpected<Refusal> refusal(const FieldPath& path, const QString& why)
{
    return {Refusal{path, {Fault::Invalid, why, {}, {}}}};
}

/// Fields that only a command or directive of the script can say; a design's own script would write it.
bool isOfScript(const SpecField& field)
{
    return field.group == FieldGroup::Launch || field.group == FieldGroup::Slurm || field.group == FieldGroup::Resources
        || (field.group == FieldGroup::Job && field.path != field::cluster);
}

/// A figure that the program gets by an argument: the edit of the one argument from which the reader takes it.
std::optional<FieldEdit> argumentFor(const SpecField& field, const JobSpec& before, const JobSpec& after,
    const AuthorScript& script, const ClusterProfile& profile)
{
    const QString old = editValue(field, before), wanted = editValue(field, after);
    if (old.isEmpty() || wanted.isEmpty())
        return std::nullopt;
    for (auto it = script.fields.fields.cbegin(); it != script.fields.fields.cend(); ++it) {
        if (!it.key().startsWith(u"arguments.") || !it->canBeSet() || it->value != old)
            continue;
        const FieldEdit edit{it.key(), wanted, false};
        const Result<EditedScript> edited = setFields(script.read, {edit});
        if (edited && isEqual(field, saidBy(edited->read->parsed, edited->read->fields, profile).spec, after))
            return edit;
    }
    return std::nullopt;
}

/// An option that means the batch of one rank to some programs and that of all to others: its argument is set, not what
/// it may stand for.
QString unsureBatch(const SpecField& field, const JobSpec& spec)
{
    const CommandBatch batch = commandBatch(spec);
    if ((field.path != field::microBatch && field.path != field::globalBatch) || !batchIsAmbiguous(spec, batch))
        return {};
    return u"The script passes %1 %2, which is the batch of one rank for some programs and of all for others: "
           "change that argument."_s.arg(batch.micro->option, batch.micro->value);
}

/// The variables that differ, each an edit of its own.
Expected<QList<FieldEdit>, Refusal> variableEdits(const JobSpec& before, const JobSpec& after)
{
    QList<FieldEdit> edits;
    const auto &from = before.environment.variables, &to = after.environment.variables;
    for (auto it = from.cbegin(); it != from.cend(); ++it) {
        if (!to.contains(it.key()))
            return refusal(field::variables, u"The script exports %1: take the line away in the text."_s.arg(it.key()));
    }
    for (auto it = to.cbegin(); it != to.cend(); ++it) {
        if (from.value(it.key()) != *it || !from.contains(it.key()))
            edits.append({variablesPrefix + it.key(), *it, false});
    }
    return edits;
}

/// "--cpus-per-task" of a script counts the cores of a task; a design counts those of a GPU.
std::optional<FieldEdit> coresOfTask(const JobSpec& before, const JobSpec& after, const AuthorScript& script)
{
    const ScriptField* tasks = script.fields.find(u"resources.cpusPerTask"_s);
    const auto old = before.resources.cpusPerGpu, wanted = after.resources.cpusPerGpu;
    if (tasks == nullptr || tasks->state != ScriptField::State::Bound || !wanted || !old || *old <= 0)
        return std::nullopt;
    const int cores = tasks->value.toInt();
    if (cores % *old != 0)
        return std::nullopt;
    return FieldEdit{u"resources.cpusPerTask"_s, QString::number(cores / *old * *wanted), false};
}

/// Memory that the script asks for by core or GPU: --mem beside it would be refused by sbatch (sbatch(1), --mem).
QString otherMemory(const AuthorScript& script)
{
    for (const QString& path : {u"resources.memoryPerCpu"_s, u"resources.memoryPerGpu"_s}) {
        const ScriptField* other = script.fields.find(path);
        if (other != nullptr && other->state == ScriptField::State::Bound && !other->places.isEmpty())
            return u"The script asks for memory by %1 (line %2)."_s.arg(path.endsWith(u"Cpu") ? u"core"_s : u"GPU"_s)
                .arg(other->places.first().line);
    }
    return {};
}

bool isTyped(const ScriptLine& line)
{
    const QString own = field::overrides;
    return line.origins.contains(own);
}

/// The shown text with the new values of changed fields that stand in typed lines; empty: none does.
QString withTypedPlaces(const JobSpec& before, const WrittenScript& shown, const JobSpec& after)
{
    std::shared_ptr<const BoundScript> read = readFields(shown.batch);
    const ScriptFields says = read->fields;
    bool isChanged = false;
    for (const SpecField& field : specFields()) {
        const ScriptField* bound = says.find(field.path);
        const QString wanted = editValue(field, after);
        if (isOfDocument(field) || isEqual(field, before, after) || wanted.isEmpty() || bound == nullptr)
            continue;
        const bool stands
            = std::any_of(bound->places.cbegin(), bound->places.cend(), [&shown](const ScriptPlace& place) {
                  return place.line >= 1 && place.line <= shown.lines.size() && isTyped(shown.lines.at(place.line - 1));
              });
        if (!stands)
            continue;
        if (const Result<EditedScript> edited = setFields(read, {{field.path, wanted, false}})) {
            read = edited->read;
            isChanged = true;
        }
    }
    return isChanged ? read->batch.text : QString();
}

} // namespace

AuthorScript authorScriptOf(const QString& text, const ClusterProfile& profile)
{
    return authorScriptOf(parseBatch(text), profile);
}

AuthorScript authorScriptOf(const BatchText& batch, const ClusterProfile& profile)
{
    return authorScriptOf(readFields(batch), profile);
}

AuthorScript authorScriptOf(const std::shared_ptr<const BoundScript>& read, const ClusterProfile& profile)
{
    AuthorScript script;
    script.text = read->batch.text;
    script.batch = read->parsed;
    script.fields = read->fields;
    script.read = read;
    script.reading = saidBy(script.batch, script.fields, profile);
    applyDefaults(script.fields, script.reading.spec);
    const ScriptReading& reading = script.reading;
    const JobSpec open;
    for (const SpecField& field : specFields()) {
        if (isOfDocument(field) || isEqual(field, reading.spec, open))
            continue;
        const ScriptField* bound = script.fields.find(field.path);
        const int line = bound != nullptr && !bound->places.isEmpty() ? bound->places.first().line : 0;
        script.lines.insert(field.path, line > 0 ? line : reading.understood.value(field.path));
    }
    return script;
}

ScriptDocument documentOf(const AuthorScript& script)
{
    ScriptDocument document;
    const QStringList lines = authorBlocks(script.text).first().lines;
    for (const QString& line : lines)
        document.lines.append({line, {}, {}, {}});
    document.finalNewline = script.text.isEmpty() || script.text.endsWith(u'\n');
    for (auto it = script.fields.fields.cbegin(); it != script.fields.fields.cend(); ++it) {
        for (const ScriptPlace& place : it->places) {
            if (place.line >= 1 && place.line <= document.lines.size())
                document.lines[place.line - 1].origins.append(it.key());
        }
    }
    return document;
}

JobSpec withAuthorText(
    const JobSpec& spec, const QString& text, const ClusterProfile& profile, const AuthorScript* before)
{
    return withAuthorScript(spec, authorScriptOf(text, profile), before);
}

JobSpec withAuthorScript(const JobSpec& spec, const AuthorScript& script, const AuthorScript* before)
{
    const JobSpec& says = script.reading.spec;
    JobSpec out = spec;
    const JobSpec open;
    for (const SpecField& field : specFields()) {
        if (isOfDocument(field))
            continue;
        if (!isEqual(field, says, open))
            copyField(field, says, out);
        else if (before != nullptr && before->lines.contains(field.path))
            copyField(field, open, out);
    }
    out.overrides = authorBlocks(script.text, encodingOf(spec.overrides));
    return out;
}

Expected<QList<FieldEdit>, Refusal> fieldEdits(
    const JobSpec& before, const JobSpec& after, const AuthorScript& script, const ClusterProfile& profile)
{
    QList<FieldEdit> edits;
    for (const SpecField& field : specFields()) {
        if (isOfDocument(field) || isEqual(field, before, after))
            continue;
        if (field.path == field::variables) {
            const auto variables = variableEdits(before, after);
            if (!variables)
                return Unexpected<Refusal>{variables.error()};
            edits += *variables;
            continue;
        }
        if (field.path == field::cpusPerGpu) {
            if (const auto edit = coresOfTask(before, after, script)) {
                edits.append(*edit);
                continue;
            }
        }
        const FieldTie tie = fieldTie(script, field.path);
        if (tie.kind == FieldTie::Kind::Bound || tie.kind == FieldTie::Kind::Inserted) {
            edits.append({field.path, editValue(field, after), false});
            continue;
        }
        if (const auto argument = argumentFor(field, before, after, script, profile)) {
            edits.append(*argument);
            continue;
        }
        if (const QString unsure = unsureBatch(field, before); !unsure.isEmpty())
            return refusal(field.path, unsure);
        const bool isSaid = script.lines.contains(field.path);
        if (tie.kind == FieldTie::Kind::Free && !isSaid)
            continue;
        const int line = tie.line > 0 ? tie.line : script.lines.value(field.path);
        const QString why = !tie.why.isEmpty() ? tie.why
            : line > 0                         ? u"The script says it in line %1: change it there."_s.arg(line)
                                               : u"The script's own figures say it: change them in the text."_s;
        return refusal(field.path, why);
    }
    return edits;
}

Expected<EditedScript, Refusal> withEdits(const std::shared_ptr<const BoundScript>& read, const QList<FieldEdit>& edits)
{
    EditedScript now{read->batch.text, {}, read};
    for (const FieldEdit& edit : edits) {
        const Result<EditedScript> edited = setFields(now.read, {edit});
        if (!edited)
            return Unexpected<Refusal>{{edit.path,
                {edited.error().fault, forForm(edit.path, edited.error().what), {}, edited.error().remedy}}};
        now = *edited;
    }
    return now;
}

JobSpec withTypedLines(
    const JobSpec& before, const WrittenScript& shown, const JobSpec& after, const ClusterProfile& profile)
{
    const QString text = withTypedPlaces(before, shown, after);
    const QStringList lines = linesOfText(text);
    if (text.isEmpty() || lines.size() != shown.lines.size())
        return after;
    // Blocks stand in the script in their order, line by line.
    JobSpec out = after;
    QSet<int> changed;
    qsizetype at = 0;
    for (int i = 0; i < out.overrides.size(); ++i) {
        for (QString& line : out.overrides[i].lines) {
            while (at < lines.size() && !isTyped(shown.lines.at(at)))
                ++at;
            if (at == lines.size() || shown.lines.at(at).text != line)
                return after;
            if (line != lines.at(at))
                changed.insert(i);
            line = lines.at(at++);
        }
    }
    // They follow the field, so they contradict nothing.
    for (const OverrideNote& note : writtenScript(resolve(out, profile), profile).notes) {
        if (note.kind != OverrideNote::Kind::Contradicts || !changed.contains(note.block))
            continue;
        for (QString& line : out.overrides[note.block].instead) {
            if (scriptLineKey(line) == scriptLineKey(note.generated))
                line = note.generated;
        }
    }
    return out;
}

Expected<JobSpec, Refusal> withFieldsInText(const JobSpec& spec, const ClusterProfile& profile)
{
    const std::optional<QString> text = authorText(spec.overrides);
    if (!text)
        return spec;
    const AuthorScript script = authorScriptOf(*text, profile);
    const JobSpec open;
    JobSpec bare = spec;
    for (const SpecField& field : specFields()) {
        if (!isOfDocument(field) && isOfScript(field))
            copyField(field, open, bare);
    }
    const JobSpec before = withAuthorScript(bare, script);
    JobSpec after = spec;
    for (const SpecField& field : specFields()) {
        if (!isOfDocument(field) && isEqual(field, spec, open))
            copyField(field, before, after);
    }
    const auto edits = fieldEdits(before, after, script, profile);
    if (!edits)
        return Unexpected<Refusal>{edits.error()};
    const auto edited = withEdits(script.read, *edits);
    if (!edited)
        return Unexpected<Refusal>{edited.error()};
    return withAuthorScript(after, authorScriptOf(edited->read, profile), &script);
}

RewrittenDesign rewrittenDesign(const JobSpec& spec, const AuthorScript& script, const ClusterProfile& profile)
{
    const ScriptReading reading = readScript(script.batch, profile);
    RewrittenDesign out{rewrittenDesignOf(reading, profile), {}};
    out.losses = scriptLosses(script.batch, reading, writtenScript(resolve(out.spec, profile), profile).batch);
    const JobSpec open;
    for (const SpecField& field : specFields()) {
        if (!isOfDocument(field) && !script.lines.contains(field.path) && isEqual(field, out.spec, open))
            copyField(field, spec, out.spec);
    }
    return out;
}

FieldTie fieldTie(const AuthorScript& script, const FieldPath& path)
{
    using Kind = FieldTie::Kind;
    using State = ScriptField::State;
    const ScriptField* bound = script.fields.find(path);
    if (path == field::variables)
        return {Kind::Bound, {}, 0};
    if (path == field::cpusPerGpu && script.lines.contains(path)) {
        const ScriptField* tasks = script.fields.find(u"resources.cpusPerTask"_s);
        if (tasks != nullptr && tasks->state == State::Bound)
            return {Kind::Bound, {}, tasks->places.isEmpty() ? 0 : tasks->places.first().line};
    }
    if (path == field::memoryPerNode && bound != nullptr && bound->state == State::Absent) {
        if (const QString other = otherMemory(script); !other.isEmpty())
            return {Kind::TextOnly, other, lineNamedIn(other)};
    }
    if (bound != nullptr) {
        const int line = !bound->places.isEmpty() ? bound->places.first().line : lineNamedIn(bound->why);
        switch (bound->state) {
        case State::Bound: return {Kind::Bound, {}, line};
        case State::Absent: return {Kind::Inserted, bound->why, 0};
        case State::Follows: return {Kind::Follows, bound->why, line};
        case State::Undecided: return {Kind::Undecided, bound->why, line > 0 ? line : script.lines.value(path)};
        }
    }
    const SpecField* known = specField(path);
    if (known == nullptr || !isOfScript(*known))
        return {};
    const int line = script.lines.value(path);
    if (line > 0)
        return {Kind::TextOnly, u"Line %1 of the script says it: change it there."_s.arg(line), line};
    return {Kind::TextOnly, u"The script says nothing of it: add it to the text."_s, 0};
}

} // namespace rankwright::inline script
