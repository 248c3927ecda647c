// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/transfer/filehash.h"
#include "app/transfer/localfiles.h"

namespace rankwright {

/// The bytes of an upload, piece by piece, with the checksums of what was read. Used by one thread at a time: pieces
/// are made on the pool.
class UploadStream {
public:
    /// Many entries as one tar stream; `tree` says where they lie.
    static std::shared_ptr<UploadStream> tar(const QList<FileEntry>& entries, const LocalTree& tree);
    /// One file from `offset` on; `hash` has read what is before.
    static std::shared_ptr<UploadStream> file(
        const FileEntry& entry, const LocalTree& tree, qint64 offset, std::shared_ptr<FileHash> hash);
    virtual ~UploadStream() = default;

    /// About a MiB; empty: that was all. Error: a file cannot be read any more.
    virtual Result<QByteArray> next() = 0;
    /// SHA-256 of the files that were read, by path.
    const QHash<QByteArray, QByteArray>& sums() const { return m_sums; }

protected:
    QHash<QByteArray, QByteArray> m_sums;
};

} // namespace rankwright
