// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QStringList>

namespace rankwright {

/// The words that start one more window on this data folder: with a design, or with what an ended window left behind.
QStringList anotherWindowArguments(const QString& dataFolder, const QString& design = {});

/// Starts the program once more, as a process of its own that outlives this one. Safe beside this window: settings are
/// merged, the database is locked for each change, each window has its own file of unsaved work and a job is recorded
/// by one window at a time. `program` empty: this very program.
Result<void> startAnotherWindow(
    const QString& dataFolder, const QString& design = {}, const QString& program = QString());

} // namespace rankwright
