// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/rankevidence.h"
#include "models/insight/hang/stackmeaning.h"

#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// Where one rank stands: its process and its Python stack taken together.
struct RankStanding {
    std::optional<int> rank;
    StackMeaning meaning;
    std::optional<ProcessState> state;
    QString call; ///< system call that it is in: "read"; empty: in none, or not known
    QString channel; ///< wait channel in the kernel
    bool isGone = false; ///< no process any more (or a zombie)
    bool isStopped = false; ///< state T, at both moments where there are two
    bool waitsForFiles = false; ///< a file system lets it wait: state D, or a wait channel of one
    /// Did it go on between the two moments: processor time, bytes read or written, another place in the program. What
    /// waits for others by spinning uses its processor, too: for such a rank only the place counts. Empty: there was
    /// one moment.
    std::optional<bool> moves;
    bool isElsewhere = false; ///< its stack was another one at the first moment
    /// Its main thread has waited all the time between the two moments, in one and the same call. Empty: not known, or
    /// it does not wait now.
    std::optional<bool> isSameWait;
    bool computes = false; ///< it used at least a seventh of a core
    bool reads = false; ///< bytes were read or written

    /// In a call that waits for other ranks.
    bool isInCollective() const { return meaning.activity == StackActivity::Collective; }
    /// In what may wait for other ranks: the gradients' reduction, or the GPU that waits for one.
    bool mayWait() const
    {
        return meaning.activity == StackActivity::Backward || meaning.activity == StackActivity::DeviceWait;
    }
    bool isEnding() const { return meaning.activity == StackActivity::Ending; }
};

RankStanding rankStanding(const RankEvidence& evidence, std::optional<double> secondsBetween);

/// Is this wait channel one of a file system or of the pages of a file ("nfs_wait_bit_killable", "ll_…", "cl_sync_io",
/// "wait_on_page_bit", "folio_wait_bit", "io_schedule" …)? Source: names of functions of Linux, Lustre, GPFS, BeeGFS.
bool isFileSystemChannel(const QString& channel);
/// "read" of 0, as x86-64 numbers them (arch/x86/entry/syscalls/syscall_64.tbl); empty: not one that matters here.
QString systemCallName(int number);

/// "read() at dataset.py:88", "step() at train.py:30", "dataset.py:88"; without a stack the system call or the wait
/// channel; empty: nothing is known.
QString placeText(const RankStanding& standing);
/// "waiting for the file system", "waiting for a lock", "asleep"; empty: nothing is known beside its place.
QString reasonText(const RankStanding& standing);

} // namespace rankwright::inline insight
