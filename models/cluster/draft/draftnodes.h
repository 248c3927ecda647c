// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/draft/clusterdraft.h"

namespace rankwright::inline cluster {

/// Adds the node kinds that have GPUs to the draft. `source` is what each says of where it comes from.
void draftNodes(
    ClusterDraft& draft, const ClusterSurvey& survey, const QList<ClusterProfile>& known, const QString& source);

/// The kinds of the survey that draftNodes() takes, in the order of the draft's nodes.
QList<SurveyedNodes> gpuKinds(const ClusterSurvey& survey);

} // namespace rankwright::inline cluster
