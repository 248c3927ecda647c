// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"

namespace rankwright::inline cluster {

/// A profile as the JSON text of a cluster file (docs/catalogue.md): members in the order in which people read them,
/// what is not published left out. readClusterProfile() restores the profile from it, except for `unknownMembers`.
QByteArray writeClusterProfile(const ClusterProfile& profile);

} // namespace rankwright::inline cluster
