// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfilemanifest.h"

#include <QHash>
#include <QIODevice>

namespace rankwright {

/// What a job file holds beside its recording.
struct JobFileContents {
    JobFileManifest manifest;
    QHash<QString, QByteArray> texts; ///< by the member's name; the recording is not among them
    int ignored = 0; ///< entries of the archive that the manifest does not name, or whose kind is not known
};

/// Reads a job file (docs/job_file.md) from its beginning to its end. Nothing of it is believed: no name of it is used
/// as a path; only what the manifest names is kept, of the size and with the checksum that stand there; the memory that
/// is taken is bounded by largestOf() and by what is really there. The recording's bytes go to `recording` as they
/// come, before its checksum is known: to be thrown away when this fails. Error: not a job file, cut, damaged, of a
/// newer version; `recording` could not be written.
Result<JobFileContents> readJobFile(QIODevice& from, QIODevice& recording);

} // namespace rankwright
