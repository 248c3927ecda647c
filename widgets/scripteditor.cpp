// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scripteditor.h"

#include "widgets/sbatchlexer.h"
#include "widgets/scriptcompleter.h"
#include "widgets/theme.h"

#include <QHelpEvent>
#include <QTimer>
#include <QToolTip>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 pauseMs = 1500; // typing after a pause is an undo step of its own

QStringList textsOf(const ScriptDocument& document)
{
    QStringList lines;
    lines.reserve(document.lines.size());
    for (const ScriptLine& line : document.lines)
        lines.append(line.text);
    return lines;
}

} // namespace

ScriptEditor::ScriptEditor(QWidget* parent)
    : QsciScintilla(parent), m_lexer(new SbatchLexer(this)), m_marks(*this), m_completer(new ScriptCompleter(*this))
{
    setAccessibleName(tr("Batch script"));
    setAccessibleDescription(
        tr("What you type changes the form where a field stands for it, and is kept as typed where none does."));
    setUp();
    freeKeys();
    applyTheme();
    connect(this, &QsciScintillaBase::SCN_MODIFIED, this, [this](int position, int kind, const char* text, int length) {
        noteChange(position, kind, QByteArray(text, text ? length : 0), length);
    });
    connect(this, &QsciScintilla::cursorPositionChanged, this, [this] { tellLine(false); });
    connect(this, &QsciScintilla::marginClicked, this, [this](int margin, int line) {
        if (margin == ScriptMarks::Signs && !remarksAt(line).isEmpty())
            showFixes(line);
        else if (margin == ScriptMarks::Origins)
            requestFieldOf(line);
    });
    connect(m_completer, &ScriptCompleter::completed, this, &ScriptEditor::flush);
}

void ScriptEditor::setUp()
{
    setUtf8(true);
    setFrameShape(QFrame::NoFrame);
    setEolMode(EolUnix);
    setWrapMode(WrapNone);
    setCaretLineVisible(false);
    setCaretWidth(2);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    setExtraAscent(2);
    setExtraDescent(2);
    setTabWidth(4);
    setIndentationsUseTabs(false);
    SendScintilla(SCI_USEPOPUP, 0ul);
    SendScintilla(SCI_SETENDATLASTLINE, 1ul);
    SendScintilla(SCI_AUTOCSETCANCELATSTART, 0ul);
    setAutoCompletionSource(AcsNone);
    setLexer(m_lexer);
}

void ScriptEditor::applyTheme()
{
    using T = Theme::Token;
    const Theme& theme = themeOf(this);
    m_lexer->applyTheme();
    setLexer(m_lexer);
    setMarginsFont(m_lexer->defaultFont(0));
    setPaper(theme.colour(T::Panel));
    setColor(theme.colour(T::Ink));
    setCaretForegroundColor(theme.colour(T::Accent));
    setSelectionBackgroundColor(theme.colour(T::Accent));
    setSelectionForegroundColor(theme.colour(T::OnAccent));
    setCallTipsBackgroundColor(theme.colour(T::Panel));
    setCallTipsForegroundColor(theme.colour(T::Ink2));
    setCallTipsHighlightColor(theme.colour(T::Accent));
    m_marks.applyTheme();
    recolor();
}

void ScriptEditor::setDocumentShown(const ScriptDocument& document)
{
    if (m_dirty && !m_composing) {
        flush(); // dropped in and not yet told: it leads to a newer document than this one
        return;
    }
    const QStringList to = textsOf(document);
    // What stands in the editor may be newer than the document shown last: a person typed it.
    const QStringList from = linesOfText(text());
    if (document == m_document && from == to)
        return;
    m_document = document;
    replaceLines(from, to);
    lightField(m_field);
    m_marks.markRemarks(m_remarks);
    tellLine(true);
}

