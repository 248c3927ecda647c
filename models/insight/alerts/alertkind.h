// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

namespace rankwright::inline insight {

/// The ways in which a job wastes time or money, or will fail, that are looked for (docs/alerts.md). In the order of
/// their published ids; a new one goes to the end.
enum class AlertKind {
    OutputFailure,
    Hang,
    DeadNode,
    LostRank,
    MissingRank,
    SilentNode,
    Straggler,
    UnevenWork,
    WaitingCollective,
    IdleGpus,
    CrowdedGpu,
    WrongBinding,
    SharedCores,
    DataLoading,
    MemoryGrowing,
    LossNan,
    SmallWork,
    UnevenStages,
    Throttled,
    HostMemory,
    TimeLimit,
    Stalled,
    MemoryUnused,
    UnusedShare,
    SecondaryDiePower,
    OutputSuspicion,
    MemoryErrors,
    FileWait,
    ForeignMemory,
    SmallKernels
};
inline constexpr int alertKindCount = int(AlertKind::SmallKernels) + 1;

/// The published id, as files and JSON have it in "rule": "A03". Empty: no kind has that number.
QStringView wordOf(AlertKind kind);
/// The name, as files and JSON have it in "kind": "dead_node".
QStringView nameOf(AlertKind kind);

} // namespace rankwright::inline insight
