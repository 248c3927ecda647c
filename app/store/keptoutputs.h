// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>
#include <QDateTime>
#include <QIODevice>
#include <QList>

#include <optional>

namespace rankwright {

/// One output file of a job that has ended, as it was read from the cluster: with its secrets.
struct KeptOutput {
    QString path; ///< on the cluster
    std::optional<int> rank; ///< that its name says
    qint64 wholeBytes = 0; ///< of the file there
    QDateTime modified; ///< UTC
    QByteArray bytes; ///< all of it, or its end
    bool isWhole() const { return bytes.size() >= wholeBytes; }
    bool operator==(const KeptOutput&) const = default;
};

/// Files of one job that are kept, and bytes of each: of a larger one its end is.
constexpr int mostKeptOutputs = 64;
constexpr qint64 largestKeptOutput = 1 << 20;
constexpr qint64 keptOutputEnd = 256 << 10;
constexpr qint64 mostKeptBytes = 16 << 20; ///< of all files of a job together

/// Where the outputs of a recorded job lie: beside its recording, and with it they go.
QString keptOutputsPath(const QString& recording);
/// Writes them, readable by the user alone; those kept before are replaced once the new ones are whole. Error: Io.
Result<void> saveOutputs(const QString& recording, const QList<KeptOutput>& outputs);
/// Empty: none are kept. Error: what is there cannot be read; it is believed no further than its size.
Result<QList<KeptOutput>> readKeptOutputs(const QString& recording);
/// The same of a file that is open; `name` is what errors call it.
Result<QList<KeptOutput>> keptOutputsFrom(QIODevice& file, const QString& name);

} // namespace rankwright
