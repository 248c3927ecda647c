// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/jsonreader.h"
#include "models/insight/progress/rankbinding.h"

namespace rankwright::inline insight {

/// "bound", "differs", "pending", "unplanned", "other-hardware", "not-reported".
QString toText(RankBinding::State state);
/// As `watch`, `report` and what is kept of a job have it (docs/cli.md lists the members).
QJsonObject rankBindingJson(const RankBinding& binding);
/// Error: a member of another kind; it names the path.
Result<RankBinding> rankBindingFromJson(JsonReader json);

} // namespace rankwright::inline insight
