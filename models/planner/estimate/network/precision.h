// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankwright::inline planner {

/// In what numbers a training computes and keeps its weights. "mixed": computes in 16 bit, keeps fp32 master weights.
enum class Precision { Fp32, Tf32, Fp16Mixed, Bf16Mixed, Bf16 };

} // namespace rankwright::inline planner
