// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/scriptvalues.h"

#include "models/core/units.h"
#include "models/planner/design/commandfigures.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

bool putText(const QString& text, QString& out)
{
    out = text;
    return true;
}
bool putText(const QString& text, std::optional<QString>& out)
{
    out = text;
    return true;
}
template <typename Whole>
bool putWhole(const QString& text, std::optional<Whole>& out)
{
    bool fine = false;
    const qint64 number = text.toLongLong(&fine);
    if (fine && number == static_cast<Whole>(number))
        out = static_cast<Whole>(number);
    return fine;
}
bool putText(const QString& text, std::optional<int>& out) { return putWhole(text, out); }
bool putText(const QString& text, std::optional<qint64>& out) { return putWhole(text, out); }
bool putText(const QString& text, std::optional<Seconds>& out)
{
    const auto time = parseSlurmTime(text);
    if (time)
        out = *time;
    return bool(time);
}
bool putText(const QString& text, std::optional<Bytes>& out)
{
    const auto memory = parseSlurmMemory(text);
    if (memory && memory->count > 0) // sbatch(1), --mem: 0 asks for all memory of a node, which is not a number
        out = *memory;
    return bool(memory);
}
template <typename Other>
bool putText(const QString&, Other&)
{
    return false;
}

/// The binder's value counts where it has one for certain: it is what an edit changes.
void applyBound(const ScriptFields& fields, JobSpec& spec)
{
    for (const SpecField& field : specFields()) {
        const ScriptField* bound = fields.find(field.path);
        const bool certain = bound != nullptr && !bound->value.isEmpty()
            && (bound->state == ScriptField::State::Bound || bound->state == ScriptField::State::Follows);
        if (certain && !isOfDocument(field))
            std::visit([&](const auto& member) { putText(bound->value, member.in(spec)); }, field.member);
    }
}

template <typename Value, typename Number>
void fillFigure(const std::optional<Number>& figure, std::optional<Value>& out)
{
    if (!out && figure)
        out = Value(*figure);
}

} // namespace

void readFigures(JobSpec& spec)
{
    const CommandBatch batch = commandBatch(spec);
    const auto count
        = [](const std::optional<CommandFigure>& figure) { return figure ? figure->count() : std::nullopt; };
    if (!batchIsAmbiguous(spec, batch))
        fillFigure(count(batch.micro), spec.training.microBatch);
    fillFigure(count(batch.global), spec.training.globalBatch);
    fillFigure(commandEpochs(spec), spec.training.epochs);
    fillFigure(count(commandSequence(spec)), spec.training.sequence);
}

bool isEqual(const SpecField& field, const JobSpec& one, const JobSpec& other)
{
    return std::visit([&](const auto& member) { return member.of(one) == member.of(other); }, field.member);
}

void copyField(const SpecField& field, const JobSpec& from, JobSpec& to)
{
    std::visit([&](const auto& member) { member.in(to) = member.of(from); }, field.member);
}

bool isOfDocument(const SpecField& field) { return field.path == field::cluster || field.path == field::overrides; }

ScriptReading saidBy(const BatchText& batch, const ClusterProfile& profile)
{
    return saidBy(batch, bindScript(batch), profile);
}

ScriptReading saidBy(const BatchText& batch, const ScriptFields& fields, const ClusterProfile& profile)
{
    ScriptReading reading = readScript(batch, profile);
    applyBound(fields, reading.spec);
    readFigures(reading.spec);
    return reading;
}

JobSpec readBack(const BatchText& batch, const ClusterProfile& profile)
{
    JobSpec spec = readScript(batch, profile).spec;
    readFigures(spec);
    return spec;
}

} // namespace rankwright::inline script
