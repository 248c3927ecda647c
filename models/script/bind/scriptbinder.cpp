// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/launchnames.h"
#include "models/script/bind/commandbinder.h"
#include "models/script/bind/countbinder.h"
#include "models/script/bind/environmentbinder.h"
#include "models/script/bind/imagebinder.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

struct DirectiveField {
    QLatin1StringView path;
    QLatin1StringView option; ///< long name
};

// The fields that a directive says as one text, after sbatch(1).
constexpr DirectiveField directiveFields[] = {
    {QLatin1StringView("name"), QLatin1StringView("job-name")},
    {QLatin1StringView("partition"), QLatin1StringView("partition")},
    {QLatin1StringView("account"), QLatin1StringView("account")},
    {QLatin1StringView("reservation"), QLatin1StringView("reservation")},
    {QLatin1StringView("time"), QLatin1StringView("time")},
    {QLatin1StringView("resources.cpusPerGpu"), QLatin1StringView("cpus-per-gpu")},
    {QLatin1StringView("resources.memoryPerNode"), QLatin1StringView("mem")},
    {QLatin1StringView("resources.memoryPerCpu"), QLatin1StringView("mem-per-cpu")},
    {QLatin1StringView("resources.memoryPerGpu"), QLatin1StringView("mem-per-gpu")},
    {QLatin1StringView("options.qos"), QLatin1StringView("qos")},
    {QLatin1StringView("options.constraint"), QLatin1StringView("constraint")},
    {QLatin1StringView("options.exclude"), QLatin1StringView("exclude")},
    {QLatin1StringView("options.array"), QLatin1StringView("array")},
    {QLatin1StringView("options.dependency"), QLatin1StringView("dependency")},
    {QLatin1StringView("options.output"), QLatin1StringView("output")},
    {QLatin1StringView("options.error"), QLatin1StringView("error")},
    {QLatin1StringView("options.mailUser"), QLatin1StringView("mail-user")},
    {QLatin1StringView("options.mailType"), QLatin1StringView("mail-type")},
    {QLatin1StringView("options.signal"), QLatin1StringView("signal")},
};

/// Where the first line after all directives begins; -1: there are none.
std::optional<qsizetype> behindDirectives(const BindState& state)
{
    int last = 0;
    for (const BatchOption& option : state.out.batch.options)
        last = qMax(last, option.line);
    if (last == 0)
        return {};
    return last < state.lineStarts.size() ? state.lineStarts.at(last) : state.out.batch.text.size();
}

/// bash drops a NUL, and sbatch need not: what is around it is not what it seems, and no edit gives it back.
void refuseAll(BindState& state, int line)
{
    const QString why = u"Line %1 holds a NUL character, which bash drops: take it away in the text."_s.arg(line);
    for (ScriptField& field : state.out.fields.fields) {
        field.state = ScriptField::State::Undecided;
        field.places.clear();
        field.why = why;
    }
    state.out.ranges.clear();
    state.out.counts.clear();
    state.out.directiveAt.reset();
    state.out.variableAt.reset();
}

/// The program that a script is written for, where its commands are not bash's: "csh", "python3"; else empty.
QString foreignInterpreter(const BatchText& batch)
{
    static const QRegularExpression named(u"^#!\\s*(\\S+)(?:\\s+(\\S+))?"_s);
    const auto match = named.match(batch.shebang);
    if (!match.hasMatch())
        return {};
    QString name = baseName(match.captured(1));
    if (name == u"env")
        name = baseName(match.captured(2));
    return isShell(name) || name.isEmpty() || name.startsWith(u'-') ? QString() : name;
}

} // namespace

BoundScript bindText(const QString& text) { return bindText(parseBatch(text)); }

BoundScript bindText(const BatchText& batch)
{
    BindState state;
    state.out.parsed = state.out.batch = batch;
    const QString& text = batch.text;
    state.base = state.out.batch.hasBom ? 1 : 0;
    state.lineStarts.append(0);
    for (qsizetype at = text.indexOf(u'\n'); at >= 0; at = text.indexOf(u'\n', at + 1))
        state.lineStarts.append(at + 1);
    const QString foreign = foreignInterpreter(state.out.batch);
    if (!foreign.isEmpty()) { // directives are the same; its commands are not bash's
        state.out.batch.shell = {};
        state.out.batch.variables.clear();
        state.out.batch.variablesByName.clear();
        state.out.batch.launches.clear();
    }
    state.choice = chooseLaunch(state.out.batch);
    if (!foreign.isEmpty())
        state.choice.doubt = u"The script is written for %1, whose commands are not read here."_s.arg(foreign);
    const ValueTracer tracer(state.out.batch);
    state.tracer = &tracer;
    state.launch = state.choice.only();
    state.out.directiveAt = behindDirectives(state);
    for (const DirectiveField& one : directiveFields)
        FieldBinder(state).bindDirective(one.path, one.option);
    bindCounts(state);
    bindCommandFields(state);
    bindImages(state);
    bindEnvironment(state);
    if (const qsizetype nul = text.indexOf(QChar(0)); nul >= 0)
        refuseAll(state, static_cast<int>(text.left(nul).count(u'\n')) + 1);
    return state.out;
}

ScriptFields bindScript(const QString& text)
{
    return text.size() > largestScript ? ScriptFields() : bindText(text).fields;
}

ScriptFields bindScript(const BatchText& batch) { return readFields(batch)->fields; }

std::shared_ptr<const BoundScript> readFields(const BatchText& batch)
{
    BoundScript unread;
    unread.parsed = unread.batch = batch;
    return std::make_shared<const BoundScript>(batch.text.size() > largestScript ? unread : bindText(batch));
}

} // namespace rankwright::inline script
