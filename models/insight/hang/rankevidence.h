// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/flightrecord.h"
#include "models/insight/hang/pythonstack.h"
#include "models/insight/hang/rasreport.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright::inline insight {

/// Of /proc/PID/status, "State:".
enum class ProcessState {
    Running, ///< R
    Sleeping, ///< S (and I, idle)
    DiskSleep, ///< D: waits in the kernel and cannot be interrupted, mostly a file system
    Stopped, ///< T, and t (by a debugger)
    Zombie ///< Z (and X): has ended, its parent has not waited for it
};
/// From the letter; empty: another one.
std::optional<ProcessState> processStateOf(char letter);
/// "R", "S", "D", "T", "Z".
QString toText(ProcessState state);

/// Bytes as /proc/PID/io counts them since the process began.
struct IoCounters {
    std::optional<qint64> readChars; ///< rchar: asked for by read calls, from wherever
    std::optional<qint64> writtenChars; ///< wchar
    std::optional<qint64> readBytes; ///< read_bytes: from a disk or file server
    bool operator==(const IoCounters&) const = default;
};

/// One process at one moment. What could not be read is empty.
struct ProcessSnapshot {
    std::optional<ProcessState> state; ///< of the main thread
    QString waitChannel; ///< /proc/PID/wchan: "futex_wait_queue", "nfs_wait_bit_killable"; empty: not readable, or "0"
    std::optional<int> syscall; ///< first number of /proc/PID/syscall; -1 in user code; empty also while "running"
    QString syscallName; ///< "read", "futex" where the collector knows it; else hangverdict looks it up for x86-64
    IoCounters io;
    std::optional<qint64> cpuTicks; ///< utime + stime of /proc/PID/stat, all threads
    std::optional<qint64> sleeps; ///< of the main thread: how often it began to wait (voluntary_ctxt_switches)
    bool operator==(const ProcessSnapshot&) const = default;
};

/// All that was seen of one rank. Two moments about a second apart tell what stands from what moves.
struct RankEvidence {
    std::optional<int> rank; ///< of the job, from 0
    QString node; ///< empty: not known
    std::optional<int> gpu; ///< number on its node (LOCAL_RANK); empty: not known
    std::optional<qint64> pid; ///< empty: no process was seen
    bool hasEnded = false; ///< its node was asked and has no process of this rank (or it is known to have ended)
    QString command; ///< comm or a short command line
    std::optional<ProcessSnapshot> before; ///< first moment
    std::optional<ProcessSnapshot> now; ///< second moment, or the only one
    std::optional<PythonStacks> stacksBefore; ///< at a first moment, where asked twice
    std::optional<PythonStacks> stacks; ///< newest
    std::optional<FlightRecord> recordBefore;
    std::optional<FlightRecord> record; ///< newest
    QString failure; ///< the exception or error that its output ends with, one line; empty: none is known
    QStringList notes; ///< what was not reachable, a sentence each
    bool operator==(const RankEvidence&) const = default;
};

/// RAS answers of one node.
struct NodeRas {
    QString node;
    std::optional<RasReport> before, now;
    bool operator==(const NodeRas&) const = default;
};

/// All that one collection found.
struct HangEvidence {
    QList<RankEvidence> ranks; ///< in any order
    QList<NodeRas> ras;
    std::optional<int> worldSize; ///< ranks that the job should have
    bool isComplete = false; ///< every node of the job was asked and answered: a rank without a process has ended
    std::optional<double> secondsBetween; ///< of the two moments; empty: about one. The longer, the surer what stands
    double seconds = 0; ///< that the collection took
    QString over; ///< a sentence: the job ended meanwhile, and as what; empty: it ran all the time
    QStringList notes; ///< of the whole: nodes that did not answer, a sample of nodes
    bool operator==(const HangEvidence&) const = default;
};

} // namespace rankwright::inline insight
