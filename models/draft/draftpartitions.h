// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/draft/clusterdraft.h"

namespace rankwright {

/// Adds the partitions that have GPU nodes; call it after draftNodes().
void draftPartitions(ClusterDraft& draft, const ClusterSurvey& survey, const QString& source);

} // namespace rankwright
