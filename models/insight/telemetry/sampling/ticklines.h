// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/insight/telemetry/gpusample.h"

#include <QByteArrayView>

namespace rankwright::inline insight {

// The lines of the sampling stream (docs/telemetry.md). In: a whole line without its newline, at most 1023 bytes,
// perhaps with an srun label in front. Lines of another kind (banners, warnings) are never guessed at.

/// "@rw-gpus NODE EPOCH_MS INDEX;use;used;total;power;cap;temp;flags;clock;throttle;processes;errors;|...". Empty cells
/// are null; lines of older samplers end each record behind the flags. One pass, no copy of the text but the node's
/// name.
Result<NodeTick> parseTickLine(QByteArrayView line);

/// A node that lives but has nothing to report, with the last words of its GPU tool ("@rw-silence NODE EPOCH_MS
/// REASON").
struct NodeSilence {
    QString node;
    qint64 takenMs = 0;
    QString reason;
    bool operator==(const NodeSilence&) const = default;
};
std::optional<NodeSilence> parseSilenceLine(QByteArrayView line);

/// Processor time that the sampler of a node has used since it started, its tools included ("@rw-cost NODE
/// EPOCH_MS SECONDS;").
struct SamplerCost {
    QString node;
    qint64 takenMs = 0;
    double cpuSeconds = 0;
    bool operator==(const SamplerCost&) const = default;
};
std::optional<SamplerCost> parseCostLine(QByteArrayView line);

} // namespace rankwright::inline insight
