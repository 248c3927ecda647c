// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/sentlog.h"

namespace rankwright::inline cluster {

// What was sent, in words: for the window's list, a file and the terminal. Values of variables and options that are
// secret by their name or form are left out of all of them (SharedText), and no character does harm to a terminal.

/// The command line without the texts of programs that it hands to a shell: "bash -c '…' rankwright 4711 2", in one
/// line of at most `limit` characters.
QString shortSentLine(const QString& line, qsizetype limit = 300);
/// The same for a narrow column, in which lines are told apart by how they begin: the variables that many commands set
/// and drop first are "…". "export LC_ALL=C TZ=UTC0; unset SQUEUE_FORMAT; squeue -h" is "… squeue -h".
QString columnSentLine(const QString& line);
/// "exit status 0", "killed by KILL", "goes on", "ended from here", "failed: The link was lost."
QString sentEndText(const SentCommand& command);
/// "0.24 s"; "–" while it goes on.
QString sentTimeText(const SentCommand& command);
/// "nothing", "3.1 KiB", "3.1 KiB, then 12 B": on stdin.
QString sentInputText(const SentCommand& command);

/// Whether the text of its stdin goes along.
enum class SentInput { LeftOut, Included };
/// One command with all there is to say, as several lines.
QString sentDetails(const SentCommand& command, SentInput input);
/// All of them as a text file, the oldest first.
QString sentFile(const QList<SentCommand>& commands, SentInput input);

/// A line for the terminal when it begins: "#3 lumi: Asks for your jobs in the queue: squeue --me …".
QString sentBeginLine(const SentCommand& command);
/// A line when it has ended: "#3 exit status 0 after 0.24 s".
QString sentEndLine(const SentCommand& command);

} // namespace rankwright::inline cluster
