// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/scriptedit.h"

#include "models/core/linediff.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/read/scriptvalues.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// Deleting its line clears such a field; without the line of any other the script only has a default of Slurm's.
bool isClearedByDeletion(const SpecField& field)
{
    static const QSet<FieldPath> those{field::account, field::reservation, field::workdir, field::qos,
        field::constraint, field::exclude, field::exclusive, field::localDisk, field::signal, field::requeue,
        field::array, field::dependency, field::output, field::error, field::mailUser, field::mailType, field::sampler,
        field::modules, field::setup, field::binds};
    return those.contains(field.path);
}

/// Said by the launch: nothing of it counts while the launch is half typed.
bool isOfLaunch(const SpecField& field)
{
    static const QSet<FieldPath> those{field::launcher, field::command, field::cpuBinding, field::numaBinding};
    return field.group == FieldGroup::Strategy || those.contains(field.path);
}

/// Figures of the training are the design's own; an argument that says the same goes with them.
bool isOfTraining(const SpecField& field)
{
    return field.group == FieldGroup::Model || field.group == FieldGroup::Batch;
}

/// Said by several lines of a script together: with one of them half typed the design would change the others.
bool isOfForm(const SpecField& field)
{
    static const QSet<FieldPath> those{field::config, field::mpi, field::requeueAtLimit, field::resumeArguments};
    return those.contains(field.path);
}

/// Only the variables that differ, since the text has others, too, which the site's recipe exports.
void copyVariables(const JobSpec& was, const JobSpec& now, JobSpec& spec)
{
    const auto &before = was.environment.variables, &after = now.environment.variables;
    for (auto it = before.cbegin(); it != before.cend(); ++it) {
        if (!after.contains(it.key()))
            spec.environment.variables.remove(it.key());
    }
    for (auto it = after.cbegin(); it != after.cend(); ++it) {
        if (!before.contains(it.key()) || before.value(it.key()) != *it)
            spec.environment.variables.insert(it.key(), *it);
    }
}

QStringList wordsOf(const std::optional<QString>& command)
{
    const Result<QStringList> words = splitShellWords(command.value_or(QString()));
    return words ? *words : QStringList();
}

/// The design's command after an edit of the launch, which has the command's words and after them those that the
/// fields write. Words of the command that were typed are the command's; words typed among the others are left to their
/// fields, or stay as they are typed.
std::optional<QString> typedCommand(const JobSpec& was, const JobSpec& now, const JobSpec& spec)
{
    const QStringList before = wordsOf(was.command), after = wordsOf(now.command);
    QStringList words = wordsOf(spec.command);
    const qsizetype start = before.size() > words.size() && before.mid(1, words.size()) == words ? 1 : 0; // python3
    const qsizetype end = start + words.size(); // after it: the fields'
    if (words.isEmpty() || before.mid(start, words.size()) != words || before.size() == end)
        return now.command;
    const QList<LineHunk> hunks = lineDifference(before, after);
    for (auto hunk = hunks.crbegin(); hunk != hunks.crend(); ++hunk) {
        const QStringList typed = after.mid(hunk->to, hunk->toEnd - hunk->to);
        if (hunk->from == before.size()) {
            words += typed;
        } else if (hunk->from >= end && hunk->fromEnd > end) {
            continue;
        } else if (hunk->from < start || (hunk->from < end && hunk->fromEnd > end)) {
            return now.command;
        } else {
            words = words.mid(0, hunk->from - start) + typed + words.mid(hunk->fromEnd - start);
        }
    }
    return words == wordsOf(spec.command) ? spec.command : scriptWords(words);
}

/// The design with another command, and of the training what that command says.
JobSpec withCommand(JobSpec spec, const std::optional<QString>& command)
{
    const JobSpec open;
    for (const SpecField& field : specFields()) {
        if (isOfTraining(field))
            copyField(field, open, spec);
    }
    spec.command = command;
    readFigures(spec);
    return spec;
}

/// Takes over what differs between the text before and after the edit, both read in the same way: so whatever is not
/// seen, or seen wrongly in both, stays as it is in the design. Returns the fields that were set.
QList<FieldPath> copyTyped(const JobSpec& was, const JobSpec& now, JobSpec& spec)
{
    QList<FieldPath> changed;
    const JobSpec open;
    const bool launches = now.launcher && now.command;
    const JobSpec said = launches ? withCommand(spec, typedCommand(was, now, spec)) : open;
    for (const SpecField& field : specFields()) {
        if (isOfDocument(field) || isOfForm(field) || isEqual(field, was, now) || (isOfLaunch(field) && !launches)
            || (isOfTraining(field) && !isEqual(field, spec, was)
                && (!isEqual(field, spec, open) || isEqual(field, now, said)))) // the command says it
            continue;
        if (field.path == field::command && said.command == spec.command)
            continue;
        if (field.path == field::variables) {
            copyVariables(was, now, spec);
        } else {
            // an unreadable value while typing leaves the field alone
            if (isEqual(field, now, open) && !isClearedByDeletion(field))
                continue;
            copyField(field, field.path == field::command ? said : now, spec);
        }
        changed.append(field.path);
    }
    return changed;
}

/// Blocks that only keep earlier generated lines, which other fields have changed since.
QList<OverrideBlock> withoutStale(const QList<OverrideBlock>& blocks, const ScriptDocument& before)
{
    QSet<QString> known;
    for (const ScriptLine& line : before.lines)
        known.insert(line.text);
    QList<OverrideBlock> kept;
    for (const OverrideBlock& block : blocks) {
        const bool stale = !block.lines.isEmpty() && !block.instead.isEmpty() && !block.noFinalNewline
            && std::all_of(
                block.lines.cbegin(), block.lines.cend(), [&](const QString& line) { return known.contains(line); });
        if (!stale)
            kept.append(block);
    }
    return kept;
}

} // namespace

ScriptEdit applyScriptEdit(const JobSpec& spec, const ClusterProfile& profile, const QString& text)
{
    return applyScriptEdit(spec, writtenScript(resolve(spec, profile), profile), profile, text);
}

ScriptEdit applyScriptEdit(
    const JobSpec& spec, const WrittenScript& shown, const ClusterProfile& profile, const QString& text)
{
    ScriptEdit edit;
    edit.generated = shown.generated;
    edit.exact = spec;
    edit.exact.overrides.clear();
    if (shown.generated.text() == text) {
        edit.followed = edit.exact;
        return edit;
    }
    if (shown.batch.text == text) {
        edit.exact = edit.followed = spec;
        return edit;
    }
    const JobSpec was = readBack(shown.batch, profile);
    const JobSpec now = readBack(parseBatch(text), profile);
    edit.changed = copyTyped(was, now, edit.exact);
    if (!edit.changed.isEmpty())
        edit.generated = generatedScript(resolve(edit.exact, profile), profile);
    edit.exact.overrides = overridesFor(edit.generated, text);
    edit.followed = edit.exact;
    edit.followed.overrides = withoutStale(edit.exact.overrides, shown.generated);
    return edit;
}

} // namespace rankwright::inline script
