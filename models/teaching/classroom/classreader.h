// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classfile.h"
#include "models/teaching/classroom/classsafety.h"
#include "models/teaching/classroom/classwriter.h"

namespace rankwright::inline teaching {

/// Bounds of a class file; beyond one it is refused with a sentence that names it.
namespace classbounds {
inline constexpr qsizetype bytes = qsizetype(1) << 20; ///< of the file
inline constexpr int nesting = 24;
inline constexpr int exercises = 40;
inline constexpr int checks = 20; ///< of an exercise
inline constexpr int hints = 10; ///< of an exercise
inline constexpr int links = 30;
inline constexpr int fields = 100; ///< locked or open
inline constexpr int lineLength = 200; ///< titles, names
inline constexpr int textLength = 4000; ///< tasks, hints, acknowledgement
} // namespace classbounds

/// Reads a class file strictly: unknown and repeated members, newer versions, control characters and characters that
/// turn the direction, names that Slurm would not take, designs with lines of their own, links that are not https and
/// everything beyond the bounds are refused. `name` is the file's name for messages. Verifies no signature.
Result<ClassFile> readClass(const QByteArray& bytes, const QString& name);
/// "2026-12-31" (to the end of that day, UTC) or a time with its zone, "2026-12-31T18:00:00Z": the moment in UTC.
/// Invalid: neither.
QDateTime expiryFrom(const QString& text);
/// Why the class cannot be opened any more; empty: it can.
std::optional<Error> expiryFault(const ClassFile& file, const QDateTime& now);
/// What is wrong with one value of a class, as readClass would say it; for the teacher's editor. Empty: nothing.
std::optional<Error> classFault(const ClassFile& file);
/// An exercise's check list, task and title for a start: what "new" makes.
ClassFile newClass(const QString& cluster, const QString& title, const QString& author);

} // namespace rankwright::inline teaching
