// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scripteditor.h"

#include "widgets/linediff.h"
#include "widgets/sbatchlexer.h"
#include "widgets/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

enum Margin { LineNumbers, Origins };
// Markers above 24 belong to folding.
enum Marker { LitGround = 2, LitBar = 3, OriginBar = 4 };

QStringList textsOf(const ScriptDocument& document)
{
    QStringList lines;
    lines.reserve(document.lines.size());
    for (const ScriptLine& line : document.lines)
        lines.append(line.text);
    return lines;
}

} // namespace

ScriptEditor::ScriptEditor(QWidget* parent) : QsciScintilla(parent), m_lexer(new SbatchLexer(this))
{
    setAccessibleName(tr("Batch script"));
    setUp();
    applyTheme();
}

void ScriptEditor::setUp()
{
    setUtf8(true);
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setEolMode(EolUnix);
    setWrapMode(WrapNone);
    setCaretLineVisible(false);
    setCaretWidth(1);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    setExtraAscent(2);
    setExtraDescent(2);
    SendScintilla(SCI_SETUNDOCOLLECTION, 0ul);
    SendScintilla(SCI_USEPOPUP, 1ul);
    setMarginType(LineNumbers, QsciScintilla::NumberMargin);
    setMarginType(Origins, SymbolMargin);
    setMarginWidth(Origins, 5);
    setMarginSensitivity(Origins, true);
    setMarginMarkerMask(LineNumbers, 0);
    setMarginMarkerMask(Origins, (1 << LitBar) | (1 << OriginBar));
    markerDefine(Background, LitGround);
    markerDefine(FullRectangle, LitBar);
    markerDefine(LeftRectangle, OriginBar);
    setMarginWidth(2, 0);
    // A scroll bar for a document that fits would only add a line to the picture.
    SendScintilla(SCI_SETENDATLASTLINE, 1ul);
    setLexer(m_lexer);
}

void ScriptEditor::applyTheme()
{
    using T = Theme::Token;
    const Theme& theme = themeOf(this);
    m_lexer->applyTheme();
    setLexer(m_lexer);
    setMarginsFont(m_lexer->defaultFont(SbatchLexer::Plain));
    setMarginsForegroundColor(theme.colour(T::Ink3));
    setMarginsBackgroundColor(theme.colour(T::Panel));
    setPaper(theme.colour(T::Panel));
    setColor(theme.colour(T::Ink));
    setCaretForegroundColor(theme.colour(T::Ink3));
    setSelectionBackgroundColor(theme.colour(T::Accent));
    setSelectionForegroundColor(theme.colour(T::OnAccent));
    setMarkerBackgroundColor(theme.colour(T::LineHighlight), LitGround);
    setMarkerBackgroundColor(theme.colour(T::Accent), LitBar);
    setMarkerForegroundColor(theme.colour(T::Accent), LitBar);
    const QColor quiet = Theme::mix(theme.colour(T::Accent), theme.colour(T::Panel), 0.22);
    setMarkerBackgroundColor(quiet, OriginBar);
    setMarkerForegroundColor(quiet, OriginBar);
    SendScintilla(SCI_SETFOLDMARGINCOLOUR, 1ul, theme.colour(T::Panel));
    SendScintilla(SCI_SETFOLDMARGINHICOLOUR, 1ul, theme.colour(T::Panel));
    setMarginWidth(LineNumbers, u" 000 "_s);
    recolor();
}

void ScriptEditor::setDocumentShown(const ScriptDocument& document)
{
    if (document == m_document)
        return;
    const QStringList from = textsOf(m_document);
    m_document = document;
    replaceLines(from, textsOf(document));
    markLines();
}

void ScriptEditor::replaceLines(const QStringList& from, const QStringList& to)
{
    const QList<LineHunk> hunks = lineDifference(from, to);
    if (hunks.isEmpty())
        return;
    // What one reads stays where it is, also when lines above it come or go.
    const int top = firstVisibleLine();
    qsizetype shift = 0;
    for (const LineHunk& hunk : hunks) {
        if (top > 0 && hunk.fromEnd <= top)
            shift += (hunk.toEnd - hunk.to) - (hunk.fromEnd - hunk.from);
    }
    SendScintilla(SCI_SETREADONLY, 0ul);
    // From below to above, so that line numbers further up stay right.
    for (auto hunk = hunks.crbegin(); hunk != hunks.crend(); ++hunk) {
        QByteArray text;
        for (qsizetype line = hunk->to; line < hunk->toEnd; ++line)
            text += to.at(line).toUtf8() + '\n';
        const long start = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(hunk->from));
        const long end = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(hunk->fromEnd));
        SendScintilla(SCI_SETTARGETRANGE, static_cast<unsigned long>(start), end);
        SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(text.size()), text.constData());
    }
    SendScintilla(SCI_SETREADONLY, 1ul);
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(top + shift));
    recolor();
}

