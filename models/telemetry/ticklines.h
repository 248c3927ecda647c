// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/telemetry/gpusample.h"

namespace rankwright {

/// Reads one line of the sampling stream ("@rw1 NODE EPOCH_MS INDEX;use;used;total;power;cap;temp;flags|..."), at most
/// 1023 bytes. In: a whole line without its newline, perhaps with an srun label in front. Empty cells are null. Lines
/// of another kind (banners, warnings) give Fault::Unreadable and are counted by the caller, never guessed at.
Result<NodeTick> parseTickLine(const QByteArray& line);

/// A node that lives but has nothing to tell, with the last words of its GPU tool ("@rwh NODE EPOCH_MS REASON").
struct NodeSilence {
    QString node;
    qint64 takenMs = 0;
    QString reason;
    bool operator==(const NodeSilence&) const = default;
};
std::optional<NodeSilence> parseSilenceLine(const QByteArray& line);

} // namespace rankwright
