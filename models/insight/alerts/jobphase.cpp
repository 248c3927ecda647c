// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/jobphase.h"

#include "models/core/quantitytext.h"
#include "models/insight/alerts/jobsnapshot.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 fewSamplesMs = 5000;

} // namespace

JobPhase phaseOf(const JobSnapshot& snapshot)
{
    if (snapshot.ending() != JobEnding::None)
        return {};
    if (snapshot.pace().updates() > 0 || snapshot.pace().latest().step.value_or(0) > 0 || snapshot.workedGpus() > 0)
        return {JobPhase::Kind::Training, 0, 0, {}};
    // A few samples show whether its GPUs work.
    if (!snapshot.ranks().hasReports() || snapshot.watchedMs() == 0
        || snapshot.nowMs() - snapshot.watchedMs() < fewSamplesMs)
        return {};
    const int ranks = snapshot.ranks().isCertain() ? snapshot.ranks().present() : 0;
    const int tasks = snapshot.ranks().isCertain() ? 0 : snapshot.ranks().present();
    return {JobPhase::Kind::Starting, ranks > 0 ? 0 : snapshot.ranks().agents(), ranks > 0 ? ranks : tasks, {}};
}

QString phaseDetail(const JobPhase& phase)
{
    if (phase.kind != JobPhase::Kind::Starting)
        return {};
    if (phase.agents > 0)
        return u"%1, workers not yet"_s.arg(counted(phase.agents, u"agent"_s));
    if (phase.ranks > 0)
        return u"%1, no step yet"_s.arg(counted(phase.ranks, u"rank"_s));
    return u"no rank yet"_s;
}

QString toText(const JobPhase& phase)
{
    switch (phase.kind) {
    case JobPhase::Kind::Starting: return u"starting: "_s + phaseDetail(phase);
    case JobPhase::Kind::Training:
        return phase.startUpMs ? u"training, after a start-up of %1"_s.arg(durationText(*phase.startUpMs))
                               : u"training"_s;
    case JobPhase::Kind::Unknown: break;
    }
    return {};
}

QString toText(JobPhase::Kind kind)
{
    switch (kind) {
    case JobPhase::Kind::Starting: return u"starting"_s;
    case JobPhase::Kind::Training: return u"training"_s;
    case JobPhase::Kind::Unknown: break;
    }
    return u"unknown"_s;
}

} // namespace rankwright::inline insight
