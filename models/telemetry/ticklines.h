// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/telemetry/gpusample.h"

namespace rankwright {

/// Reads one line of the sampling stream ("@rw1 NODE EPOCH_MS INDEX;use;used;total;power;cap;temp;flags|..."), at most
/// 1023 bytes. In: a whole line without its newline, perhaps with an srun label in front. Empty cells are null. Lines
/// of another kind (banners, warnings) give Fault::Unreadable and are counted by the caller, never guessed at.
Result<NodeTick> parseTickLine(const QByteArray& line);

} // namespace rankwright
