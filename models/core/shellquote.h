// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace rankwright::inline core {

/// One word for a POSIX shell: bare when it has only harmless characters, else in single quotes ('\'' for a quote).
/// NUL cannot be carried by any shell word and is dropped.
QString shellQuote(const QString& word);
QString shellQuote(const QStringList& words);

} // namespace rankwright::inline core
