// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/scripteditor.h"

#include "widgets/base/icons.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/script/completionpopup.h"
#include "widgets/script/sbatchlexer.h"
#include "widgets/script/scriptcompleter.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QInputMethodEvent>
#include <QMenu>
#include <QToolTip>
#include <Qsci/qscicommandset.h>
#include <algorithm>
#include <functional>
#include <numeric>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr int mostWrapped = 5000; // lines: longer texts are not batch scripts
constexpr qsizetype mostAtOnce = 300; // lines that are laid out before they are shown
constexpr QChar byteOrderMark(0xFEFF);

bool isPrintable(const QKeyEvent& event)
{
    return !event.text().isEmpty() && event.text().at(0).isPrint()
        && !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
}

} // namespace

ScriptEditor::ScriptEditor(QWidget* parent)
    : QsciScintilla(parent), m_lexer(new SbatchLexer(this)), m_marks(*this), m_folds(new ScriptFolds(*this)),
      m_completer(new ScriptCompleter(*this)), m_typing(new ScriptTyping(*this)), m_lineCommands(*this),
      m_search(*this, m_marks)
{
    setAccessibleName(tr("Batch script"));
    setAccessibleDescription(
        tr("What you type changes the form where there is a field for it, and is kept as typed where there is none."));
    setUp();
    freeKeys();
    applyTheme();
    connect(m_typing, &ScriptTyping::textEdited, this, [this](const QString& text, TypingStep step) {
        emit textEdited(m_hasMark ? byteOrderMark + text : text, step);
    });
    connect(m_typing, &ScriptTyping::refused, this, [this] {
        emit textRefused(
            tr("That would make the script larger than 4 MB, and sbatch takes no more: nothing was inserted."));
    });
    connect(this, &QsciScintilla::cursorPositionChanged, this, [this] { reportLine(false); });
    connect(this, &QsciScintilla::marginClicked, this, [this](int margin, int line) {
        if (margin == ScriptMarks::Signs && !remarksAt(line).isEmpty())
            showFixes(line);
        else if (margin == ScriptMarks::Origins)
            requestFieldOf(line);
    });
    connect(m_completer, &ScriptCompleter::completed, m_typing, &ScriptTyping::flush);
}

void ScriptEditor::setUp()
{
    setUtf8(true);
    setFrameShape(QFrame::NoFrame);
    setEolMode(EolUnix);
    setWrapMode(WrapWhitespace);
    setWrapVisualFlags(WrapFlagNone, WrapFlagNone, 2);
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
    setColor(theme.colour(T::Foreground));
    setCaretForegroundColor(theme.colour(T::Accent));
    setSelectionBackgroundColor(theme.colour(T::Accent));
    setSelectionForegroundColor(theme.colour(T::OnAccent));
    setCallTipsBackgroundColor(theme.colour(T::Panel));
    setCallTipsForegroundColor(theme.colour(T::Foreground2));
    setCallTipsHighlightColor(theme.colour(T::Accent));
    m_marks.applyTheme();
    recolor();
}

void ScriptEditor::setDocumentShown(const ScriptDocument& document)
{
    if (m_typing->isPending()) {
        m_typing->flush(); // dropped in and not yet reported: it leads to a newer document than this one
        return;
    }
    QStringList to = document.texts();
    // A byte order mark is not part of the text in the editor; it is put back when the text is saved.
    m_hasMark = !to.isEmpty() && to.first().startsWith(byteOrderMark);
    if (m_hasMark)
        to.first().remove(0, 1);
    // What is in the editor may be newer than the document shown last: a person typed it.
    const QStringList from = linesOfText(text());
    if (document == m_document && from == to && text().endsWith(u'\n'))
        return;
    moveRemarks(m_document.texts(), to);
    m_document = document;
    // A line that is added ends as the others do.
    const bool windows = !to.isEmpty() && to.first().endsWith(u'\r');
    setEolMode(windows ? EolWindows : EolUnix);
    m_folds->forget();
    setWrapMode(to.size() > mostWrapped ? WrapNone : WrapWhitespace);
    replaceLines(from, to);
    if (m_field.isEmpty())
        m_marks.markLines(m_document, m_lit);
    else
        lightField(m_field);
    m_marks.markRemarks(m_remarks);
    reportLine(true);
}

