// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/gpusample.h"

namespace rankwright::inline insight {

/// "Multiprocessors 21 %, their warps 12 %, tensor cores 3 %, memory 40 %", what is known of it; empty: nothing is.
QString activityText(const GpuActivity& activity);

/// Below this share of its multiprocessors at work a GPU in use runs kernels that do not fill it, or waits between
/// them. DCGM's guide calls 50 % ineffective use and 80 % necessary; collectives alone take a tenth of them.
inline constexpr double filledPercent = 35;
/// Tensor cores at work for less than this multiply no matrices worth mentioning.
inline constexpr double tensorPercent = 5;
/// Memory whose bandwidth is used by this is what bounds a kernel.
inline constexpr double memoryBoundPercent = 70;

/// Does the work fill the GPU? Empty: its multiprocessors' share was not reported.
std::optional<bool> isFilled(const GpuActivity& activity);

} // namespace rankwright::inline insight
