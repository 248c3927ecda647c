// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

namespace rankwright::inline script {

/// What ends a command of bash, or joins it to the next.
enum class ShellSeparator {
    None, ///< nothing: the text ends, or a word such as `then` follows
    NewLine,
    Semicolon,
    And, ///< &&
    Or, ///< ||
    Pipe, ///< |
    PipeBoth, ///< |&: errors, too
    Background, ///< &
    CaseEnd, ///< ;; of an arm of `case`, also ;& and ;;&
    CloseParen ///< ) of a subshell or a substitution
};

/// As it is typed; of CaseEnd ";;". Empty for None.
constexpr QStringView wordOf(ShellSeparator separator)
{
    switch (separator) {
    case ShellSeparator::None: return {};
    case ShellSeparator::NewLine: return u"\n";
    case ShellSeparator::Semicolon: return u";";
    case ShellSeparator::And: return u"&&";
    case ShellSeparator::Or: return u"||";
    case ShellSeparator::Pipe: return u"|";
    case ShellSeparator::PipeBoth: return u"|&";
    case ShellSeparator::Background: return u"&";
    case ShellSeparator::CaseEnd: return u";;";
    case ShellSeparator::CloseParen: return u")";
    }
    return {};
}

constexpr bool isPipe(ShellSeparator separator)
{
    return separator == ShellSeparator::Pipe || separator == ShellSeparator::PipeBoth;
}

/// && or ||: what stands behind it runs or not, as what stands before it did.
constexpr bool isAndOr(ShellSeparator separator)
{
    return separator == ShellSeparator::And || separator == ShellSeparator::Or;
}

/// What follows it belongs to what stands before it: | |& && ||.
constexpr bool joins(ShellSeparator separator) { return isPipe(separator) || isAndOr(separator); }

} // namespace rankwright::inline script
