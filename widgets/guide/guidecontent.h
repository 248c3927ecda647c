// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/submitstate.h"
#include "models/teaching/guide/guidechecks.h"
#include "models/teaching/guide/guideclosing.h"
#include "models/teaching/guide/guidescript.h"

namespace rankwright {

/// All that the guide's page shows at one moment, as values.
struct GuideContent {
    GuideQuestion question; ///< of the step that is shown
    GuideStep reached = GuideStep::Where; ///< the furthest one; up to it every step can be gone to
    QList<GuideJobPart> soFar;
    QString nextText; ///< "Next: the script", "Launch"; empty: there is nothing next
    QString obstacle; ///< why it is off, one sentence; empty: it is on
    QString note; ///< something that went wrong and does not stand in the way
    struct Waiting {
        bool isActive = false;
        QString text; ///< "starting slurmctld (3 of 9)"
        std::optional<double> fraction;
    } waiting; ///< something that takes longer, and can be stopped
    const Derived* derived = nullptr; ///< of the same design; null: no picture
    QString clusterTitle;
    bool isPractice = false;
    QList<GuideScriptPart> parts;
    QList<GuideCheck> checks;
    bool mayConnect = false; ///< the design's cluster is not connected, and nothing is under way
    GuideExpectation expected;
    SubmitState submit;
    GuideStage stage = GuideStage::NotLaunched;
    QString stageText;
    JobId job;
    std::optional<GuideClosing> closing; ///< when the job has ended
    bool isReportPending = false; ///< what it used is being asked
};

} // namespace rankwright
