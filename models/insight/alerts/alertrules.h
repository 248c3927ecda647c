// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/alert.h"

namespace rankwright::inline insight {

class JobSnapshot; // jobsnapshot.h
struct AlertRule;

/// What a rule has seen at one moment. Becomes an Alert when it has lasted.
struct Evidence {
    const AlertRule* rule = nullptr;
    QString key = {}; ///< whom it is about: the same evidence a second later has the same key
    qint64 sinceMs = 0; ///< caller's clock; 0: since it was first seen
    std::optional<qint64> lastsMs = {}; ///< how long it must last; empty: as the table says
    QString title = {};
    QString seen = {};
    QString meaning = {}; ///< empty: the table's
    QString advice = {}; ///< empty: the table's
    QString source = {}; ///< empty: the table's
    QString kind = {}; ///< of the failure that the output reports; empty: the name of the rule's kind
    QList<GpuAddress> gpus = {};
    QStringList nodes = {};
    std::optional<int> rank = {};
};

/// One way in which a job wastes time or money, or will fail. The thresholds are beside the functions that use them
/// and, in words, in docs/alerts.md.
struct AlertRule {
    AlertKind kind;
    Alert::Level level;
    int lastsMs = 0; ///< the evidence must last this long before it is reported
    int staysMs = 0; ///< and is still reported this long after it was last seen
    void (*evaluate)(const AlertRule& rule, const JobSnapshot& snapshot, QList<Evidence>& found);
    QList<AlertKind> silences = {}; ///< what this one explains
    const char* meaning; ///< why it matters
    const char* advice = ""; ///< %launch and %bind stand for the job's own options
    const char* field = ""; ///< of the design; "": none
    const char* source; ///< where the rule comes from: a manual, a measurement
};

/// All of them, in the order in which equals are shown.
const QList<AlertRule>& alertRules();

// What the rules check, by subject. Each appends what it sees now.
using AlertCheck = void(const AlertRule&, const JobSnapshot&, QList<Evidence>&);
AlertCheck findIdleGpus, findCrowdedGpu, findMemoryFull, findMemoryUnused, findThrottled,
    findSecondaryDies; // gpualerts.cpp
AlertCheck findHostMemory, findMemoryErrors, findForeignMemory; // resourcealerts.cpp
AlertCheck findStraggler, findUnevenWork, findWaiting; // straggleralerts.cpp
AlertCheck findHang, findStall; // hangalerts.cpp
AlertCheck findDataLoading, findFileWait, findSmallWork, findSmallKernels, findUnevenStages; // loadalerts.cpp
AlertCheck findMissingRank, findLostRank, findWrongBinding, findSharedCores; // rankalerts.cpp
AlertCheck findSilentNode, findDeadNode, findTimeLimit, findLossNotANumber, findUnusedShare, findOutput,
    findSuspicion; // wholejobalerts.cpp

} // namespace rankwright::inline insight
