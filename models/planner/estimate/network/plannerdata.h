// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

namespace rankwright::inline planner {

/// One of the planner's tables, built in from resources/planner ("gpus.json"). Empty when there is no such file or it
/// is no JSON object: the tables are ours, a test holds them.
QJsonObject plannerData(const QString& fileName);

} // namespace rankwright::inline planner
