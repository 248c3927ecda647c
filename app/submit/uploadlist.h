// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/remote/tarheader.h"

#include <QList>

namespace rankwright {

/// A file or folder of this machine and where it goes below the job's folder.
struct UploadEntry {
    QString local; ///< path on this machine
    TarEntry remote; ///< path relative to the job's folder
};

/// Everything below the given files and folders, each under its own last name. Links are followed to files, folders
/// that are linked inside a folder are not entered. Error: a path that is missing or is neither file nor folder, a name
/// with a line break, two paths of one name.
Result<QList<UploadEntry>> listUpload(const QStringList& paths);

} // namespace rankwright
