// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/network/hfkeys.h"

namespace rankwright::inline planner::hf {

/// Fills in a decoder of this model_type. False: the type is not known.
bool readDecoder(const QString& type, HfKeys& members, ModelShape& shape);

} // namespace rankwright::inline planner::hf
