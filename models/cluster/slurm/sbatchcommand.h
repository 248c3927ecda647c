// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/cluster/slurm/slurmclient.h"

namespace rankwright::inline cluster {

/// The last line of a batch script that was submitted under this token, a comment.
QString scriptMark(const SubmissionToken& token);

// Both begin in the home folder and drop the SBATCH_* variables that would replace what the script sets.

/// sbatch --test-only: what the controller would do with the script; nothing is queued (rehearse.sh of
/// resources/remote; readRehearsal() reads the answer).
RemoteCommand rehearseCommand(const SubmitRequest& request);

/// How long the shell on the login node waits for the script and then for the word to submit it.
struct HandoverSeconds {
    int script = 10; ///< and one more for each 4 KiB
    int word = 10; ///< less than SubmitRecovery waits before it takes a submission for absent
};
/// What that shell prints, on a line of its own, when the script is there whole; then it waits for submitWord.
inline constexpr char scriptIsThere[] = "rankwright: the script is here";
inline constexpr char submitWord[] = "go";
/// sbatch with the script on stdin, after a shell (take-script.sh) that runs it only when the script has come whole
/// and the word after it, both in time; else nothing is submitted (exit status 75, EX_TEMPFAIL of sysexits.h). The
/// token travels as the job's comment and as the script's last line (scriptMark). To be run by handOver().
RemoteCommand sbatchCommand(const SubmitRequest& request, const HandoverSeconds& seconds = {});

} // namespace rankwright::inline cluster
