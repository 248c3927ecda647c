// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"

namespace rankwright::inline script {

/// Where the ranks of a node are put (R20): masks for srun, or lists of cores for the workers of an agent, one per
/// local rank. Both empty: no binding.
struct BindingOptions {
    QStringList masks;
    QStringList cores; ///< "49-55"
    QString note; ///< cores in words, for the comment
    QString refusal; ///< why a binding that the design asks for cannot be written; one sentence
    bool operator==(const BindingOptions&) const = default;
};

/// Nothing on shared nodes or where the map is unknown. By itself at sites that bind by masks; `options.cpuBinding`
/// asks for it elsewhere, or forbids it.
BindingOptions bindingOptions(const ResolvedSpec& resolved, const ClusterProfile& profile);

} // namespace rankwright::inline script
