// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/scriptbuilder.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

void ScriptBuilder::line(
    const QString& text, const QList<FieldPath>& origins, const QString& reason, const QString& source)
{
    m_document.lines.append({text, origins, reason, source});
}

void ScriptBuilder::heading(const QString& text, const QList<FieldPath>& origins)
{
    line(u"# "_s + text, origins, u"A heading for people; the shell ignores it."_s);
}

void ScriptBuilder::blank() { m_document.lines.append(ScriptLine{}); }

ScriptDocument ScriptBuilder::take() { return std::exchange(m_document, {}); }

void ContinuedCommand::piece(
    const QString& text, const QList<FieldPath>& origins, const QString& reason, const QString& source, PieceEnd end)
{
    m_pieces.append({{text, origins, reason, source}, end});
}

void ContinuedCommand::append(const QString& text)
{
    if (!m_pieces.isEmpty())
        m_pieces.last().line.text += text;
}

void ContinuedCommand::writeTo(ScriptBuilder& builder) const
{
    for (qsizetype i = 0; i < m_pieces.size(); ++i) {
        const Piece& piece = m_pieces.at(i);
        const bool joined = i + 1 < m_pieces.size() && piece.end == PieceEnd::Plain;
        builder.line(joined ? piece.line.text + u" \\"_s : piece.line.text, piece.line.origins, piece.line.reason,
            piece.line.source);
    }
}

} // namespace rankwright::inline script