void ScriptEditor::replaceLines(const QStringList& from, const QStringList& to)
{
    const QList<LineHunk> hunks = lineDifference(from, to);
    if (hunks.isEmpty())
        return;
    m_replacing = true;
    const bool locked = isReadOnly();
    SendScintilla(SCI_SETREADONLY, 0ul);
    int line = 0;
    int column = 0;
    getCursorPosition(&line, &column);
    // What one reads stays where it is, also when lines above it come or go.
    const int top = firstVisibleLine();
    qsizetype shift = 0;
    for (const LineHunk& hunk : hunks) {
        if (top > 0 && hunk.fromEnd <= top)
            shift += (hunk.toEnd - hunk.to) - (hunk.fromEnd - hunk.from);
    }
    const long end = SendScintilla(SCI_GETLENGTH);
    if (end > 0 && SendScintilla(SCI_GETCHARAT, static_cast<unsigned long>(end - 1)) != '\n')
        SendScintilla(SCI_APPENDTEXT, 1ul, "\n");
    // From below to above, so that line numbers further up stay right.
    for (auto hunk = hunks.crbegin(); hunk != hunks.crend(); ++hunk) {
        QByteArray text;
        for (qsizetype each = hunk->to; each < hunk->toEnd; ++each)
            text += to.at(each).toUtf8() + '\n';
        const long start = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(hunk->from));
        const long stop = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(hunk->fromEnd));
        SendScintilla(SCI_SETTARGETRANGE, static_cast<unsigned long>(start), stop);
        SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(text.size()), text.constData());
    }
    if (m_following)
        followChange(hunks, from, to);
    else
        keepCursor(hunks, line, column);
    if (!m_following)
        SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(top + shift));
    SendScintilla(SCI_SETREADONLY, locked ? 1ul : 0ul);
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    m_replacing = false;
    m_typingEnd = -1;
    recolor();
}

/// Scintilla moves a cursor outside of what is replaced by itself; inside, it stays at its line and column.
void ScriptEditor::keepCursor(const QList<LineHunk>& hunks, int line, int column)
{
    for (const LineHunk& hunk : hunks) {
        if (line < hunk.from || line >= hunk.fromEnd)
            continue;
        const qsizetype wanted = qMin(hunk.to + line - hunk.from, qMax(hunk.to, hunk.toEnd - 1));
        const int length = lineLength(int(wanted)) - (int(wanted) + 1 < lines() ? 1 : 0);
        const long position = positionFromLineIndex(int(wanted), qMin(column, qMax(0, length)));
        SendScintilla(SCI_SETSELECTION, static_cast<unsigned long>(position), position);
    }
}

/// After undo and redo the cursor stands behind what came back.
void ScriptEditor::followChange(const QList<LineHunk>& hunks, const QStringList& from, const QStringList& to)
{
    const LineHunk& hunk = hunks.last();
    const qsizetype line = qMax(hunk.to, hunk.toEnd - 1);
    qsizetype column = 0;
    if (hunk.toEnd > hunk.to) {
        const QString& now = to.at(line);
        const QString before = hunk.fromEnd > hunk.from ? from.at(hunk.fromEnd - 1) : QString();
        column = now.size();
        for (qsizetype i = before.size(); column > 0 && i > 0 && now.at(column - 1) == before.at(i - 1); --i)
            --column;
    }
    setCursorPosition(int(line), int(column));
    ensureCursorVisible();
}

void ScriptEditor::setRemarks(const QList<ScriptRemark>& remarks)
{
    if (remarks == m_remarks)
        return;
    m_remarks = remarks;
    m_marks.markRemarks(remarks);
    tellLine(true);
}

QList<int> ScriptEditor::remarksAt(int line) const
{
    QList<int> found;
    for (int i = 0; i < m_remarks.size(); ++i) {
        if (line >= m_remarks.at(i).line && line <= qMax(m_remarks.at(i).line, m_remarks.at(i).lastLine))
            found.append(i);
    }
    std::stable_sort(found.begin(), found.end(),
        [this](int a, int b) { return m_remarks.at(a).severity < m_remarks.at(b).severity; });
    return found;
}

void ScriptEditor::lightField(const FieldPath& field)
{
    const bool moved = field != m_field;
    m_field = field;
    m_lit = m_field.isEmpty() ? QList<int>() : m_document.linesOf(m_field);
    m_marks.markLines(m_document, m_lit);
    // While somebody types here, nothing scrolls away under the cursor.
    if (m_lit.isEmpty() || hasFocus() || !moved)
        return;
    const int first = int(SendScintilla(SCI_GETFIRSTVISIBLELINE));
    const int count = int(SendScintilla(SCI_LINESONSCREEN));
    for (const int line : std::as_const(m_lit)) {
        if (line >= first && line < first + count)
            return;
    }
    showLine(m_lit.first());
}

int ScriptEditor::currentLine() const
{
    int line = 0;
    int column = 0;
    getCursorPosition(&line, &column);
    return line;
}

void ScriptEditor::showLine(int line)
{
    const int count = int(SendScintilla(SCI_LINESONSCREEN));
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(qMax(0, line - count / 3)));
}

