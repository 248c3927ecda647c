// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/tarheader.h"
#include "models/core/error.h"

#include <QList>

namespace rankwright {

/// A file or folder of this machine and where it goes below the job's folder.
struct UploadEntry {
    QString local; ///< path on this machine
    TarEntry remote; ///< path relative to the job's folder
};

/// What a person should know of a list before anything is sent.
struct UploadNotes {
    QStringList skipped; ///< links that lead out of their folder, or nowhere: not copied
    QStringList folderLinks; ///< links to a folder inside: not copied, the folder itself is
    QStringList hidden; ///< files and folders whose names begin with a dot: copied
};

/// A list with its notes, as a thread of the pool hands it over.
struct UploadListing {
    QList<UploadEntry> entries;
    UploadNotes notes;
};

/// Everything below the given files and folders, each under its own last name, with its rights. A path that is named is
/// followed when it is a link; inside a folder links are followed only to files of that folder. Error: a path that is
/// missing or is neither file nor folder, a name with a line break, two paths of one name.
Result<UploadListing> listUpload(const QStringList& paths);

} // namespace rankwright