/// Remarks stay at their lines until the newer text is evaluated.
void ScriptEditor::moveRemarks(const QStringList& from, const QStringList& to)
{
    if (from.size() == to.size() || m_remarks.isEmpty() || to.isEmpty())
        return;
    const QList<LineHunk> hunks = lineDifference(from, to);
    const auto moved = [&hunks, &to](int line) {
        qsizetype at = line - 1; // counted from 0, as hunks are
        for (auto hunk = hunks.crbegin(); hunk != hunks.crend(); ++hunk) {
            if (at >= hunk->fromEnd)
                return int(at + hunk->toEnd - hunk->fromEnd) + 1;
            if (at >= hunk->from)
                return int(qBound<qsizetype>(0, qMin(hunk->to + at - hunk->from, hunk->toEnd - 1), to.size() - 1)) + 1;
        }
        return line;
    };
    for (ScriptRemark& remark : m_remarks)
        remark.lines = {moved(remark.lines.first), moved(remark.lines.last)};
}

void ScriptEditor::setPlaces(const FieldPlaces& places)
{
    m_places = places;
    m_marks.markPlaces(m_places.of(m_field), m_hasMark ? 1 : 0);
    reportLine(true);
}

void ScriptEditor::replaceLines(const QStringList& from, const QStringList& to)
{
    const QList<LineHunk> hunks = hunksToReplace(from, to);
    const bool isWhole = text().isEmpty() || text().endsWith(u'\n'); // else somebody deleted the last line's end
    if (hunks.isEmpty() && isWhole)
        return;
    m_typing->beginReplacing();
    const bool locked = isReadOnly();
    SendScintilla(SCI_SETREADONLY, 0ul);
    int line = 0;
    int column = 0;
    getCursorPosition(&line, &column);
    // What one reads stays where it is, also when lines above it come or go.
    const int shownTop = firstVisibleLine();
    const int top = lineAtRow(shownTop);
    const int within = shownTop - rowOf(top); // of a line that goes over several rows
    qsizetype shift = 0;
    for (const LineHunk& hunk : hunks) {
        if (top > 0 && hunk.fromEnd <= top)
            shift += (hunk.toEnd - hunk.to) - (hunk.fromEnd - hunk.from);
    }
    if (!isWhole)
        SendScintilla(SCI_APPENDTEXT, 1ul, "\n");
    // Lines are broken to the width when they are shown, not all of them while the text is put in.
    const auto added = std::accumulate(hunks.cbegin(), hunks.cend(), qsizetype(0),
        [](qsizetype sum, const LineHunk& hunk) { return sum + hunk.toEnd - hunk.to; });
    const WrapMode wrap = wrapMode();
    if (added > mostAtOnce)
        setWrapMode(WrapNone);
    // From below to above, so that line numbers further up stay right.
    for (auto hunk = hunks.crbegin(); hunk != hunks.crend(); ++hunk) {
        QByteArray text;
        for (qsizetype each = hunk->to; each < hunk->toEnd; ++each)
            text += to.at(each).toUtf8() + '\n';
        const bool all = hunk->from == 0 && hunk->fromEnd == from.size();
        const long start = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(hunk->from));
        const long stop = all ? SendScintilla(SCI_GETLENGTH)
                              : SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(hunk->fromEnd));
        SendScintilla(SCI_SETTARGETRANGE, static_cast<unsigned long>(start), stop);
        SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(text.size()), text.constData());
    }
    if (wrap != wrapMode())
        setWrapMode(wrap);
    if (m_following && !hunks.isEmpty())
        followChange(hunks, line, from, to);
    else
        restoreCursor(hunks, line, column);
    if (!m_following)
        SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(rowOf(int(top + shift)) + within));
    if (!hasFocus())
        SendScintilla(SCI_SETXOFFSET, 0ul);
    SendScintilla(SCI_SETREADONLY, locked ? 1ul : 0ul);
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    m_typing->endReplacing();
    recolor();
}

void ScriptEditor::replaceText(const QString& text)
{
    replaceLines(linesOfText(this->text()), linesOfText(text));
    m_typing->reportStep();
}

void ScriptEditor::replaceSelection(const QString& text)
{
    SendScintilla(SCI_REPLACESEL, 0ul, text.toUtf8().constData());
    m_typing->flush();
}

/// Scintilla moves a cursor outside of what is replaced by itself; inside, it stays at its line and column.
void ScriptEditor::restoreCursor(const QList<LineHunk>& hunks, int line, int column)
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

