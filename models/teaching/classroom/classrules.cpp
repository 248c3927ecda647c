// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classrules.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/fieldtable.h"
#include "models/script/document/designjson.h"
#include "models/teaching/classroom/designobject.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

/// A design of the class with the class's settings over it.
JobSpec underClass(const ClassFile& file, JobSpec spec)
{
    if (!file.locked.isEmpty()) {
        QJsonObject document = designObject(spec);
        for (auto set = file.locked.cbegin(); set != file.locked.cend(); ++set)
            putAt(document, set.key(), set.value());
        if (const auto read = readDesign(QJsonDocument(document).toJson(), u"class"_s)) // readClass has tried it
            spec = read->spec;
    }
    spec.cluster = file.cluster;
    if (!file.account.isEmpty())
        spec.account = file.account;
    if (!file.partition.isEmpty())
        spec.partition = file.partition;
    if (file.reservation)
        spec.reservation = file.reservation->name;
    if (!file.container.isEmpty())
        spec.environment.container = file.container;
    return spec;
}

bool isSetByClass(const ClassFile& file, const FieldPath& path)
{
    return path == field::cluster || (path == field::account && !file.account.isEmpty())
        || (path == field::partition && !file.partition.isEmpty()) || (path == field::reservation && file.reservation)
        || (path == field::container && !file.container.isEmpty()) || file.locked.contains(path);
}

/// What is each attendee's own, unless the class or its design says otherwise.
bool isPersonal(const FieldPath& path, const JobSpec& start)
{
    return (path == field::account && !start.account) || (path == field::workdir && !start.workdir);
}

bool differs(const SpecField& row, const JobSpec& a, const JobSpec& b)
{
    return std::visit([&](const auto& member) { return member.of(a) != member.of(b); }, row.member);
}

QString wordsOf(const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::Bool: return value.toBool() ? u"yes"_s : u"no"_s;
    case QJsonValue::Double: return QString::number(value.toDouble(), 'g', 12);
    case QJsonValue::String: return value.toString().isEmpty() ? u"open"_s : value.toString();
    case QJsonValue::Array: {
        QStringList parts;
        for (const QJsonValue& part : value.toArray())
            parts.append(part.isString() ? part.toString() : u"…"_s);
        return parts.isEmpty() ? u"none"_s : parts.join(u", "_s);
    }
    case QJsonValue::Object: {
        const QJsonObject object = value.toObject();
        if (object.contains(u"preset"_s))
            return object.value(u"preset"_s).toString();
        return object.isEmpty() ? u"none"_s : QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
    }
    default: return u"open"_s;
    }
}

bool isFilled(const QJsonValue& value)
{
    return !value.isNull() && !value.isUndefined() && value != QJsonValue(QString())
        && value != QJsonValue(QJsonArray()) && value != QJsonValue(QJsonObject());
}

Finding classError(const QString& rule, const QString& slug, QAnyStringView path, const QString& text)
{
    Finding finding;
    finding.severity = Severity::Error;
    finding.rule = rule;
    finding.slug = slug;
    finding.field = path.toString();
    finding.text = text;
    finding.source = u"the class file"_s;
    return finding;
}

void addLimits(QList<Finding>& findings, const ClassLimits& limits, const ResolvedSpec& resolved)
{
    if (limits.maxNodes && resolved.nodes > *limits.maxNodes) {
        const int most = *limits.maxNodes;
        Finding finding = classError(u"C01"_s, u"class-nodes"_s, field::nodes,
            u"The class allows %1 for a job; this design asks for %2."_s.arg(
                nodesText(most), QString::number(resolved.nodes)));
        finding.fix = Fix{u"Use "_s + nodesText(most), [most](JobSpec& spec) { spec.resources.nodes = most; }};
        findings.append(finding);
    }
    if (limits.maxGpus && resolved.worldSize() > *limits.maxGpus) {
        const int perNode = *limits.maxGpus / std::max(1, resolved.nodes);
        const QString word = resolved.node.gpu.word;
        Finding finding = classError(u"C02"_s, u"class-gpus"_s, field::gpusPerNode,
            u"The class allows %1 for a job; this design asks for %2."_s.arg(
                gpusText(*limits.maxGpus, word), QString::number(resolved.worldSize())));
        if (perNode > 0)
            finding.fix = Fix{u"Use %1 on each node"_s.arg(gpusText(perNode, word)),
                [perNode](JobSpec& spec) { spec.resources.gpusPerNode = perNode; }};
        findings.append(finding);
    }
    if (limits.maxTime && resolved.time > *limits.maxTime) {
        const Seconds most = *limits.maxTime;
        Finding finding = classError(u"C03"_s, u"class-time"_s, field::time,
            u"The class allows jobs of %1; this design asks for %2."_s.arg(
                humanDuration(most), humanDuration(resolved.time)));
        finding.fix = Fix{u"Ask for "_s + humanDuration(most), [most](JobSpec& spec) { spec.time = most; }};
        findings.append(finding);
    }
}

} // namespace

