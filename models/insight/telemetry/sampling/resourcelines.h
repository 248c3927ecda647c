// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/noderesources.h"

#include <QByteArrayView>

namespace rankwright::inline insight {

/// A line about what a node has beside its GPUs, printed in front of those about its ranks, with their time:
/// "@rw-node NODE EPOCH_MS
/// SPAN_MS;network;links;capacity;received;sent;processes;waiting;waits_in;pressure_of;some;all;
/// memory_of;limit;anonymous;shared;cached;" (docs/telemetry.md).
struct ResourceLine {
    QString node;
    qint64 takenMs = 0; ///< node's clock
    NodeResources resources;
    bool operator==(const ResourceLine&) const = default;
};
/// Empty: not such a line, or cut.
std::optional<ResourceLine> parseResourceLine(QByteArrayView line);

} // namespace rankwright::inline insight
