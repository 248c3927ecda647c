// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/rankevidence.h"
#include "models/insight/hang/rankstanding.h"

#include <QList>

namespace rankwright::inline insight {

/// The evidence of a collection with what was made of each rank, one behind the other.
struct HangScene {
    HangEvidence evidence;
    QList<RankStanding> standings; ///< one for each of evidence.ranks
};

/// The evidence with ranks added that should be there and were not seen (where every node answered), without ended
/// processes of ranks that were started again, and their standings.
HangScene hangScene(HangEvidence evidence);

} // namespace rankwright::inline insight
