// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/network/hfkeys.h"

namespace rankwright::inline planner::hf {

/// Experts, shared experts, blocks without experts and latent attention, under the names that different authors gave
/// their members. A shape whose configuration has none of them stays as it is.
void readMixture(HfKeys& members, ModelShape& shape);

/// Fills in a mixture of experts or a hybrid of this model_type. False: the type is not known.
bool readMixtureType(const QString& type, HfKeys& members, ModelShape& shape);

} // namespace rankwright::inline planner::hf
