// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

namespace rankwright::test {

/// The bytes of a file below tests/data; ends the suite when it cannot be read.
inline QByteArray recordedFile(const QString& path)
{
    QFile file(rankwright::test::sourcePath(u"/tests/data/") + path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(file.fileName()));
    return file.readAll();
}

/// Slurm's words as our commands print them: the printable ␝ ␞ ␟ of a test's text become the separators of groups,
/// records and cells (slurmtext.h).
inline QByteArray withSlurmMarks(QByteArray text)
{
    text.replace("\xe2\x90\x9d", "\x1d");
    text.replace("\xe2\x90\x9e", "\x1e");
    text.replace("\xe2\x90\x9f", "\x1f");
    return text;
}

/// A file of tests/data/slurm with its separators.
inline QByteArray recordedSlurm(const QString& name)
{
    return withSlurmMarks(recordedFile(QStringLiteral("slurm/") + name));
}

} // namespace rankwright::test
