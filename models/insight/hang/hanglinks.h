// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangverdict.h"

namespace rankwright::inline insight {

/// Words of a verdict's sentence, and what they lead to.
struct HangLink {
    enum class To {
        Ranks, ///< the rows that they are about
        Gpu, ///< "node n03, GPU 3": of the one row
        Line ///< "dataset.py:88": the line in the one row's stack
    };
    qsizetype from = 0; ///< characters of the sentence
    qsizetype length = 0;
    To to = To::Ranks;
    QString source; ///< what the words rest on
    QList<qsizetype> rows; ///< places in HangVerdict::rows; empty: the job as a whole
    bool operator==(const HangLink&) const = default;
};

/// All words that rest on something, in the order of the sentence, none over another.
QList<HangLink> hangLinks(const HangVerdict& verdict);

} // namespace rankwright::inline insight
