// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classcheck.h"

#include <QJsonObject>

namespace rankwright::inline teaching {

/// One line of an attendee's progress: what a teacher may know, and nothing else.
struct ProgressLine {
    QString attendee; ///< alias: that of the file, whatever the line says
    QString exercise; ///< id
    QList<CheckState> checks;
    QString stuckOn; ///< rule or slug of the first error finding, or failure class of a diagnosis; empty: none
    QDateTime at;
    QString name = {}; ///< that the attendee gives, if any; not verified
    bool operator==(const ProgressLine&) const = default;
};

/// Stands where Slurm did not take a job.
inline constexpr QLatin1StringView refusedBySlurm{"slurm-refused"};
/// What a line says that its attendee is stuck on: the first error of the design, else the failure of the job (a class
/// of docs/diagnosis.md, may be empty).
QString stuckOn(const QList<Finding>& findings, const QString& failure);

/// Progress of all lines read, and how many could not be.
struct ReadProgress {
    QList<ProgressLine> lines;
    int skipped = 0;
};

/// The line as JSON.
QJsonObject progressObject(const ProgressLine& line);
/// The same on one line with its line break, at most 1000 bytes.
QByteArray progressLine(const ProgressLine& line);
/// Reads one attendee's file. `alias` is what the file's name has; whoever a line claims to be of does not count.
/// Hostile lines are skipped: too long, no JSON, harmful characters, times to come. At most 5000 lines.
ReadProgress readProgress(const QString& alias, const QByteArray& content, const QDateTime& now);

/// A row of the teacher's table.
struct ProgressRow {
    QString attendee; ///< alias
    QString exercise; ///< that was worked on last
    int seen = 0, checks = 0; ///< of that exercise
    int done = 0; ///< exercises with all checks seen
    QString stuckOn;
    QDateTime stuckSince; ///< first line of the unbroken run with this error in this exercise
    QDateTime last;
    QString name = {}; ///< that they give; empty: none
    bool operator==(const ProgressRow&) const = default;
};
/// One row per attendee: those who are stuck first, the longest first; then by name.
QList<ProgressRow> progressTable(const QList<ProgressLine>& lines);
/// Under which an attendee's steps are noted, so that the file carries no person's name: small letters and digits, at
/// most 20.
bool isAlias(const QString& text);
/// One drawn by chance: eight characters that are not taken for one another.
QString newAlias();
constexpr int nameLength = 40; ///< most characters of a name that an attendee gives

} // namespace rankwright::inline teaching
