// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline cluster {

/// Every state that Slurm prints (squeue(1), sacct(1), JOB STATE CODES); Unknown is what we do not know, never a guess.
enum class JobState {
    Unknown,
    Pending,
    Configuring,
    Running,
    Completing,
    Completed,
    Cancelled,
    Failed,
    Timeout,
    OutOfMemory,
    NodeFail,
    Preempted,
    BootFail,
    Deadline,
    Suspended,
    Stopped,
    Requeued,
    RequeueHold,
    ResvDelHold,
    SpecialExit,
    Resizing,
    Revoked,
    Signaling,
    StageOut
};

/// Reads "RUNNING", "CANCELLED by 327001", "OUT_OF_MEMORY", "CANCELLED+"; anything else is Unknown.
JobState jobStateFrom(const QString& text);
QString toText(JobState state); ///< Slurm's own word: "RUNNING"
bool isWaiting(JobState state); ///< in the queue, not started
bool isActive(JobState state); ///< has an allocation: running, completing, suspended ...
bool hasEnded(JobState state);
/// Ended by a failure of its program, its memory or its nodes; false where somebody or a limit stopped it.
bool hasFailed(JobState state);

} // namespace rankwright::inline cluster
