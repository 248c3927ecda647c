// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/linkinfo.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/script/document/design.h"
#include "models/teaching/guide/guidedesign.h"

namespace rankwright::inline teaching {

/// One thing that is checked before a launch.
struct GuideCheck {
    QString id; ///< "findings", "memory", "program", "connection", "slurm"
    QString title; ///< "It fits into the memory"
    QString text; ///< what was seen, one sentence
    Tone tone = Tone::Good; ///< Good, Warn (goes on), Bad (does not), Busy, Quiet (not known yet)
    std::optional<GuideStep> leadsTo; ///< where it is answered
    bool blocks() const { return tone == Tone::Bad || tone == Tone::Busy; }
    bool operator==(const GuideCheck&) const = default;
};

/// What else is known when the launch is near.
struct GuideSurroundings {
    LinkInfo link; ///< of the design's cluster
    bool isOnline = false;
    std::optional<Error> failure; ///< why it is not connected
    std::optional<Result<StartForecast>> forecast; ///< of sbatch --test-only for this very script; empty: not asked
};

/// All that is checked before a launch, in the order of the steps. Pure.
QList<GuideCheck> guideChecks(const Derived& derived, const GuideContext& context, const GuideSurroundings& around);
/// The fields without which this design cannot be launched and that no step asks about: project, program, folder. None
/// on the practice cluster, which fills them in.
QList<GuideEntry> guideLaunchEntries(const Derived& derived, const GuideContext& context);
/// What it costs and when it is expected to start; unknown is said to be unknown.
struct GuideExpectation {
    QString cost;
    QString start;
};
GuideExpectation guideExpectation(
    const Derived& derived, const GuideContext& context, const GuideSurroundings& around, const QDateTime& now);

/// A part of "Your job so far", and the step that it leads to.
struct GuideJobPart {
    QString text; ///< "Llama 3 8B"
    GuideStep step = GuideStep::Where;
    bool operator==(const GuideJobPart&) const = default;
};
/// The job in one line, as far as the answers up to `reached` say.
QList<GuideJobPart> guideSummary(const Derived& derived, const GuideContext& context, GuideStep reached);

} // namespace rankwright::inline teaching
