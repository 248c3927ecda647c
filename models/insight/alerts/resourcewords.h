// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline insight {

class JobSnapshot; // jobsnapshot.h

/// What the nodes' network and file systems show beside what the GPUs show: sentences for the evidence of alerts. Each
/// is empty where nothing is known, or nothing stands out.

/// The job's processes on a node mostly waited for files in the last half minute: "On n03 its processes waited for
/// files in 8 of 10 looks, some of them 74 % of the time (cl_sync_io_wait)."
QString fileWaitWords(const JobSnapshot& snapshot, int row);
/// How much of what the nodes' links can carry they carried: "The links of 4 nodes carry 84 % of what they can: the
/// network is the limit."
enum class LinkWords {
    Always, ///< wherever it is known
    WhenTelling, ///< only where the network is the limit, or is not
};
QString linkWords(const JobSnapshot& snapshot, LinkWords when);
/// Behind another sentence: with a blank in front, or nothing.
QString besideSentence(const QString& sentence);

} // namespace rankwright::inline insight
