// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"

namespace rankwright {

/// What Slurm has of a job that differs from its script's directives: account, partition, quality of service,
/// reservation, time limit, nodes, GPUs, name. A sentence each; what one of them leaves open does not differ.
QStringList submittedDifferences(const QByteArray& script, const JobRecord& job);

} // namespace rankwright
