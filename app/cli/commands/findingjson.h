// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/checks/designchecks.h"

#include <QJsonArray>
#include <QJsonObject>

namespace rankwright {

/// A finding as `check` and `class run` print it (docs/cli.md lists the members).
QJsonObject findingJson(const Finding& finding);
QJsonArray findingsJson(const QList<Finding>& findings);

} // namespace rankwright
