// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

namespace rankwright::inline script {

struct ReadDesign {
    JobSpec spec;
    QStringList unknownMembers; ///< JSON paths, to be shown as warnings
};

/// Reads the versioned design file (docs/design_file.md). `name` is the file's name for messages. Error: the file, the
/// JSON path, what is wrong and what to do; nothing is guessed.
Result<ReadDesign> readDesign(const QByteArray& json, const QString& name);
/// Writes it back: every member, open ones as null; reading it again gives the same spec.
QByteArray writeDesign(const JobSpec& spec);

} // namespace rankwright::inline script
