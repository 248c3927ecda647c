// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sbatchlexer.h"

#include "widgets/theme.h"

#include <QFontInfo>
#include <QSet>

#include <Qsci/qsciscintilla.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWord(char c) { return isWordStart(c) || (c >= '0' && c <= '9'); }

const QSet<QByteArray>& keywords()
{
    static const QSet<QByteArray> words{"if", "then", "else", "elif", "fi", "for", "in", "do", "done", "while", "case",
        "esac", "function", "return", "exit", "set", "trap", "local", "readonly", "export", "unset", "source", "exec",
        "eval", "module"};
    return words;
}

const QSet<QByteArray>& commands()
{
    static const QSet<QByteArray> words{"srun", "torchrun", "singularity", "apptainer", "python", "python3", "bash",
        "echo", "mkdir", "scontrol", "cd", "ulimit", "printf", "sed", "cat", "rm", "chmod", "hostname", "date",
        "command"};
    return words;
}

/// Walks over the bytes once and notes runs of one style.
class Tokenizer {
public:
    explicit Tokenizer(const QByteArray& text) : m_text(text) { }

    QList<SbatchLexer::Run> run()
    {
        while (m_at < m_text.size())
            step();
        return m_runs;
    }

private:
    char at(qsizetype index) const { return index >= 0 && index < m_text.size() ? m_text.at(index) : '\0'; }

    void take(qsizetype end, SbatchLexer::Style style)
    {
        const int length = int(qMin(end, m_text.size()) - m_at);
        if (length <= 0)
            return;
        if (!m_runs.isEmpty() && m_runs.last().style == style)
            m_runs.last().length += length;
        else
            m_runs.append({length, style});
        m_at += length;
    }

    qsizetype lineEnd() const
    {
        const qsizetype end = m_text.indexOf('\n', m_at);
        return end < 0 ? m_text.size() : end;
    }

    bool atLineStart() const { return m_at == 0 || at(m_at - 1) == '\n'; }

    void step()
    {
        const char c = at(m_at);
        if (m_inDouble) {
            stepInDouble(c);
        } else if (c == '#' && (atLineStart() || at(m_at - 1) == ' ' || at(m_at - 1) == '\t')) {
            const bool directive = atLineStart() && m_text.mid(m_at, 8) == "#SBATCH ";
            take(lineEnd(), directive ? SbatchLexer::Directive : SbatchLexer::Comment);
        } else if (c == '\'') {
            const qsizetype close = m_text.indexOf('\'', m_at + 1);
            take(close < 0 ? m_text.size() : close + 1, SbatchLexer::String);
        } else if (c == '"') {
            m_inDouble = true;
            take(m_at + 1, SbatchLexer::String);
        } else if (c == '\\') {
            take(m_at + 2, SbatchLexer::Plain);
        } else if (c == '$') {
            takeVariable();
        } else if (c == '-' && (at(m_at - 1) == ' ' || at(m_at - 1) == '\t')
            && (at(m_at + 1) == '-' || isWordStart(at(m_at + 1)))) {
            takeOption();
        } else if (isWordStart(c)) {
            takeWord();
        } else {
            take(m_at + 1, SbatchLexer::Plain);
        }
    }

    void stepInDouble(char c)
    {
        if (c == '"') {
            m_inDouble = false;
            take(m_at + 1, SbatchLexer::String);
        } else if (c == '\\') {
            take(m_at + 2, SbatchLexer::String);
        } else if (c == '$' && (isWordStart(at(m_at + 1)) || at(m_at + 1) == '{' || at(m_at + 1) == '@')) {
            takeVariable();
        } else {
            take(m_at + 1, SbatchLexer::String);
        }
    }

    void takeVariable()
    {
        qsizetype end = m_at + 1;
        if (at(end) == '{') {
            const qsizetype close = m_text.indexOf('}', end);
            end = close < 0 ? m_text.size() : close + 1;
        } else if (isWordStart(at(end))) {
            while (isWord(at(end)))
                ++end;
        } else if (at(end) == '@' || at(end) == '#' || at(end) == '?' || at(end) == '!') {
            ++end;
        } else {
            take(m_at + 1, m_inDouble ? SbatchLexer::String : SbatchLexer::Plain); // "$(" opens a command
            return;
        }
        take(end, SbatchLexer::Variable);
    }

    void takeOption()
    {
        qsizetype end = m_at + 1;
        while (isWord(at(end)) || at(end) == '-')
            ++end;
        take(end, SbatchLexer::Option);
    }

    void takeWord()
    {
        qsizetype end = m_at;
        while (isWord(at(end)))
            ++end;
        const QByteArray word = m_text.mid(m_at, end - m_at);
        const char before = at(m_at - 1);
        const bool alone = before != '-' && before != '/' && before != '.' && before != '=' && at(end) != '-'
            && at(end) != '/' && at(end) != '.';
        if (at(end) == '=' && (atLineStart() || before == ' ' || before == '\t'))
            take(end, SbatchLexer::Variable);
        else if (alone && keywords().contains(word))
            take(end, SbatchLexer::Keyword);
        else if (alone && commands().contains(word))
            take(end, SbatchLexer::Command);
        else
            take(end, SbatchLexer::Plain);
    }

    const QByteArray m_text;
    QList<SbatchLexer::Run> m_runs;
    qsizetype m_at = 0;
    bool m_inDouble = false;
};

} // namespace

SbatchLexer::SbatchLexer(QObject* parent) : QsciLexerCustom(parent) { }

QList<SbatchLexer::Run> SbatchLexer::tokenize(const QByteArray& script) { return Tokenizer(script).run(); }

QString SbatchLexer::description(int style) const
{
    // An empty description ends QScintilla's list of styles.
    static const QStringList names{
        u"Plain"_s, u"Comment"_s, u"Directive"_s, u"Keyword"_s, u"Command"_s, u"Variable"_s, u"String"_s, u"Option"_s};
    return names.value(style);
}

QColor SbatchLexer::defaultColor(int style) const
{
    using T = Theme::Token;
    const Theme& theme = themeOf(this);
    switch (style) {
    case Comment: return theme.colour(T::CodeComment);
    case Directive: return theme.colour(T::CodeDirective);
    case Keyword: return theme.colour(T::CodeKeyword);
    case Variable: return theme.colour(T::CodeVariable);
    case String: return theme.colour(T::CodeString);
    case Command: return theme.colour(T::Accent);
    default: return theme.colour(T::Ink);
    }
}

QColor SbatchLexer::defaultPaper(int) const { return themeOf(this).colour(Theme::Token::Panel); }

QFont SbatchLexer::defaultFont(int) const
{
    // Scintilla reads a font's size in points only.
    QFont font = Theme::codeFont();
    font.setPointSizeF(QFontInfo(font).pointSizeF());
    return font;
}

void SbatchLexer::styleText(int, int)
{
    if (!editor())
        return;
    // Batch scripts are a few dozen lines: styled whole, so that an open quote needs no bookkeeping.
    const QByteArray text = editor()->text().toUtf8();
    startStyling(0);
    for (const Run& run : tokenize(text))
        setStyling(run.length, run.style);
}

void SbatchLexer::applyTheme()
{
    for (int style = Plain; style <= Option; ++style) {
        setColor(defaultColor(style), style);
        setPaper(defaultPaper(style), style);
        setFont(defaultFont(style), style);
    }
    setDefaultColor(defaultColor(Plain));
    setDefaultPaper(defaultPaper(Plain));
    setDefaultFont(defaultFont(Plain));
}

} // namespace rankwright
