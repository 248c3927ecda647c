// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/remote/loginprompt.h"

#include <QTextStream>

namespace rankwright {

/// Answers the questions of a login on the terminal, or from a descriptor with one line per question. Passwords are
/// read without echo and never kept. Blocks while a person types: for the command line only.
class TerminalPrompt final {
public:
    /// `passwordDescriptor` below 0: the terminal.
    TerminalPrompt(QTextStream& err, int passwordDescriptor);
    ~TerminalPrompt();
    TerminalPrompt(const TerminalPrompt&) = delete;
    TerminalPrompt& operator=(const TerminalPrompt&) = delete;

    /// Not accepted when there is nobody to ask.
    PromptAnswer answer(const LoginPrompt& prompt);

private:
    PromptAnswer answerHostKey(const LoginPrompt& prompt);
    /// Empty when the input has ended.
    Secret readLine(bool echo, bool& ended);

    QTextStream& m_err;
    int m_descriptor;
};

/// Is a person at the standard input?
bool standardInputIsTerminal();

} // namespace rankwright
