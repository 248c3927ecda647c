// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/transfer/uploadstream.h"

#include "models/cluster/remote/tarheader.h"
#include "models/cluster/transfer/filenames.h"
#include "models/cluster/transfer/tarstream.h"

#include <fcntl.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 pieceSize = 1024 * 1024;

Unexpected<Error> changed(const QByteArray& path)
{
    return fail(Fault::Io, u"%1 was changed while it was read."_s.arg(shownName(path)), {},
        u"Send it again when nothing writes to it."_s);
}

/// Appends up to `count` bytes of the file. Error: it has fewer.
Result<void> readInto(QByteArray& piece, QFile& file, qint64 count, const QByteArray& path)
{
    const qsizetype before = piece.size();
    piece.resize(before + count);
    for (qint64 have = 0; have < count;) {
        const qint64 read = file.read(piece.data() + before + have, count - have);
        if (read <= 0)
            return changed(path);
        have += read;
    }
    return {};
}

QByteArray sumOf(QByteArrayView bytes)
{
    FileHash hash;
    hash.addData(bytes);
    return hash.hex();
}

class TarOfFiles final : public UploadStream {
public:
    TarOfFiles(QList<FileEntry> entries, LocalTree tree) : m_entries(std::move(entries)), m_tree(std::move(tree)) { }

    Result<QByteArray> next() override
    {
        QByteArray piece;
        while (piece.size() < pieceSize && m_next < m_entries.size()) {
            const FileEntry& entry = m_entries.at(m_next++);
            piece += tarHeaderOf(entry);
            if (entry.kind != FileEntry::Kind::File)
                continue;
            QFile file;
            const QByteArray path = m_tree.localPath(entry.path);
            if (const auto opened = openLocal(file, path, O_RDONLY); !opened)
                return fail(opened.error());
            const qsizetype begin = piece.size();
            if (file.size() != entry.size)
                return changed(path);
            if (const auto read = readInto(piece, file, entry.size, path); !read)
                return fail(read.error());
            m_sums.insert(entry.path, sumOf(QByteArrayView(piece).sliced(begin)));
            piece.append(qsizetype(tarPadding(entry.size)), '\0');
        }
        if (m_next == m_entries.size() && !std::exchange(m_isEnded, true))
            piece += tarEnd();
        return piece;
    }

private:
    QList<FileEntry> m_entries; ///< small files: each fits a piece
    LocalTree m_tree;
    qsizetype m_next = 0;
    bool m_isEnded = false;
};

class RestOfFile final : public UploadStream {
public:
    RestOfFile(FileEntry entry, QByteArray path, qint64 offset, std::shared_ptr<FileHash> hash)
        : m_entry(std::move(entry)), m_path(std::move(path)), m_at(offset), m_hash(std::move(hash))
    { }

    Result<QByteArray> next() override
    {
        if (!m_file.isOpen() && m_at < m_entry.size) {
            if (const auto opened = openLocal(m_file, m_path, O_RDONLY); !opened)
                return fail(opened.error());
            if (m_file.size() != m_entry.size || !m_file.seek(m_at))
                return changed(m_path);
        }
        QByteArray piece;
        if (const qint64 count = qMin(pieceSize, m_entry.size - m_at); count > 0) {
            if (const auto read = readInto(piece, m_file, count, m_path); !read)
                return fail(read.error());
            m_hash->addData(piece);
            m_at += count;
        }
        if (piece.isEmpty())
            m_sums.insert(m_entry.path, m_hash->hex());
        return piece;
    }

private:
    FileEntry m_entry;
    QByteArray m_path;
    QFile m_file;
    qint64 m_at;
    std::shared_ptr<FileHash> m_hash;
};

} // namespace

std::shared_ptr<UploadStream> UploadStream::tar(const QList<FileEntry>& entries, const LocalTree& tree)
{
    return std::make_shared<TarOfFiles>(entries, tree);
}

std::shared_ptr<UploadStream> UploadStream::file(
    const FileEntry& entry, const LocalTree& tree, qint64 offset, std::shared_ptr<FileHash> hash)
{
    return std::make_shared<RestOfFile>(entry, tree.localPath(entry.path), offset, std::move(hash));
}

} // namespace rankwright
