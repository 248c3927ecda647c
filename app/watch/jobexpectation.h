// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingfacts.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/alerts/alert.h"
#include "models/script/document/design.h"

namespace rankwright {

/// What is known beforehand of a job that was launched elsewhere: its nodes, GPUs and time limit as Slurm reports, the
/// kind of GPU as the catalogue does. No placement: it is not known where its ranks should run.
JobExpectation expectationOf(const ClusterProfile& profile, const JobRecord& record);

/// And of a job that was launched from a design: where each rank was put and on which cores, its groups, what was
/// estimated, what is billed, and how its options are spelt. `record` reports the nodes; a job with other nodes or GPUs
/// than the design has no placement.
JobExpectation expectationOf(const Derived& derived, const JobRecord& record);

/// And of a recorded job: from its design, where the recording holds one that can be read; `profile`: of its cluster,
/// null where the catalogue does not have it. `nodes`: the rows of its history.
JobExpectation expectationOf(const RecordingFacts& facts, const std::optional<JobSpec>& design,
    const QStringList& nodes, const ClusterProfile* profile);

} // namespace rankwright
