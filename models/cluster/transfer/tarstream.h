// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/transfer/fileentry.h"

#include <functional>

namespace rankwright::inline cluster {

/// What is before an entry's bytes in a tar stream: as tarHeader(), for names that are bytes, and for links.
QByteArray tarHeaderOf(const FileEntry& entry);

/// Reads a tar stream (ustar, GNU's long names) as it comes. Bounded: a long name has at most 4096 bytes. Believes
/// nothing: whoever listens compares each name with what was asked for.
class TarReader {
public:
    struct Listener {
        std::function<Result<void>(const FileEntry& entry)> begin;
        std::function<Result<void>(const QByteArray& bytes)> data; ///< of the file that began last
        std::function<Result<void>()> end; ///< after each entry
    };
    explicit TarReader(Listener listener) : m_listener(std::move(listener)) { }

    /// Error: no tar stream, or the listener's.
    Result<void> feed(const QByteArray& bytes);
    /// Two blocks of zeros were read: the stream is whole.
    bool isOver() const { return m_isOver; }

private:
    Result<void> readHeader(const QByteArray& block);

    Listener m_listener;
    QByteArray m_block; ///< part of a header
    QByteArray m_long; ///< a long name that is being read
    QByteArray m_longName;
    QByteArray m_longTarget;
    char m_longKind = 0; ///< 'L', 'K': its bytes come
    bool m_isInFile = false;
    qint64 m_left = 0;
    qint64 m_padding = 0;
    bool m_isZero = false; ///< the last block was
    bool m_isOver = false;
};

} // namespace rankwright::inline cluster