void ScriptEditor::goToLine(int line)
{
    if (line < 0 || line >= lines())
        return;
    setFocus(Qt::OtherFocusReason);
    const int first = firstVisibleLine();
    const int count = int(SendScintilla(SCI_LINESONSCREEN));
    setCursorPosition(line, 0);
    if (line < first + 1 || line >= first + count - 1)
        showLine(line);
}

void ScriptEditor::goToRemark(bool forward)
{
    QList<int> at;
    for (const ScriptRemark& remark : std::as_const(m_remarks))
        at.append(remark.line);
    std::sort(at.begin(), at.end());
    if (at.isEmpty())
        return;
    const int here = currentLine();
    const auto next = std::upper_bound(at.cbegin(), at.cend(), here);
    const auto same = std::lower_bound(at.cbegin(), at.cend(), here);
    if (forward)
        goToLine(next == at.cend() ? at.first() : *next);
    else
        goToLine(same == at.cbegin() ? at.last() : *std::prev(same));
}

QString ScriptEditor::noteOf(int line) const
{
    QStringList parts;
    for (const int index : remarksAt(line)) {
        const ScriptRemark& remark = m_remarks.at(index);
        parts.append(remark.text);
        if (!remark.fix.isEmpty())
            parts.append(tr("One click: %1 (Alt+Return)").arg(remark.fix));
        if (!remark.source.isEmpty())
            parts.append(tr("Source: %1").arg(remark.source));
    }
    if (line < 0 || line >= m_document.lines.size())
        return parts.join(u'\n');
    const ScriptLine& script = m_document.lines.at(line);
    if (isYours(script) && script.reason.isEmpty())
        parts.append(tr("Yours, kept as you typed it."));
    if (!script.reason.isEmpty())
        parts.append(script.reason);
    if (!script.source.isEmpty())
        parts.append(tr("Source: %1").arg(script.source));
    return parts.join(u'\n');
}

FieldPath ScriptEditor::fieldOf(int line) const
{
    if (line < 0 || line >= m_document.lines.size())
        return {};
    for (const FieldPath& origin : m_document.lines.at(line).origins) {
        if (origin != u"overrides" && !origin.startsWith(u"overrides."_s))
            return origin;
    }
    return {};
}

void ScriptEditor::noteChange(int position, int kind, const QByteArray& text, int length)
{
    const bool inserted = kind & SC_MOD_INSERTTEXT;
    if ((!inserted && !(kind & SC_MOD_DELETETEXT)) || m_replacing)
        return;
    // One key of the same typing stands where the last one ended, soon after it, on the same line.
    const bool adjoins
        = inserted ? position == m_typingEnd : position + length == m_typingEnd || position == m_typingEnd;
    const bool small = length <= 4 && !text.contains('\n');
    m_continues
        = (!m_dirty || m_continues) && adjoins && small && m_sinceTyping.isValid() && m_sinceTyping.elapsed() < pauseMs;
    m_typingEnd = inserted ? position + length : position;
    m_sinceTyping.start();
    if (!m_dirty) {
        m_dirty = true;
        // What comes neither from a key nor from a command of ours (drop, middle click) is told as soon as it is over.
        QTimer::singleShot(0, this, &ScriptEditor::flush);
    }
}

void ScriptEditor::flush()
{
    if (!m_dirty || m_composing)
        return;
    m_dirty = false;
    QString now = text();
    if (!now.isEmpty() && !now.endsWith(u'\n'))
        now += u'\n';
    emit textEdited(now, m_continues);
    SendScintilla(SCI_EMPTYUNDOBUFFER);
}

void ScriptEditor::tellLine(bool always)
{
    const int line = currentLine();
    if (m_replacing || (line == m_toldLine && !always))
        return;
    m_toldLine = line;
    emit lineEntered(line);
}

bool ScriptEditor::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int line = lineAt(help->pos());
        QStringList parts{noteOf(line)};
        if (const int column = columnAt(help->pos(), line); column >= 0)
            parts.append(m_completer->optionNote(line, column));
        parts.removeAll(QString());
        const QString note = parts.join(u'\n').toHtmlEscaped();
        if (note.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(
                help->globalPos(), u"<p>"_s + QString(note).replace(u'\n', u"</p><p>"_s) + u"</p>"_s, this);
        return true;
    }
    return QsciScintilla::viewportEvent(event);
}

void ScriptEditor::changeEvent(QEvent* event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_lexer)
        applyTheme();
}

} // namespace rankwright
