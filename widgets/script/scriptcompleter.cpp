// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/scriptcompleter.h"

#include "models/script/batch/optionhelp.h"
#include "widgets/script/completionpopup.h"

#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using Base = QsciScintillaBase;
constexpr int tipWidth = 58; // characters: a call tip does not wrap by itself

QString wrapped(const QString& text, int width)
{
    QString out;
    int column = 0;
    for (const QString& word : text.split(u' ')) {
        if (column > 0 && column + word.size() + 1 > width) {
            out += u'\n';
            column = 0;
        }
        out += (column > 0 ? u" "_s : QString()) + word;
        column += int(word.size()) + (column > 0 ? 1 : 0);
    }
    return out;
}

/// The option that a column of a line is in or after.
QString optionWordAt(const QString& line, int column)
{
    static const QRegularExpression options(uR"((?<![^\s])(--[\w-]+|-\w))"_s);
    QString found;
    for (auto matches = options.globalMatch(line); matches.hasNext();) {
        const auto match = matches.next();
        if (match.capturedStart() <= column)
            found = match.captured(1);
    }
    return found;
}

} // namespace

ScriptCompleter::ScriptCompleter(QsciScintilla& editor)
    : QObject(&editor), m_editor(editor), m_popup(new CompletionPopup(&editor))
{
    connect(m_popup, &CompletionPopup::chosen, this, &ScriptCompleter::insertItem);
    // The window owns the list, and the editor may go before its window.
    connect(&editor, &QObject::destroyed, m_popup, &QObject::deleteLater);
}

QStringList ScriptCompleter::linesShown() const { return m_editor.text().split(u'\n'); }

void ScriptCompleter::follow(bool typed)
{
    if (typed)
        offerCompletions(CompletionCause::Typing);
    else if (isOpen())
        offerCompletions(CompletionCause::Request);
}

void ScriptCompleter::ask() { offerCompletions(CompletionCause::Request); }

void ScriptCompleter::close() { m_popup->hide(); }

bool ScriptCompleter::isOpen() const { return !m_popup->isHidden(); }

void ScriptCompleter::offerCompletions(CompletionCause cause)
{
    int line = 0;
    int column = 0;
    m_editor.getCursorPosition(&line, &column);
    m_completion = m_editor.isReadOnly() || m_editor.hasSelectedText()
        ? Completion{}
        : completionAt(linesShown(), line, column, m_facts, cause);
    if (m_completion.isEmpty()) {
        close();
        return;
    }
    const long from = m_editor.positionFromLineIndex(line, m_completion.from);
    const QPoint top(int(m_editor.SendScintilla(Base::SCI_POINTXFROMPOSITION, 0ul, from)),
        int(m_editor.SendScintilla(Base::SCI_POINTYFROMPOSITION, 0ul, from)));
    const int height = int(m_editor.SendScintilla(Base::SCI_TEXTHEIGHT, static_cast<unsigned long>(line)));
    const QPoint shift = m_editor.viewport()->pos();
    m_popup->offer(m_completion.items, top + shift, top.y() + shift.y() + height);
}

void ScriptCompleter::insertItem(const CompletionItem& item)
{
    int line = 0;
    int column = 0;
    m_editor.getCursorPosition(&line, &column);
    const long from = m_editor.positionFromLineIndex(line, m_completion.from);
    const long to = m_editor.positionFromLineIndex(line, m_completion.to);
    const QByteArray text = item.text.toUtf8();
    m_editor.SendScintilla(Base::SCI_SETTARGETRANGE, static_cast<unsigned long>(from), to);
    m_editor.SendScintilla(Base::SCI_REPLACETARGET, static_cast<unsigned long>(text.size()), text.constData());
    m_editor.SendScintilla(Base::SCI_GOTOPOS, static_cast<unsigned long>(from + text.size()));
    emit completed();
    if (item.goesOn) {
        offerCompletions(CompletionCause::Typing);
        if (!isOpen())
            (void)reportOption({});
    }
}

QString ScriptCompleter::optionNote(int line, int column) const
{
    const QStringList lines = linesShown();
    if (line < 0 || line >= lines.size())
        return {};
    const QString word = optionWordAt(lines.at(line), column);
    const OptionHelp* option = word.isEmpty() ? nullptr : helpOf(programAt(lines, line, column), word);
    return option && !option->help.isEmpty() ? u"--%1: %2"_s.arg(option->name, option->help) : QString();
}

bool ScriptCompleter::reportOption(const QString& more)
{
    int line = 0;
    int column = 0;
    m_editor.getCursorPosition(&line, &column);
    QStringList parts;
    for (const QString& part : {optionNote(line, column), more}) {
        if (!part.isEmpty())
            parts.append(wrapped(part, tipWidth));
    }
    if (parts.isEmpty())
        return false;
    const QByteArray tip = parts.join(u'\n').toUtf8();
    const long at = m_editor.SendScintilla(Base::SCI_GETCURRENTPOS);
    m_editor.SendScintilla(Base::SCI_CALLTIPSHOW, static_cast<unsigned long>(at), tip.constData());
    return true;
}

} // namespace rankwright
