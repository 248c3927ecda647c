// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangverdict.h"

namespace rankwright::inline insight {

/// Rows of a verdict that one line of a table stands for.
struct HangFold {
    QList<qsizetype> rows; ///< places in HangVerdict::rows, ascending; at least one
    bool isFolded = false; ///< those that stand alike; else a rank by itself
    bool operator==(const HangFold&) const = default;
};

/// The odd ones by themselves; of more than `most` rows the others together that stand alike: in state, wait channel,
/// collective and place. In the order of their first rows.
QList<HangFold> foldedRows(const QList<HangRow>& rows, qsizetype most);

/// "load_batch() train.py:88"; empty: not known.
QString placeText(const HangRow& row);
/// "train.py:88", "train.py"; empty: not known.
QString fileText(const HangRow& row);

} // namespace rankwright::inline insight
