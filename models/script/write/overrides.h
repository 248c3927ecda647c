// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/planner/design/jobspec.h"
#include "models/script/write/scriptdocument.h"

namespace rankwright::inline script {

/// Lines of the user's own in a generated script: blocks hang on a generated line above them, by what that line is
/// about, so that they stay at their place when fields change other lines.

/// What a generated line is about, so that it is found again when its value changed: "#SBATCH --nodes",
/// "export HF_HOME=", else the text with its numbers as 0.
QString scriptLineKey(const QString& text);

/// What an override came upon when it was put into the script of today.
struct OverrideNote {
    enum class Kind {
        Displaced, ///< the line above it is gone: the block is where the one before it ended
        Contradicts, ///< a line that it stands in for says something else by now
        Twice ///< the block's directive is in a generated line, too: sbatch takes the last one
    };
    Kind kind = Kind::Displaced;
    int block = 0; ///< index
    int line = 0; ///< of the script, from 0
    QString own; ///< the user's line
    QString generated; ///< what the fields say
    QList<FieldPath> fields; ///< that made the generated line
};

struct OverriddenScript {
    ScriptDocument document;
    QList<OverrideNote> notes;
};

/// Puts the blocks into a generated script. Their lines have the origin field::overrides first, then those of the lines
/// whose place they take. Nothing of the user's text is ever left out.
OverriddenScript applyOverrides(const ScriptDocument& generated, const QList<OverrideBlock>& blocks);

/// The blocks that make a text out of a generated script: applyOverrides() of the result gives exactly the text.
QList<OverrideBlock> overridesFor(const ScriptDocument& generated, const QString& text);

enum class ScriptEncoding { Utf8, Latin1 };

/// The one block of a script that stays as its author wrote it, in the place of all that is generated.
QList<OverrideBlock> authorBlocks(const QString& text, ScriptEncoding encoding = ScriptEncoding::Utf8);
/// Its text, byte for byte; nothing: the script is written from the fields.
std::optional<QString> authorText(const QList<OverrideBlock>& blocks);
ScriptEncoding encodingOf(const QList<OverrideBlock>& blocks); ///< of an author's script
/// The file of a design's script: an author's in the encoding that it had, any other in UTF-8. Error: see ScriptBytes.
Result<QByteArray> scriptFile(const QString& text, const QList<OverrideBlock>& blocks);

} // namespace rankwright::inline script