JobSpec startingSpec(const ClassFile& file, const ClassExercise& exercise) { return underClass(file, exercise.start); }

std::optional<JobSpec> solutionSpec(const ClassFile& file, const ClassExercise& exercise)
{
    if (!exercise.solution)
        return {};
    return underClass(file, *exercise.solution);
}

JobSpec withOwn(JobSpec spec, const JobSpec& own)
{
    if (own.cluster != spec.cluster)
        return spec;
    if (!spec.account)
        spec.account = own.account;
    if (!spec.workdir)
        spec.workdir = own.workdir;
    return spec;
}

bool isOpenField(const ClassFile& file, const ClassExercise& exercise, const FieldPath& field)
{
    if (isSetByClass(file, field))
        return false;
    if (isPersonal(field, exercise.start))
        return true;
    const QList<FieldPath>& open = exercise.open.isEmpty() ? file.open : exercise.open;
    return open.isEmpty() || open.contains(field);
}

QList<LockedField> lockedFields(const ClassFile& file, const ClassExercise& exercise)
{
    const QJsonObject document = designObject(startingSpec(file, exercise));
    QList<LockedField> locked;
    for (const SpecField& row : specFields()) {
        const FieldPath path = row.path;
        const QJsonValue value = valueAt(document, path);
        if (path != field::overrides && isFilled(value) && !isOpenField(file, exercise, path))
            locked.append({path, wordsOf(value)});
    }
    return locked;
}

EnforcedDesign enforce(const ClassFile& file, const ClassExercise& exercise, const JobSpec& spec)
{
    const JobSpec start = startingSpec(file, exercise);
    EnforcedDesign enforced{spec, {}};
    for (const SpecField& row : specFields()) {
        if (isOpenField(file, exercise, row.path) || !differs(row, spec, start))
            continue;
        std::visit([&](const auto& member) { member.in(enforced.spec) = member.of(start); }, row.member);
        enforced.putBack.append(row.path);
    }
    return enforced;
}

QList<Finding> classFindings(
    const ClassFile& file, const ClassExercise& exercise, const ResolvedSpec& resolved, const QDateTime& now)
{
    QList<Finding> findings;
    addLimits(findings, file.limits, resolved);
    const JobSpec start = startingSpec(file, exercise);
    const JobSpec put = enforce(file, exercise, resolved.spec).spec;
    const QJsonObject document = designObject(start);
    for (const FieldPath& path : enforce(file, exercise, resolved.spec).putBack) {
        Finding finding = classError(u"C04"_s, u"class-locked"_s, path,
            u"The class sets this field to “%1”."_s.arg(wordsOf(valueAt(document, path)).left(80)));
        finding.fix = Fix{u"Put it back"_s, [put](JobSpec& spec) { spec = put; }};
        findings.append(finding);
    }
    if (!file.reservation)
        return findings;
    const auto& [name, begin, end] = *file.reservation;
    const bool early = begin.isValid() && now < begin;
    const bool over = end.isValid() && now > end;
    if (early || over) {
        Finding finding = classError(u"C05"_s, u"class-reservation"_s, field::reservation,
            u"The reservation %1 %2 %3 UTC: %4"_s.arg(name, early ? u"begins at"_s : u"ended at"_s,
                (early ? begin : end).toUTC().toString(u"yyyy-MM-dd HH:mm"_s),
                early ? u"jobs wait until then."_s : u"Slurm will refuse the job or never start it."_s));
        finding.severity = Severity::Warning;
        findings.append(finding);
    }
    return findings;
}

} // namespace rankwright::inline teaching
