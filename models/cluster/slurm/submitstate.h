// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"

#include <QMetaType>

namespace rankwright::inline cluster {

/// Where a submission stands; the flow in app owns the order, the window shows it.
struct SubmitState {
    enum class Stage {
        Idle,
        Checking,
        Rehearsing,
        Recording,
        Sending,
        Recovering,
        Submitted,
        Rehearsed,
        Refused,
        Unknown
    };
    Stage stage = Stage::Idle;
    QString text; ///< what is happening or happened, one sentence
    Error error; ///< for Refused and Unknown
    JobId job; ///< for Submitted
    bool wasFound = false; ///< Submitted by an earlier start whose answer was lost; nothing was sent now
    QStringList differences; ///< for Submitted: what Slurm has that differs from the script; a sentence each
    bool wasCompared = false; ///< for Submitted: Slurm was asked what it has
    StartForecast forecast; ///< for Rehearsed (and Submitted when asked)
    bool isBusy() const { return stage >= Stage::Checking && stage <= Stage::Recovering; }
};

} // namespace rankwright::inline cluster
