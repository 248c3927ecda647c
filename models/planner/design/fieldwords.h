// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

namespace rankwright::inline planner {

/// What people call a field beside its label: Slurm's options and the words of manuals, blank between them; empty for a
/// path that is not a field. For searching, never shown.
QLatin1StringView fieldWords(QAnyStringView path);
/// The fields of which a person has to think first, in the order in which they are thought of.
QList<FieldPath> firstFields();

} // namespace rankwright::inline planner
