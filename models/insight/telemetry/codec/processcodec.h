// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/codec/columncodec.h"
#include "models/insight/telemetry/history/telemetryhistory.h"

namespace rankwright::inline insight {

/// Processes of one node over some time, packed as ticks are (tickchunk.h).
QByteArray packProcesses(const QList<NodeProcesses>& reported);
/// Error as TickChunk::open.
Result<QList<NodeProcesses>> unpackProcesses(const QByteArray& blob, const QString& node);
Result<QList<NodeProcesses>> unpackProcessesPayload(const QByteArray& payload, const QString& node);

} // namespace rankwright::inline insight
