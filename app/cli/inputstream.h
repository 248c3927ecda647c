// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>

#include <optional>

namespace rankwright {

/// A path as messages name it: "standard input" for -.
QString inputName(const QString& path);

/// A file, a named pipe, or - for standard input, read to its end whatever the pauses and the sizes of the pieces: only
/// the writer's closing ends it. A named pipe without a writer is an error after `writerMs`, not a wait
/// without end. Blocks; for the command line alone.
class InputStream {
public:
    explicit InputStream(QString path, int writerMs = 10000) : m_path(std::move(path)), m_writerMs(writerMs) { }
    ~InputStream();
    Q_DISABLE_COPY_MOVE(InputStream)

    Result<void> open();
    /// Some bytes, at most `largest`; empty at the end.
    Result<QByteArray> next(qsizetype largest);
    /// All of it. Error: more than `largest`.
    Result<QByteArray> readAll(qsizetype largest);

private:
    Result<void> awaitBytes();
    Error fault(int number) const;

    QString m_path;
    int m_writerMs;
    std::optional<int> m_descriptor; ///< empty: not open
    bool m_isOwn = false;
    bool m_awaitsWriter = false; ///< a named pipe that was not seen to have a writer
};

} // namespace rankwright
