// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfilemanifest.h"

#include <QJsonArray>
#include <QTextStream>

namespace rankwright {

/// What a job file holds, for people and as JSON (docs/cli.md).
void printMembers(const JobFileManifest& manifest, QTextStream& out);
QJsonArray membersJson(const JobFileManifest& manifest);

} // namespace rankwright
