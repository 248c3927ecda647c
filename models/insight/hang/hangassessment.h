// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangcase.h"
#include "models/insight/hang/hangscene.h"

#include <QStringList>

namespace rankwright::inline insight {

/// Who is odd, from whatever of the sources is there. In this order: a stopped process; a job that goes on; a rank
/// without a process; the record's mismatches, then who has not entered (flightfusion.h); Python stacks; RAS; states of
/// processes. Never accused: a rank that goes on (RankStanding::moves). Unknown, not Nothing, where all stand still and
/// nothing tells for whom. Where a second source names others, `conflicts`
/// gets a sentence.
HangCase assessHang(const HangScene& scene, QStringList& conflicts);

} // namespace rankwright::inline insight
