// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

namespace rankwright::inline teaching {

/// The term that explains a field of the design, by its path; of a part ("model.preset") that of the nearest field
/// above it. Empty: the field needs none.
QString termOfField(const FieldPath& path);

} // namespace rankwright::inline teaching
