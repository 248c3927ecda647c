// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline core {

/// What a value means, whatever shows it: for shape and colour, which views alone choose.
enum class Tone { Plain, Quiet, Good, Warn, Bad, Busy };

/// Value of the property "tone" by which the style sheet chooses; empty where it makes no difference.
inline QString toneName(Tone tone)
{
    switch (tone) {
    case Tone::Good: return QStringLiteral("good");
    case Tone::Warn: return QStringLiteral("warn");
    case Tone::Bad: return QStringLiteral("bad");
    default: return {};
    }
}

/// Roles shared by all tables of records: meaning, never colour. ToneRole holds a Tone as int.
enum RecordRole { SortRole = Qt::UserRole, ToneRole, RecordIdRole, FirstOwnRole = Qt::UserRole + 100 };

} // namespace rankwright::inline core
