// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/loginprompt.h"

#include <QTextStream>

#include <optional>

namespace rankwright {

/// A prompt as the terminal shows it, without the line that is typed into. Every line begins with words of ours; each
/// line of the server's begins with `serverMark`, wrapped so that none of its text can begin a line of the screen.
QStringList promptLines(const LoginPrompt& prompt, int columns = 80);
inline constexpr QStringView serverMark = u"The server asks: ";
/// What stands before the cursor: whose question is answered and where the answer goes.
QString promptCue(const LoginPrompt& prompt);
/// A server's text to everybody who logs in, marked as its own.
QStringList bannerLines(const QString& host, const QString& text, int columns = 80);

/// Answers the questions of a login on the terminal, or from a descriptor with one line per question. The descriptor
/// answers the cluster itself alone, never a host on the way, only questions whose answer is not shown, and none twice.
/// Passwords are read without echo and never kept. Blocks while a person types: for the command line only.
class TerminalPrompt final {
public:
    /// `passwordDescriptor` below 0: the terminal.
    TerminalPrompt(QTextStream& err, int passwordDescriptor);
    ~TerminalPrompt();
    TerminalPrompt(const TerminalPrompt&) = delete;
    TerminalPrompt& operator=(const TerminalPrompt&) = delete;

    /// Not accepted without a person at the terminal.
    PromptAnswer answer(const LoginPrompt& prompt);

private:
    PromptAnswer answerHostKey(const LoginPrompt& prompt);
    /// May the descriptor answer? The reason against it is printed if no person can be asked instead.
    bool isRefused(const LoginPrompt& prompt) const; ///< asked again: the answer given was not right
    bool takesDescriptor(const LoginPrompt& prompt, QString& why) const;
    enum class Echo { Off, On };
    /// Empty: the input has ended.
    std::optional<Secret> readLine(int descriptor, Echo echo);

    QTextStream& m_err;
    int m_descriptor;
    QStringList m_answered; ///< questions that the descriptor has answered
};

/// Is a person at the standard input?
bool standardInputIsTerminal();
/// One line of the standard input, read byte by byte; empty: it has ended.
std::optional<QByteArray> lineFromTerminal();

} // namespace rankwright
