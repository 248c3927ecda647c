// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

namespace rankwright::inline teaching {

/// A design as the JSON object of its file: every member, open ones as null.
QJsonObject designObject(const JobSpec& spec);
/// The member of such an object at a field's path.
QJsonValue valueAt(const QJsonObject& design, const FieldPath& path);
void putAt(QJsonObject& design, const FieldPath& path, const QJsonValue& value);

} // namespace rankwright::inline teaching