void ScriptEditor::markLines()
{
    markerDeleteAll(LitGround);
    markerDeleteAll(LitBar);
    markerDeleteAll(OriginBar);
    m_lit = m_field.isEmpty() ? QList<int>() : m_document.linesOf(m_field);
    for (int line = 0; line < m_document.lines.size(); ++line) {
        if (m_lit.contains(line)) {
            markerAdd(line, LitGround);
            markerAdd(line, LitBar);
        } else if (!m_document.lines.at(line).origins.isEmpty()) {
            markerAdd(line, OriginBar);
        }
    }
}

void ScriptEditor::lightField(const FieldPath& field)
{
    m_field = field;
    markLines();
    if (m_lit.isEmpty())
        return;
    const int first = int(SendScintilla(SCI_GETFIRSTVISIBLELINE));
    const int count = int(SendScintilla(SCI_LINESONSCREEN));
    for (const int line : std::as_const(m_lit)) {
        if (line >= first && line < first + count)
            return;
    }
    showLine(m_lit.first());
}

void ScriptEditor::showLine(int line)
{
    const int count = int(SendScintilla(SCI_LINESONSCREEN));
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(qMax(0, line - count / 3)));
}

QString ScriptEditor::noteOf(int line) const
{
    if (line < 0 || line >= m_document.lines.size())
        return {};
    const ScriptLine& script = m_document.lines.at(line);
    QStringList parts;
    if (!script.reason.isEmpty())
        parts.append(script.reason);
    if (!script.source.isEmpty())
        parts.append(tr("Source: %1").arg(script.source));
    return parts.join(u'\n');
}

bool ScriptEditor::find(const QString& text, bool forward)
{
    if (text.isEmpty()) {
        setSelection(-1, -1, -1, -1);
        return true;
    }
    int line = 0;
    int index = 0;
    int lineTo = 0;
    int indexTo = 0;
    getSelection(&line, &index, &lineTo, &indexTo);
    if (line < 0)
        getCursorPosition(&line, &index), lineTo = line, indexTo = index;
    // Forward from the selection's end, backward from its start, else the same hit would be found again.
    return findFirst(text, false, false, false, true, forward, forward ? lineTo : line, forward ? indexTo : index);
}

bool ScriptEditor::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString note = noteOf(lineAt(help->pos()));
        if (note.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(
                help->globalPos(), u"<p>"_s + note.toHtmlEscaped().replace(u'\n', u"</p><p>"_s) + u"</p>"_s, this);
        return true;
    }
    return QsciScintilla::viewportEvent(event);
}

void ScriptEditor::keyPressEvent(QKeyEvent* event)
{
    int line = 0;
    int index = 0;
    getCursorPosition(&line, &index);
    if (event->matches(QKeySequence::Find))
        emit findRequested();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        requestFieldOf(line);
    else if (event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab)
        event->ignore(); // nothing can be typed here, so Tab goes on
    else
        QsciScintilla::keyPressEvent(event);
}

void ScriptEditor::mouseReleaseEvent(QMouseEvent* event)
{
    QsciScintilla::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !hasSelectedText())
        requestFieldOf(lineAt(event->pos()));
}

void ScriptEditor::changeEvent(QEvent* event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_lexer)
        applyTheme();
}

int ScriptEditor::lineAt(QPoint position) const
{
    const long offset = SendScintilla(
        SCI_POSITIONFROMPOINT, static_cast<unsigned long>(position.x()), static_cast<long>(position.y()));
    const int line = int(SendScintilla(SCI_LINEFROMPOSITION, static_cast<unsigned long>(qMax(0l, offset))));
    const long top = SendScintilla(SCI_POINTYFROMPOSITION, 0ul, offset);
    const long height = SendScintilla(SCI_TEXTHEIGHT, static_cast<unsigned long>(line));
    // Below the last line Scintilla still answers with it.
    return position.y() < top + height ? line : -1;
}

void ScriptEditor::requestFieldOf(int line)
{
    if (line < 0 || line >= m_document.lines.size() || m_document.lines.at(line).origins.isEmpty())
        return;
    emit fieldRequested(m_document.lines.at(line).origins.first());
}

} // namespace rankwright
