// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"

#include <QVersionNumber>

namespace rankwright::inline planner {

/// The release of PyTorch that the name of an image, a module, a uenv or a wheel says: 2.10 of
/// "lumi-multitorch-full-u24r70f21m50t210-20260415_130625.sif", 2.8.0 of "pytorch-gpu/py3/2.8.0". Null where it says
/// none; NVIDIA's images are named after months.
QVersionNumber torchReleaseOf(const QString& name);

/// The first release whose torchrun has --numa-binding. Source: pytorch/pytorch, pull request 149334; documentation
/// of 2.9.
QVersionNumber numaBindingSince();

/// Why a job cannot have torchrun's --numa-binding, in one sentence; empty: it can, or nothing is known against it.
QString numaBindingObstacle(const ResolvedSpec& resolved, const ClusterProfile& profile);
/// Is it known that the job's software has it: PyTorch by its release, and numactl in the image?
bool hasNumaBinding(const ResolvedSpec& resolved, const ClusterProfile& profile);

} // namespace rankwright::inline planner
