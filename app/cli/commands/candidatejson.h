// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/layoutsearch.h"

#include <QJsonObject>

namespace rankwright {

/// Switches that an estimate relies on: [{"field", "value"}].
QJsonArray assumesJson(const QList<Assumption>& assumes);
/// A layout that fits, as `search` and `advise` print it (docs/cli.md). Unknown is null.
QJsonObject candidateJson(const Candidate& candidate);

} // namespace rankwright
