// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/templates/recentdesign.h"

namespace rankwright {

/// What one file of the list of recent designs holds now. Reads at most a megabyte; a batch script is named as one and
/// not looked into; what is missing or cannot be read says so. Pure but for the reading: may run on any thread.
RecentDesign readRecentDesign(const QString& path, const Catalogue& catalogue);
QList<RecentDesign> readRecentDesigns(const QStringList& paths, const Catalogue& catalogue);

} // namespace rankwright
