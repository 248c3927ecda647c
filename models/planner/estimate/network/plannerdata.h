// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

namespace rankwright::inline planner {

/// One of the planner's tables, built in from resources/planner ("gpus.json"). Empty if the file is missing or
/// not a JSON object; a test checks all tables.
QJsonObject plannerData(const QString& fileName);

} // namespace rankwright::inline planner
