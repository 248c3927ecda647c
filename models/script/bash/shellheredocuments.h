// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bash/shellcursor.h"

namespace rankwright::inline script {

/// Here-documents: announced by a redirection, their bodies come after the newline that ends the command.
class ShellHereDocuments {
public:
    explicit ShellHereDocuments(ShellCursor& in) : m_in(in) { }

    /// Index into ShellText::hereDocuments; empty: the redirection ("<", ">") brings none.
    std::optional<int> announce(const ShellRedirection& redirection);
    /// Says of the documents of a whole command which file it writes.
    void setTargets(const ShellCommand& command);
    void readBodies(); ///< after a newline

private:
    ShellCursor& m_in;
    QList<int> m_pending;
};

} // namespace rankwright::inline script
