// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/network/hfkeys.h"

namespace rankwright::inline planner::hf {

/// Encoders, encoder-decoders and image models. False: the type is none of these.
bool readOtherLine(const QString& type, HfKeys& members, ModelShape& shape);

} // namespace rankwright::inline planner::hf
