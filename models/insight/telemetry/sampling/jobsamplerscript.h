// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"

#include <QByteArray>

namespace rankwright::inline insight {

/// The file that a job runs beside its training (`.rankwright/sampler-1.sh`, started by the lines of
/// models/script/jobsampler): a bash script, the same for all jobs. Its words:
///
///     start VENDOR SECONDS one-step|node-steps    on the job's first node; ends at end of file on its stdin
///     node VENDOR SECONDS [BYTES]                 on each node, by a step of `start`; BYTES is where a record stops
///     compact SECONDS BYTES [BYTES SO FAR]        lines of the sampling command in, lines of a record out
///
/// What it samples with is nodeSampler(), the same as for watching. What it writes: docs/telemetry.md.
QByteArray samplerScript();

/// Puts that file where the job's script looks for it, whole or not at all; leaves an equal one alone. `file` from
/// `workdir`, a plain word of the shell; `workdir` empty: the home folder.
RemoteCommand placeSamplerCommand(const QString& file, const QString& workdir);

} // namespace rankwright::inline insight