/// After undo and redo the cursor is behind what came back: of all that a field changed, where it was nearest to.
void ScriptEditor::followChange(const QList<LineHunk>& hunks, int at, const QStringList& from, const QStringList& to)
{
    const auto distance = [at](const LineHunk& hunk) {
        return at < hunk.from ? hunk.from - at : qMax<qsizetype>(0, at - qMax(hunk.from, hunk.fromEnd - 1));
    };
    const LineHunk& hunk = *std::min_element(hunks.cbegin(), hunks.cend(),
        [&distance](const LineHunk& a, const LineHunk& b) { return distance(a) < distance(b); });
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
    m_folds->setRemarks(remarks);
    reportLine(true);
}

QList<int> ScriptEditor::remarksAt(int line) const
{
    QList<int> found;
    for (int i = 0; i < m_remarks.size(); ++i) {
        if (line >= m_remarks.at(i).firstLine() && line <= m_remarks.at(i).lastLine())
            found.append(i);
    }
    std::stable_sort(found.begin(), found.end(), [this](int a, int b) {
        const ScriptRemark &one = m_remarks.at(a), &other = m_remarks.at(b);
        return one.isSilenced() != other.isSilenced() ? other.isSilenced()
                                                      : one.finding.severity < other.finding.severity;
    });
    return found;
}

void ScriptEditor::lightField(const FieldPath& field)
{
    const bool moved = field != m_field;
    m_field = field;
    m_lit = m_field.isEmpty() ? QList<int>() : m_document.linesOf(m_field);
    m_marks.markLines(m_document, m_lit);
    m_marks.markPlaces(m_places.of(m_field), m_hasMark ? 1 : 0);
    // While somebody types here, nothing scrolls away under the cursor.
    if (m_lit.isEmpty() || hasFocus() || !moved)
        return;
    const int first = int(SendScintilla(SCI_GETFIRSTVISIBLELINE));
    const int count = int(SendScintilla(SCI_LINESONSCREEN));
    for (const int line : std::as_const(m_lit)) {
        if (!m_folds->isFolded(line) && rowOf(line) >= first && rowOf(line) < first + count)
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
    m_folds->open(line);
    const int count = int(SendScintilla(SCI_LINESONSCREEN));
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(qMax(0, rowOf(line) - count / 3)));
}

void ScriptEditor::goToLine(int line)
{
    m_folds->open(line);
    if (line < 0 || line >= lines())
        return;
    setFocus(Qt::OtherFocusReason);
    const int first = firstVisibleLine();
    const int count = int(SendScintilla(SCI_LINESONSCREEN));
    setCursorPosition(line, 0);
    const int row = rowOf(line);
    if (row < first + 1 || row >= first + count - 1)
        showLine(line);
}

void ScriptEditor::goToRemark(bool forward)
{
    QList<int> at;
    for (const ScriptRemark& remark : std::as_const(m_remarks)) {
        if (!remark.isSilenced())
            at.append(remark.firstLine());
    }
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
        parts.append(remark.isSilenced() ? tr("Silenced (%1): %2").arg(remark.finding.rule, remark.finding.text)
                                         : remark.finding.text);
        if (!remark.fix().isEmpty())
            parts.append(tr("One click: %1 (Alt+Return)").arg(remark.fix()));
        if (!remark.finding.source.isEmpty())
            parts.append(tr("Source: %1").arg(remark.finding.source));
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
        if (!isPartOf(origin, field::overrides))
            return origin;
    }
    return {};
}

FieldPath ScriptEditor::fieldAtCursor() const
{
    const FieldPath field = m_places.at(currentLine(), helpColumn());
    return field.isEmpty() ? fieldOf(currentLine()) : field;
}

void ScriptEditor::reportLine(bool always)
{
    if (m_typing->isReplacing())
        return;
    const int line = currentLine();
    const FieldPath field = fieldAtCursor();
    if (line == m_reportedLine && field == m_reportedField && !always)
        return;
    m_reportedLine = line;
    m_reportedField = field;
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
        const QString note = parts.join(u'\n');
        if (note.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), richToolTip(note), this);
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

