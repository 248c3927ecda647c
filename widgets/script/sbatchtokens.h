// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace rankwright {

/// What a piece of a batch script is, for colouring.
enum class SbatchStyle {
    Plain,
    Comment,
    Directive, ///< the word #SBATCH of a line that sbatch reads
    Keyword,
    Command,
    Variable,
    String,
    Option,
    DirectiveOption,
    DirectiveValue,
    HereDocument, ///< a here-document's body and its closing word
    Inert ///< an #SBATCH line that sbatch does not read, since a command is above it (sbatch(1), DESCRIPTION)
};

/// A run of bytes of one style.
struct SbatchRun {
    int length = 0;
    SbatchStyle style = SbatchStyle::Plain;
    bool operator==(const SbatchRun&) const = default;
};

/// Pure, one pass: the whole script (UTF-8) as runs whose lengths add up to its size. Follows bash's quoting:
/// quotes, here-documents and command substitutions inside double quotes may cross lines. Takes any bytes.
QList<SbatchRun> sbatchRuns(const QByteArray& script);

} // namespace rankwright
