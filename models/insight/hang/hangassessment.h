// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangcase.h"
#include "models/insight/hang/rankevidence.h"
#include "models/insight/hang/rankstanding.h"

#include <QList>
#include <QStringList>

namespace rankwright::inline insight {

/// The evidence of a collection with what was made of each rank, one behind the other.
struct HangScene {
    HangEvidence evidence;
    QList<RankStanding> standings; ///< one for each of evidence.ranks
};

/// The evidence with ranks added that should be there and were not seen (where every node answered), and their
/// standings.
HangScene hangScene(HangEvidence evidence);

/// Who is odd, from whatever of the sources is there. In this order: a stopped process; a job that goes on; a rank
/// without a process; the record's mismatches, then who has not entered (flightfusion.h); Python stacks; RAS; states of
/// processes. Never accused: a rank that goes on (RankStanding::moves). Where a second source names others, `conflicts`
/// gets a sentence.
HangCase assessHang(const HangScene& scene, QStringList& conflicts);

} // namespace rankwright::inline insight
