// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/jobstate.h"

#include <array>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

struct StateWord {
    JobState state;
    QStringView word;
};

// The long names of squeue(1) and sacct(1), JOB STATE CODES.
constexpr std::array<StateWord, 23> stateWords{{
    {JobState::Pending, u"PENDING"},
    {JobState::Configuring, u"CONFIGURING"},
    {JobState::Running, u"RUNNING"},
    {JobState::Completing, u"COMPLETING"},
    {JobState::Completed, u"COMPLETED"},
    {JobState::Cancelled, u"CANCELLED"},
    {JobState::Failed, u"FAILED"},
    {JobState::Timeout, u"TIMEOUT"},
    {JobState::OutOfMemory, u"OUT_OF_MEMORY"},
    {JobState::NodeFail, u"NODE_FAIL"},
    {JobState::Preempted, u"PREEMPTED"},
    {JobState::BootFail, u"BOOT_FAIL"},
    {JobState::Deadline, u"DEADLINE"},
    {JobState::Suspended, u"SUSPENDED"},
    {JobState::Stopped, u"STOPPED"},
    {JobState::Requeued, u"REQUEUED"},
    {JobState::RequeueHold, u"REQUEUE_HOLD"},
    {JobState::ResvDelHold, u"RESV_DEL_HOLD"},
    {JobState::SpecialExit, u"SPECIAL_EXIT"},
    {JobState::Resizing, u"RESIZING"},
    {JobState::Revoked, u"REVOKED"},
    {JobState::Signaling, u"SIGNALING"},
    {JobState::StageOut, u"STAGE_OUT"},
}};

/// "OUT_OF_ME+": a column that was cut. The rest must name exactly one state.
JobState fromCut(QStringView head)
{
    if (head.size() < 4)
        return JobState::Unknown;
    JobState found = JobState::Unknown;
    for (const StateWord& entry : stateWords) {
        if (!QStringView(entry.word).startsWith(head))
            continue;
        if (found != JobState::Unknown)
            return JobState::Unknown;
        found = entry.state;
    }
    return found;
}

} // namespace

JobState jobStateFrom(const QString& text)
{
    // "CANCELLED by 327001": only the first word is the state
    QStringView word = QStringView(text).trimmed();
    const qsizetype blank = word.indexOf(u' ');
    if (blank >= 0)
        word = word.left(blank);
    bool cut = false;
    if (word.endsWith(u'+')) {
        word.chop(1);
        cut = true;
    }
    for (const StateWord& entry : stateWords) {
        if (word == QStringView(entry.word))
            return entry.state;
    }
    return cut ? fromCut(word) : JobState::Unknown;
}

QString toText(JobState state)
{
    for (const StateWord& entry : stateWords) {
        if (entry.state == state)
            return entry.word.toString();
    }
    return u"UNKNOWN"_s;
}

bool isWaiting(JobState state)
{
    switch (state) {
    case JobState::Pending:
    case JobState::Requeued:
    case JobState::RequeueHold:
    case JobState::ResvDelHold:
    case JobState::SpecialExit: return true;
    default: return false;
    }
}

bool isActive(JobState state)
{
    switch (state) {
    case JobState::Configuring: // the nodes are ours already, some are still booting
    case JobState::Running:
    case JobState::Completing:
    case JobState::Suspended:
    case JobState::Stopped:
    case JobState::Resizing:
    case JobState::Signaling:
    case JobState::StageOut: return true;
    default: return false;
    }
}

bool hasFailed(JobState state)
{
    return state == JobState::Failed || state == JobState::OutOfMemory || state == JobState::NodeFail
        || state == JobState::BootFail;
}

bool hasEnded(JobState state) { return state != JobState::Unknown && !isWaiting(state) && !isActive(state); }

} // namespace rankwright::inline cluster
