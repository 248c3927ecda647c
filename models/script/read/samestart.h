// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/scriptreader.h"

namespace rankwright {

/// What of a script's start the text written from its design would not repeat: another number of tasks, other words of
/// the program, an option of the launcher, a pipe beside the launch ... Each with its line and a sentence. Empty: both
/// start the same program with the same ranks. What cannot be told before the job runs counts as a difference.
QList<NotUnderstood> startDifferences(
    const BatchText& original, const ScriptReading& reading, const BatchText& written, const ClusterProfile& profile);

/// Whether two values of a directive ask for the same: "1:00:00" and "01:00:00", "480G" and "491520M".
bool isSameRequest(const QString& option, const QString& one, const QString& other);

} // namespace rankwright
