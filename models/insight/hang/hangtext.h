// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangverdict.h"

namespace rankwright::inline insight {

/// The verdict for a message or a ticket: the sentence, a line for each rank (those that stand alike together), the
/// stacks of the odd ones, what was not reachable.
QString hangText(const HangVerdict& verdict);

/// What to do so that the next look sees more, a sentence each; empty: nothing was missing. Sources: PyTorch's
/// documentation of Flight Recorder and faulthandler's of Python; docs/where.md.
QStringList hangAdvice(const HangVerdict& verdict);

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