/// Keys that belong to the design (undo) or to us are taken from Scintilla's own table.
void ScriptEditor::freeKeys()
{
    constexpr int keys[] = {Qt::Key_Tab, Qt::Key_Return, Qt::Key_Enter, Qt::Key_Escape, int(Qt::SHIFT) | Qt::Key_Tab,
        int(Qt::CTRL) | Qt::Key_Z, int(Qt::CTRL) | Qt::Key_Y, int(Qt::CTRL) | int(Qt::SHIFT) | Qt::Key_Z,
        int(Qt::CTRL) | Qt::Key_Slash, int(Qt::CTRL) | Qt::Key_BracketLeft, int(Qt::CTRL) | Qt::Key_BracketRight};
    for (const int key : keys) {
        QsciCommand* command = standardCommands()->boundTo(key);
        if (command && command->key() == key)
            command->setKey(0);
        else if (command)
            command->setAlternateKey(0);
    }
}

bool ScriptEditor::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        // The cursor follows what is undone while it is here; elsewhere the window's own action does it.
        const bool isUndo = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
        if ((isUndo && !isReadOnly()) || (m_completer->isOpen() && key->key() == Qt::Key_Escape)) {
            event->accept();
            return true;
        }
    }
    return QsciScintilla::event(event);
}

void ScriptEditor::keyPressEvent(QKeyEvent* event)
{
    if (m_completer->isOpen() && m_completer->popup().handleKey(event))
        return;
    if (handleCommandKey(event) || handlePlainKey(event))
        return;
    const bool typed = isPrintable(*event) || event->key() == Qt::Key_Backspace || event->key() == Qt::Key_Delete;
    QsciScintilla::keyPressEvent(event);
    m_typing->flush();
    m_completer->follow(typed && (isPrintable(*event) || m_completer->isOpen()));
    if (event->text() == u"=" && !m_completer->isOpen())
        (void)m_completer->reportOption({});
}

bool ScriptEditor::handleCommandKey(QKeyEvent* event)
{
    const int key = event->key();
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const bool plain = modifiers == Qt::NoModifier;
    const bool isReturn = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (event->matches(QKeySequence::Undo) || event->matches(QKeySequence::Redo)) {
        m_following = true;
        event->matches(QKeySequence::Undo) ? emit undoRequested() : emit redoRequested();
        m_following = false;
    } else if (event->matches(QKeySequence::Find))
        emit findRequested(false);
    else if (key == Qt::Key_H && modifiers == Qt::ControlModifier)
        emit findRequested(true);
    else if (key == Qt::Key_F3 && (plain || modifiers == Qt::ShiftModifier))
        emit findNextRequested(plain);
    else if (key == Qt::Key_F8 && (plain || modifiers == Qt::ShiftModifier))
        goToRemark(plain);
    else if (key == Qt::Key_F12 && plain)
        requestFieldOf(currentLine());
    else if (isReturn && modifiers == Qt::ControlModifier)
        requestFieldOf(currentLine());
    else if (isReturn && modifiers == Qt::AltModifier)
        showFixes(currentLine());
    else if (key == Qt::Key_Period && modifiers == Qt::ControlModifier)
        showFixes(currentLine());
    else if (key == Qt::Key_Space && modifiers == Qt::ControlModifier)
        m_completer->ask();
    else if (key == Qt::Key_Space && modifiers == (Qt::ControlModifier | Qt::ShiftModifier))
        (void)m_completer->reportOption(noteOf(currentLine()).replace(u'\n', u' '));
    else if (key == Qt::Key_Backspace && modifiers == (Qt::ControlModifier | Qt::ShiftModifier))
        emit giveBackRequested(currentLine());
    else if (key == Qt::Key_Slash && modifiers == Qt::ControlModifier)
        m_lineCommands.toggleComment();
    else if (key == Qt::Key_BracketRight && modifiers == Qt::ControlModifier)
        m_lineCommands.shift(true);
    else if (key == Qt::Key_BracketLeft && modifiers == Qt::ControlModifier)
        m_lineCommands.shift(false);
    else
        return false;
    m_typing->flush();
    return true;
}

/// Tab goes on to the next control, so that the keyboard is never caught here; Ctrl+] indents.
bool ScriptEditor::handlePlainKey(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Tab:
    case Qt::Key_Backtab: event->ignore(); return true;
    case Qt::Key_Escape:
        SendScintilla(SCI_CALLTIPCANCEL);
        event->ignore();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier))
            return false;
        event->setAccepted(!isReadOnly()); // where it is only read, whoever shows it goes on
        m_lineCommands.start();
        m_typing->flush();
        m_completer->close();
        return true;
    default: return false;
    }
}

