// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>

#include <functional>

namespace rankwright {

/// JSON of a recording's job, design, progress or event as it may be given to others; empty: it is left out.
using CleanJson = std::function<QByteArray(const QByteArray& json)>;

/// Copies a recording, also one that is being written, into a file of its own that is complete without a journal. `to`
/// must not exist. Its texts are those that `clean` gives; nothing of the others is left in the file, nor which program
/// and which entry of a job log it is of. Error: not a recording, damaged, no room.
Result<void> copyRecording(const QString& from, const QString& to, const CleanJson& clean);

} // namespace rankwright
