// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classprogress.h"

#include "models/core/harmlesstext.h"
#include "models/core/jsonreader.h"
#include "models/teaching/classroom/classsafety.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestLine = 1000; // bytes
constexpr int mostLines = 5000; // of one attendee
constexpr int mostChecks = 20;
constexpr int aliasLength = 8;

/// An id of ours: exercises, rules, slugs and failure classes.
bool isId(const QString& text)
{
    static const QRegularExpression form(u"^[A-Za-z0-9][A-Za-z0-9_-]{0,59}\\z"_s);
    return form.match(text).hasMatch();
}

bool isName(const QString& text) { return text.size() <= nameLength && !text.contains(u'\n') && !textFault(text, {}); }

std::optional<ProgressLine> lineOf(const QString& alias, const QByteArray& bytes, const QDateTime& now)
{
    if (bytes.size() > longestLine)
        return {};
    const auto parsed = parseJsonObject(bytes, alias);
    if (!parsed)
        return {};
    const QJsonObject& object = *parsed;
    ProgressLine line;
    line.attendee = alias;
    line.name = object.value(u"name"_s).toString();
    line.exercise = object.value(u"exercise"_s).toString();
    line.stuckOn = object.value(u"stuckOn"_s).toString();
    line.at = QDateTime::fromString(object.value(u"at"_s).toString().left(40), Qt::ISODate);
    const QJsonArray checks = object.value(u"checks"_s).toArray();
    const bool inTime = line.at.isValid() && line.at <= now.addSecs(600) && line.at.date().year() >= 2020;
    if (!isId(line.exercise) || (!line.stuckOn.isEmpty() && !isId(line.stuckOn)) || !inTime
        || checks.size() > mostChecks || !isName(line.name))
        return {};
    for (const QJsonValue& check : checks) {
        const auto state = checkStateFrom(check.toString());
        if (!state)
            return {};
        line.checks.append(*state);
    }
    line.at = line.at.toUTC();
    return line;
}

int seenOf(const ProgressLine& line) { return int(line.checks.count(CheckState::Seen)); }

ProgressRow rowOf(const QString& attendee, const QList<ProgressLine>& lines)
{
    ProgressRow row;
    row.attendee = attendee;
    row.name = lines.last().name;
    QSet<QString> done;
    for (const ProgressLine& line : lines) {
        const bool goesOn = !row.stuckOn.isEmpty() && row.stuckOn == line.stuckOn && row.exercise == line.exercise;
        if (!goesOn)
            row.stuckSince = line.stuckOn.isEmpty() ? QDateTime() : line.at;
        row.stuckOn = line.stuckOn;
        row.exercise = line.exercise;
        row.seen = seenOf(line);
        row.checks = int(line.checks.size());
        row.last = line.at;
        if (row.checks > 0 && row.seen == row.checks)
            done.insert(line.exercise);
    }
    row.done = int(done.size());
    return row;
}

} // namespace

bool isAlias(const QString& text)
{
    static const QRegularExpression form(u"^[a-z0-9]{1,20}\\z"_s);
    return form.match(text).hasMatch();
}

QString newAlias()
{
    static const QString signs = u"abcdefghjkmnpqrstuvwxyz23456789"_s;
    QString alias;
    for (int i = 0; i < aliasLength; ++i)
        alias += signs.at(QRandomGenerator::system()->bounded(int(signs.size())));
    return alias;
}

QString stuckOn(const QList<Finding>& findings, const QString& failure)
{
    const auto error = std::find_if(
        findings.cbegin(), findings.cend(), [](const Finding& finding) { return finding.severity == Severity::Error; });
    if (error == findings.cend())
        return failure;
    return error->slug.isEmpty() ? error->rule : error->slug;
}

QJsonObject progressObject(const ProgressLine& line)
{
    QJsonArray checks;
    for (const CheckState state : line.checks.mid(0, mostChecks))
        checks.append(toText(state));
    QJsonObject object{{u"v"_s, 1}, {u"exercise"_s, harmlessLine(line.exercise, 40)}, {u"checks"_s, checks},
        {u"stuckOn"_s, harmlessLine(line.stuckOn, 60)}, {u"at"_s, line.at.toUTC().toString(Qt::ISODate)}};
    if (!line.name.isEmpty())
        object.insert(u"name"_s, harmlessLine(line.name, nameLength));
    return object;
}

QByteArray progressLine(const ProgressLine& line)
{
    return QJsonDocument(progressObject(line)).toJson(QJsonDocument::Compact) + '\n';
}

ReadProgress readProgress(const QString& alias, const QByteArray& content, const QDateTime& now)
{
    ReadProgress read;
    if (!isAlias(alias)) {
        read.skipped = int(std::min<qsizetype>(content.count('\n') + 1, mostLines));
        return read;
    }
    qsizetype from = 0;
    while (from < content.size() && read.lines.size() + read.skipped < mostLines) {
        qsizetype end = content.indexOf('\n', from);
        if (end < 0)
            end = content.size();
        const QByteArray bytes = content.mid(from, end - from);
        from = end + 1;
        if (bytes.trimmed().isEmpty())
            continue;
        if (const auto line = lineOf(alias, bytes, now))
            read.lines.append(*line);
        else
            ++read.skipped;
    }
    return read;
}

QList<ProgressRow> progressTable(const QList<ProgressLine>& lines)
{
    QMap<QString, QList<ProgressLine>> byAttendee;
    for (const ProgressLine& line : lines)
        byAttendee[line.attendee].append(line);
    QList<ProgressRow> rows;
    for (auto attendee = byAttendee.begin(); attendee != byAttendee.end(); ++attendee) {
        std::stable_sort(attendee->begin(), attendee->end(),
            [](const ProgressLine& a, const ProgressLine& b) { return a.at < b.at; });
        rows.append(rowOf(attendee.key(), *attendee));
    }
    std::stable_sort(rows.begin(), rows.end(), [](const ProgressRow& a, const ProgressRow& b) {
        if (a.stuckOn.isEmpty() != b.stuckOn.isEmpty())
            return !a.stuckOn.isEmpty();
        return !a.stuckOn.isEmpty() && a.stuckSince < b.stuckSince;
    });
    return rows;
}

} // namespace rankwright::inline teaching
