// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/jsonreader.h"
#include "models/insight/alerts/alert.h"

namespace rankwright::inline insight {

/// An alert as `watch` prints it and recordings keep it (docs/cli.md lists the members). What is not known is null.
QJsonObject alertJson(const Alert& alert);
/// Error: a member that must be there is missing, or one is of another kind; it names the path. Further members are no
/// fault: a newer program may have written them.
Result<Alert> alertFromJson(JsonReader json);

} // namespace rankwright::inline insight
