// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace rankwright::inline insight {

class JobSnapshot; // jobsnapshot.h

/// How far a running job is. It starts until its first step or the first work of a GPU: imports, data, rendezvous.
struct JobPhase {
    enum class Kind { Unknown, Starting, Training };
    Kind kind = Kind::Unknown;
    int agents = 0; ///< tasks that start ranks and have not yet, on all nodes
    int ranks = 0; ///< that are there while it starts
    std::optional<qint64> startUpMs; ///< how long that took; empty: it starts yet, or its start was not seen
    bool operator==(const JobPhase&) const = default;
};

JobPhase phaseOf(const JobSnapshot& snapshot);
QString phaseDetail(const JobPhase& phase); ///< "2 agents, workers not yet"; empty but while it starts
QString toText(const JobPhase& phase); ///< "starting: 2 agents, workers not yet"; empty: not known
QString toText(JobPhase::Kind kind); ///< "starting", "training", "unknown"

} // namespace rankwright::inline insight
