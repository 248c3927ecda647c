// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/document/design.h"
#include "widgets/rankmap/rankmaplayout.h"

#include <QCoreApplication>

namespace rankwright {

/// What the Design page says in words, as pure functions of a design's results: no widget, no state. Every sentence
/// carries this design's own figures; what is not known is said to be unknown.
class DesignText {
    Q_DECLARE_TR_FUNCTIONS(DesignText)
public:
    /// Everything that is known of one rank: one line for the status, several for the tool tip.
    static QString rankLine(const Derived& derived, int rank);
    static QString rankToolTip(const Derived& derived, int rank);
    /// The same for a GPU that the job does not ask for.
    static QString idleGpuText(const Derived& derived, int node, int gpu);
    /// What the script's own binding does to the ranks, and what is wrong with it; empty: it binds as the design says.
    static QString bindingNote(const Derived& derived);
    /// Head, caption and legend of the node map.
    static QString mapTitle(const Derived& derived);
    static QString mapLegend(const Derived& derived, RankMapLayout::Detail detail);
    /// "512 = 4 per micro-batch × 8 accumulations × 16 ranks"
    static QString batchEquation(const Derived& derived);
    static QString batchSentence(const Derived& derived);
    static QString batchNote(const Derived& derived);
    /// That the program decides what is drawn.
    static QString unpassedBatch(const Derived& derived);
    /// What a share of the price counts, in a word: "GCDs", "cores".
    static QString shareWord(BillingTerm::Of of, const QString& gpuWord);
    static QString costSummary(const Derived& derived);
    enum class Launch { Possible, Blocked };
    /// "Ready", "2 errors", "Ready, 1 warning".
    static QString verdict(const QList<Finding>& findings, Launch launch = Launch::Possible);
};

} // namespace rankwright
