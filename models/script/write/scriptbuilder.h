// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/scriptdocument.h"

namespace rankwright::inline script {

/// Collects the lines of one script. Each call is one physical line; a text never holds a newline.
class ScriptBuilder {
public:
    void line(const QString& text, const QList<FieldPath>& origins, const QString& reason, const QString& source = {});
    /// A heading for people: "# text".
    void heading(const QString& text, const QList<FieldPath>& origins = {});
    void blank();
    ScriptDocument take();

private:
    ScriptDocument m_document;
};

/// A command over several physical lines: pieces joined by backslashes, except where a quote is open and the newline
/// belongs to the text.
class ContinuedCommand {
public:
    enum class PieceEnd { Plain, InQuotes }; ///< inside single quotes its newline is kept as it is
    void piece(const QString& text, const QList<FieldPath>& origins, const QString& reason, const QString& source = {},
        PieceEnd end = PieceEnd::Plain);
    void append(const QString& text); ///< to the last piece
    void writeTo(ScriptBuilder& builder) const;

private:
    struct Piece {
        ScriptLine line;
        PieceEnd end = PieceEnd::Plain;
    };
    QList<Piece> m_pieces;
};

} // namespace rankwright::inline script
