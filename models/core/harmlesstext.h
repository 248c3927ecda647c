// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline core {

// Texts of servers, logs, folders and files of others: what they may not do to a terminal, a label or a reader.

/// Turns the direction of writing (Unicode TR 36): "attacker" could read like another name.
bool turnsDirection(QChar c);
/// A control character (C0 with line break and tab, DEL, C1), one that turns the direction, or one that breaks a line
/// beside U+000A.
bool isHarmful(QChar c);

/// The text with every harmful character as U+FFFD, one for one, line breaks and tabs left. For printers.
QString harmlessText(const QString& text);
/// A JSON text with every harmful character of its strings escaped (\u009b): a reader gets what was there.
QString harmlessJson(const QString& json);
/// In one line: harmful characters gone, runs of blanks as one, cut at `limit` with "…". For prompts and titles.
QString harmlessLine(const QString& text, qsizetype limit = 400);
/// For what guesses whether a text is rich (a tooltip of a view): never taken for rich text, harmful characters
/// replaced.
QString plainToolTip(const QString& text);

} // namespace rankwright::inline core
