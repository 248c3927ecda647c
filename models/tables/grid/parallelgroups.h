// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/rankplace.h"

namespace rankwright::inline tables {

/// The kinds that distinguish some ranks from others: at least two groups, or a group that is not all ranks.
QList<GroupKind> kindsIn(const QList<RankPlace>& placement);
/// Ranks of the same group of this kind, `place` itself included; empty when it belongs to none.
QList<RankPlace> groupMembersOf(const QList<RankPlace>& placement, const RankPlace& place, GroupKind kind);

} // namespace rankwright::inline tables
