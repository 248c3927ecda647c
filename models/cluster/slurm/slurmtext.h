// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/nodelist.h"
#include "models/core/units.h"

#include <QDateTime>
#include <QStringList>

#include <optional>

namespace rankwright::inline cluster {

// The spellings of single cells in Slurm's answers. All take what Slurm printed and give an empty value for its many
// words for "nothing" ("N/A", "(null)", "Unknown", "None assigned", "UNLIMITED" ...), never zero.

/// Control characters between records, cells and sections: no job name or path contains them, unlike '|' or a blank.
inline constexpr char recordMark = '\x1e';
inline constexpr char cellMark = '\x1f';
inline constexpr char sectionMark = '\x1d';

/// The words before a question to Slurm: it prints times in the zone and form of its environment, here UTC, whatever
/// the account's start-up files set, and without the filters and formats that users keep in variables.
inline constexpr QLatin1StringView slurmAsks(
    "export LC_ALL=C TZ=UTC0 SLURM_TIME_FORMAT=standard; unset SQUEUE_ACCOUNT SQUEUE_ALL SQUEUE_ARRAY SQUEUE_FEDERATION "
    "SQUEUE_FORMAT SQUEUE_FORMAT2 SQUEUE_LICENSES SQUEUE_LOCAL SQUEUE_NAMES SQUEUE_PARTITION SQUEUE_PRIORITY SQUEUE_QOS "
    "SQUEUE_SIBLING SQUEUE_SORT SQUEUE_STATES SQUEUE_USERS SACCT_FEDERATION SACCT_FORMAT SACCT_LOCAL SINFO_ALL "
    "SINFO_FORMAT SINFO_PARTITION SINFO_SORT SINFO_STATE SCONTROL_ALL SCONTROL_FEDERATION SCONTROL_LOCAL "
    "SCONTROL_SIBLING; ");

/// The text of a cell; empty for Slurm's words for nothing.
QString slurmCell(const QByteArray& cell);
/// "1:02:03", "2-00:00:00", "4:05"; empty for UNLIMITED, Partition_Limit, NOT_SET, INVALID, infinite.
std::optional<Seconds> slurmSpan(const QString& text);
/// "2026-07-14T08:12:38" in UTC, as our commands ask for; invalid for Unknown, N/A, None.
QDateTime slurmTimestamp(const QString& text);
std::optional<int> slurmCount(const QString& text);
/// "0:15" -> exit code 0, signal 15.
struct ExitPair {
    std::optional<int> code;
    std::optional<int> signal;
};
ExitPair slurmExit(const QString& text);
/// Number of GPUs in a TRES or GRES list: "billing=8,cpu=8,gres/gpu=4,gres/gpu:mi250=4", "gres:gpu:2",
/// "gpu:a100:4(S:0-1)". Empty when GPUs are not named.
std::optional<int> gpusIn(const QString& resources);
/// The GPU part of such a list alone, as reported; empty when there is none.
QString gpuPart(const QString& resources);
/// Node names of a folded list; empty for "(null)", "None assigned" or a list that cannot be read.
QStringList slurmNodes(const QString& text);
/// The same, folded.
NodeList slurmNodeList(const QString& text);

} // namespace rankwright::inline cluster