void ScriptEditor::inputMethodEvent(QInputMethodEvent* event)
{
    // Scintilla takes what is being composed back by its own undo steps: these go once the text is typed.
    m_typing->setComposing(!event->preeditString().isEmpty());
    QsciScintilla::inputMethodEvent(event);
    m_typing->flush();
}

void ScriptEditor::mouseReleaseEvent(QMouseEvent* event)
{
    QsciScintilla::mouseReleaseEvent(event);
    m_completer->close();
    if (event->button() == Qt::LeftButton && event->modifiers() == Qt::ControlModifier && !hasSelectedText())
        requestFieldOf(lineAt(event->pos()));
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

int ScriptEditor::columnAt(QPoint position, int line) const
{
    const long offset = SendScintilla(
        SCI_POSITIONFROMPOINTCLOSE, static_cast<unsigned long>(position.x()), static_cast<long>(position.y()));
    if (offset < 0)
        return -1;
    int at = 0;
    int column = 0;
    lineIndexFromPosition(int(offset), &at, &column);
    return at == line ? column : -1;
}

void ScriptEditor::requestFieldOf(int line)
{
    if (const FieldPath field = line == currentLine() ? fieldAtCursor() : fieldOf(line); !field.isEmpty())
        emit fieldRequested(field);
}

void ScriptEditor::showFixes(int line)
{
    // popup(), not exec(): a nested event loop would let the design change below a blocked caller.
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setAccessibleName(tr("What can be done with line %1").arg(line + 1));
    fillMenu(*menu, line);
    if (menu->isEmpty()) {
        delete menu;
        return;
    }
    const long start = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
    const int y = int(SendScintilla(SCI_POINTYFROMPOSITION, 0ul, start));
    const int height = int(SendScintilla(SCI_TEXTHEIGHT, static_cast<unsigned long>(line)));
    menu->setActiveAction(menu->actions().first());
    menu->popup(viewport()->mapToGlobal(QPoint(marginWidth(ScriptMarks::Signs), y + height)));
}

/// Fixes of the line, its field, and the way back to the generated text.
void ScriptEditor::fillMenu(QMenu& menu, int line)
{
    for (const int index : remarksAt(line)) {
        if (m_remarks.at(index).fix().isEmpty())
            continue;
        auto* action = menu.addAction(lineIcon(u"check"_s), m_remarks.at(index).fix());
        connect(action, &QAction::triggered, this, [this, index] { emit fixRequested(index); });
    }
    if (line >= 0 && line < m_document.lines.size() && isYours(m_document.lines.at(line))) {
        auto* back = menu.addAction(lineIcon(u"undo"_s), tr("Use the generated line again"));
        connect(back, &QAction::triggered, this, [this, line] { emit giveBackRequested(line); });
    }
    if (!fieldOf(line).isEmpty()) {
        auto* field = menu.addAction(lineIcon(u"design"_s), tr("Show the field"));
        connect(field, &QAction::triggered, this, [this, line] { requestFieldOf(line); });
    }
}

void ScriptEditor::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
    const int line = byMouse ? lineAt(viewport()->mapFrom(this, event->pos())) : currentLine();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu, line);
    if (!menu->isEmpty())
        menu->addSeparator();
    const auto add = [this, menu](const QString& text, bool enabled, const std::function<void()>& what) {
        auto* action = menu->addAction(text);
        action->setEnabled(enabled);
        connect(action, &QAction::triggered, this, [this, what] {
            what();
            m_typing->flush();
        });
    };
    add(tr("Undo"), !isReadOnly(), [this] { emit undoRequested(); });
    add(tr("Redo"), !isReadOnly(), [this] { emit redoRequested(); });
    menu->addSeparator();
    add(tr("Cut"), hasSelectedText() && !isReadOnly(), [this] { cut(); });
    add(tr("Copy"), hasSelectedText(), [this] { copy(); });
    add(tr("Paste"), !isReadOnly(), [this] { paste(); });
    add(tr("Select all"), true, [this] { selectAll(); });
    menu->addSeparator();
    add(tr("Search …"), !isReadOnly(), [this] { emit findRequested(false); });
    menu->popup(event->globalPos());
}

} // namespace rankwright
