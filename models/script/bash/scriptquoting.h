// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QStringList>

namespace rankwright::inline script {

// Words between a person, a batch script and sbatch. Nothing here expands anything: what a word holds arrives as it
// was given, whatever it looks like to a shell.

/// Splits a command as a POSIX shell reads words: blanks and newlines separate, '...' and "..." keep together, a
/// backslash keeps the next character (inside "..." only before \ " $ ` and newline). Operators, variables and globs
/// are ordinary characters. Error: a quote or backslash without its partner.
Result<QStringList> splitShellWords(const QString& text);

/// One bash word on one line: like shellQuote(), but a word with control characters is written as $'...\n...', so that
/// a word can neither start a new script line nor smuggle in a carriage return. NUL is dropped.
QString scriptWord(const QString& word);
QString scriptWords(const QStringList& words);
/// A path as a person writes it: "~/" is the home directory, all else is literal.
QString scriptPath(const QString& path);

/// A shell text that is meant to be expanded, between double quotes: variables and $(...) stay alive. A text that could
/// leave the quotes is taken literally instead.
QString expandingWord(const QString& text);

/// The value of an #SBATCH option as sbatch reads it back: bare when harmless, else in double quotes with backslashes
/// before \ and ". Control characters cannot be carried by a directive and are dropped.
QString directiveWord(const QString& value);
bool fitsDirective(const QString& value); ///< holds no control character

/// A job name that is safe as a file name (%x), a directive and a log line: other characters become '-'.
QString safeJobName(const QString& name);

/// Text for a comment: control and direction-changing characters replaced, at most `limit` characters.
QString commentText(const QString& text, int limit = 80);

/// A name that a shell can export and that bash does not keep for itself (UID, SHELLOPTS, RANDOM ...).
bool isExportableName(const QString& name);

} // namespace rankwright::inline script
