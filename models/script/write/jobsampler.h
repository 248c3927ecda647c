// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/scriptbuilder.h"

#include "models/planner/design/resolve.h"

namespace rankwright::inline script {

// The lines by which a batch script starts the sampler beside the training (docs/telemetry.md, "The sampler inside the
// job"), and the way back from them to the design. What they start is a file that the submission puts there.

/// The sampler's file, from the job's working directory. The number is that of its words and of what it writes: a
/// script that is queued for long starts the sampler that it was written for.
inline constexpr QLatin1StringView samplerFileName{".rankwright/sampler-1.sh"};

inline constexpr int mostSamplerSeconds = 3600;

/// Seconds between two readings: the design's own, else 5, 10, 15, 30 or 60: the least with which the job writes no
/// more than 256 MB, at 25 bytes for each GPU and reading, and not more than 200 times a second in all, since its nodes
/// write to one file system.
int samplerSeconds(const ResolvedSpec& resolved);

/// Nothing unless the design asks for it.
void writeSampler(ScriptBuilder& builder, const ResolvedSpec& resolved, const ClusterProfile& profile);

/// The block read back; empty when it is something else.
std::optional<JobSpec::Monitor> readSampler(const QStringList& lines);

/// The design leaves the interval open again where it is the one that the writer would choose.
void dropUsualInterval(JobSpec& spec, const ClusterProfile& profile);

} // namespace rankwright::inline script
