// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/insight/telemetry/history/nodesums.h"

namespace rankwright::inline insight {

/// Sums of some minutes of one node, packed as ticks are (tickchunk.h). Exact. Of more than an hour: not written.
QByteArray packSums(const NodeSums& sums);
/// Error as TickChunk::open.
Result<NodeSums> unpackSums(const QByteArray& blob, const QString& node);
Result<NodeSums> unpackSumsPayload(const QByteArray& payload, const QString& node); ///< for tests

} // namespace rankwright::inline insight
