// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys, mouse, menu and search of the script editor.
#include "widgets/scripteditor.h"

#include "widgets/completionpopup.h"
#include "widgets/icons.h"
#include "widgets/scriptcompleter.h"
#include "widgets/theme.h"

#include <QContextMenuEvent>
#include <QInputMethodEvent>
#include <QMenu>
#include <QRegularExpression>

#include <Qsci/qscicommandset.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int step = 4; // blanks of one indentation

bool isPrintable(const QKeyEvent& event)
{
    return !event.text().isEmpty() && event.text().at(0).isPrint()
        && !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
}

} // namespace

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
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)
            || (m_completer->isOpen() && key->key() == Qt::Key_Escape)) {
            event->accept();
            return true;
        }
    }
    return QsciScintilla::event(event);
}

void ScriptEditor::keyPressEvent(QKeyEvent* event)
{
    if (m_completer->isOpen() && m_completer->popup().takeKey(event))
        return;
    if (takeCommandKey(event) || takePlainKey(event))
        return;
    const bool typed = isPrintable(*event) || event->key() == Qt::Key_Backspace || event->key() == Qt::Key_Delete;
    QsciScintilla::keyPressEvent(event);
    flush();
    m_completer->follow(typed && (isPrintable(*event) || m_completer->isOpen()));
    if (event->text() == u"=" && !m_completer->isOpen())
        (void)m_completer->tellOption({});
}

bool ScriptEditor::takeCommandKey(QKeyEvent* event)
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
        (void)m_completer->tellOption(noteOf(currentLine()).replace(u'\n', u' '));
    else if (key == Qt::Key_Backspace && modifiers == (Qt::ControlModifier | Qt::ShiftModifier))
        emit giveBackRequested(currentLine());
    else if (key == Qt::Key_Slash && modifiers == Qt::ControlModifier)
        toggleComment();
    else if (key == Qt::Key_BracketRight && modifiers == Qt::ControlModifier)
        shiftLines(true);
    else if (key == Qt::Key_BracketLeft && modifiers == Qt::ControlModifier)
        shiftLines(false);
    else
        return false;
    return true;
}

/// Tab goes on to the next control, so that the keyboard is never caught here; Ctrl+] indents.
bool ScriptEditor::takePlainKey(QKeyEvent* event)
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
        startLine();
        return true;
    default: return false;
    }
}

/// A new line is indented as the one above.
void ScriptEditor::startLine()
{
    int line = 0;
    int column = 0;
    getCursorPosition(&line, &column);
    const QString here = text(line).left(column);
    QString begin;
    while (begin.size() < here.size() && (here.at(begin.size()) == u' ' || here.at(begin.size()) == u'\t'))
        begin += here.at(begin.size());
    const QByteArray added = '\n' + begin.toUtf8();
    SendScintilla(SCI_REPLACESEL, 0ul, added.constData());
    ensureCursorVisible();
    flush();
    m_completer->close();
}

void ScriptEditor::replaceSelectedLines(const std::function<QString(const QString&)>& change)
{
    int first = currentLine();
    int last = first;
    int from = 0;
    int to = 0;
    if (hasSelectedText()) {
        getSelection(&first, &from, &last, &to);
        if (to == 0 && last > first)
            --last;
    }
    for (int line = first; line <= last; ++line) {
        QString before = text(line);
        if (before.endsWith(u'\n'))
            before.chop(1);
        const QByteArray after = change(before).toUtf8();
        const long start = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
        SendScintilla(SCI_SETTARGETRANGE, static_cast<unsigned long>(start), start + long(before.toUtf8().size()));
        SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(after.size()), after.constData());
    }
    flush();
}

void ScriptEditor::shiftLines(bool inwards)
{
    replaceSelectedLines([inwards](const QString& line) -> QString {
        if (inwards)
            return line.isEmpty() ? line : QString(step, u' ') + line;
        int blanks = 0;
        while (blanks < step && blanks < line.size() && line.at(blanks) == u' ')
            ++blanks;
        return line.mid(blanks);
    });
}

/// A directive becomes ##SBATCH, which sbatch passes over, and back.
void ScriptEditor::toggleComment()
{
    replaceSelectedLines([](const QString& line) -> QString {
        static const QRegularExpression commented(uR"(^(\s*)# ?(?!!|SBATCH\b))"_s);
        if (line.startsWith(u"##SBATCH"_s))
            return line.mid(1);
        if (line.startsWith(u"#SBATCH"_s))
            return u'#' + line;
        if (line.trimmed().isEmpty() || line.startsWith(u"#!"_s))
            return line;
        const auto match = commented.match(line);
        return match.hasMatch() ? match.captured(1) + line.mid(match.capturedLength()) : u"# "_s + line;
    });
}

void ScriptEditor::inputMethodEvent(QInputMethodEvent* event)
{
    // Scintilla takes what is being composed back by its own undo steps: these go once the text is typed.
    m_composing = !event->preeditString().isEmpty();
    QsciScintilla::inputMethodEvent(event);
    flush();
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
    if (const FieldPath field = fieldOf(line); !field.isEmpty())
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
        if (m_remarks.at(index).fix.isEmpty())
            continue;
        auto* action = menu.addAction(lineIcon(u"check"_s), m_remarks.at(index).fix);
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
            flush();
        });
    };
    add(tr("Undo"), true, [this] { emit undoRequested(); });
    add(tr("Redo"), true, [this] { emit redoRequested(); });
    menu->addSeparator();
    add(tr("Cut"), hasSelectedText() && !isReadOnly(), [this] { cut(); });
    add(tr("Copy"), hasSelectedText(), [this] { copy(); });
    add(tr("Paste"), !isReadOnly(), [this] { paste(); });
    add(tr("Select all"), true, [this] { selectAll(); });
    menu->addSeparator();
    add(tr("Search …"), true, [this] { emit findRequested(false); });
    menu->popup(event->globalPos());
}

bool ScriptEditor::find(const QString& text, bool forward, bool matchCase)
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
    return findFirst(text, false, matchCase, false, true, forward, forward ? lineTo : line, forward ? indexTo : index);
}

int ScriptEditor::markHits(const QString& text, bool matchCase) { return m_marks.markHits(text, matchCase); }

bool ScriptEditor::replaceHit(const QString& text, const QString& with, bool matchCase)
{
    const bool isHit = selectedText().compare(text, matchCase ? Qt::CaseSensitive : Qt::CaseInsensitive) == 0;
    if (isHit && !text.isEmpty()) {
        SendScintilla(SCI_REPLACESEL, 0ul, with.toUtf8().constData());
        flush();
    }
    return find(text, true, matchCase) && !text.isEmpty();
}

int ScriptEditor::replaceAll(const QString& wanted, const QString& with, bool matchCase)
{
    if (wanted.isEmpty())
        return 0;
    const Qt::CaseSensitivity sensitivity = matchCase ? Qt::CaseSensitive : Qt::CaseInsensitive;
    QString now = text();
    const int count = int(now.count(wanted, sensitivity));
    if (count == 0)
        return 0;
    now.replace(wanted, with, sensitivity);
    m_typingEnd = -1;
    replaceLines(linesOfText(text()), linesOfText(now));
    m_dirty = true;
    m_continues = false;
    flush();
    return count;
}

} // namespace rankwright
