// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace rankwright::inline cluster {

// Names of files are bytes: they may hold anything but NUL and '/'.

/// For people: harmful characters and bytes that are not UTF-8 as \n, \t, \xNN; cut in the middle at `limit`.
QString shownName(const QByteArray& name, qsizetype limit = 200);
/// A path that stays below its root: relative, no empty component, no "." or "..", no NUL, at most 4096 bytes.
bool isSafePath(const QByteArray& path);
/// Whether a link at `path` with this target leads to something below the same root: relative, ".." in front alone and
/// no more of them than there are folders above the link.
bool linkStaysInside(const QByteArray& path, const QByteArray& target);
/// Hidden name beside `path` for what is not whole yet; the same for the same size and time, so that a later attempt
/// finds it.
QByteArray partialName(const QByteArray& path, qint64 size, qint64 modified);
/// "a/b/c" is in "a/b"; "c" in "".
QByteArray folderOf(const QByteArray& path);
QByteArray baseOf(const QByteArray& path);

} // namespace rankwright::inline cluster
