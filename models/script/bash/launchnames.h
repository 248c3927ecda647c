// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/programname.h"
#include "models/script/bash/shelltext.h"

namespace rankwright::inline script {

// What a word at the place of a command is, for taking launch lines apart.

/// The text that each rank of a generated script runs before its program, and the function in it (R43).
inline constexpr QLatin1StringView rankCheckVariable{"CHECK_RANK"};
inline constexpr QLatin1StringView rankCheckFunction{"check_rank"};
bool isRankCheck(const ShellWord& word); ///< names that variable
/// The text that the shell in a container runs before the program: evidence for the question where a rank hangs (R44).
inline constexpr QLatin1StringView evidenceVariable{"HANG_EVIDENCE"};
/// Whether a command belongs to the small shells of a generated script: the rank's check, its evidence, the binding
/// under an agent.
bool isRankStart(const ShellCommand& command);

QString baseName(const QString& word); ///< "python3" of "/usr/bin/python3"
bool isShell(const QString& word);
/// srun, mpirun, an agent, a container runtime or Python: what a launch line is made of.
bool isStarter(const QString& word);
/// A starter that is one only with a verb ("docker run"): its name alone may be any word.
bool startsWithVerb(const QString& word);
/// A command that runs the command after it: exec, nohup, numactl, timeout, conda run ...
bool isPrefix(const QString& word);
/// Behind the verb and the options of a prefix that has a verb ("conda run -n a", "uv run --no-sync", "nsys profile -o
/// a") at `at`; `at`: it has none. Sources: their --help.
qsizetype behindVerb(const QList<ShellWord>& words, qsizetype at);
/// Behind the options of "nice -n 10", "timeout -k 5 1h", "taskset -c 0-3" ...: their manuals say which take a
/// value.
qsizetype behindPrefix(const QList<ShellWord>& words, qsizetype at);
/// "$@" or $*.
bool isArguments(const ShellWord& word);
/// "$SIF", "a.sqsh", "docker://a/b": the word itself says that it is the image of a container.
bool namesImage(const ShellWord& word);
/// One variable outside of quotes whose name says no image ($BIND): it may bring options in front of the image.
bool mayBringOptions(const ShellWord& word);
/// Before an image: $BIND in front of what names one, or the elements of a list that is not known, "${OPTIONS[@]}".
bool bringsOptions(const ShellWord& word, const ShellWord& next);
/// A command that prepares and does not run the program: export, cd, module, echo ...
bool prepares(const ShellCommand& command);
/// Where among the words of a command the one stands that says what is done: behind `nohup`, `command` and their kin,
/// and behind the option of `time`.
qsizetype workAt(const QList<ShellWord>& words);
/// Works on files, jobs or what another command wrote, or is a service of the job: none of these is its training.
bool isTool(const QList<ShellWord>& command);
/// Starts, asks or ends a service that the training needs (ray start, tensorboard): `words` of a program.
bool isService(const QList<ShellWord>& words);
/// A command behind a pipe that copies, searches or cuts what the one before it prints: tee, grep, tail ...
bool readsOutput(const ShellCommand& command);
/// What follows "python": a program, not a text (-c), a question (--version) or the housekeeping of an environment.
bool isPythonProgram(const QList<ShellWord>& words);
/// A builtin whose arguments may be assignments: export, declare, local ...
/// Where a command that does not run just once, whatever happens, stands: "in a condition".
QString whereItRuns(const ShellCommand& command);
bool isDeclaration(const QString& word);
/// The next word of this command is a text that another shell reads: after "bash -c", "sh -lc", or of eval.
bool isShellTextNext(const QList<ShellWord>& words);

} // namespace rankwright::inline script
