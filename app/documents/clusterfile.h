// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"

namespace rankwright {

/// Where an entry of this name is kept in the user's folder of cluster files.
QString clusterFilePath(const QString& folder, const QString& name);

/// Writes an entry there and gives the path back. An existing file is never replaced: somebody may have worked on it.
/// Error: it exists, or the folder cannot be written.
Result<QString> saveClusterFile(const QString& folder, const ClusterProfile& profile);

} // namespace rankwright
