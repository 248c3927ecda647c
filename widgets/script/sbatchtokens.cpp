// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/sbatchtokens.h"

#include <QSet>

namespace rankwright {

namespace {

using Style = SbatchStyle;

bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return isWordStart(c) || isDigit(c); }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool endsWord(char c) { return c == '\0' || isBlank(c) || c == '\n' || QByteArrayView(";&|()<>").contains(c); }

const QSet<QByteArray>& keywords()
{
    static const QSet<QByteArray> words{"if", "then", "else", "elif", "fi", "for", "in", "do", "done", "while", "until",
        "case", "esac", "function", "return", "exit", "set", "trap", "local", "readonly", "declare", "export", "unset",
        "source", "exec", "eval", "module", "ml", "shift", "wait", "break", "continue", "select", "time"};
    return words;
}

const QSet<QByteArray>& commands()
{
    static const QSet<QByteArray> words{"srun", "sbatch", "salloc", "torchrun", "accelerate", "deepspeed", "horovodrun",
        "mpirun", "mpiexec", "singularity", "apptainer", "podman", "enroot", "python", "python3", "conda", "pip",
        "bash", "sh", "echo", "mkdir", "scontrol", "squeue", "cd", "ulimit", "printf", "sed", "awk", "grep", "cat",
        "rm", "cp", "mv", "tar", "rsync", "chmod", "hostname", "date", "command", "sleep", "head", "tail", "tee", "env",
        "timeout"};
    return words;
}

struct HereMark {
    QByteArray word;
    bool quoted = false; ///< nothing in the body is expanded
    bool tabs = false; ///< <<-: leading tabs do not count
};

/// Where the tokenizer is inside quotes: the innermost is the last.
struct Nest {
    enum Kind { Double, Substitution, Arithmetic } kind = Double;
    int parens = 0;
};

/// Walks over the bytes once and notes runs of one style.
class Tokenizer {
public:
    explicit Tokenizer(const QByteArray& text) : m_text(text) { }

    QList<SbatchRun> run()
    {
        while (m_at < m_text.size())
            step();
        return m_runs;
    }

private:
    char at(qsizetype index) const { return index >= 0 && index < m_text.size() ? m_text.at(index) : '\0'; }
    bool in(Nest::Kind kind) const { return !m_nests.isEmpty() && m_nests.last().kind == kind; }

    void markUntil(qsizetype end, Style style)
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

    qsizetype lineEnd(qsizetype from) const
    {
        const qsizetype end = m_text.indexOf('\n', from);
        return end < 0 ? m_text.size() : end;
    }

    bool atLineStart() const { return m_at == 0 || at(m_at - 1) == '\n'; }
    bool atWordStart() const { return m_at == 0 || endsWord(at(m_at - 1)); }

    void step()
    {
        const char c = at(m_at);
        if (c == '\n') {
            markUntil(m_at + 1, in(Nest::Double) ? Style::String : Style::Plain);
            if (!m_pending.isEmpty() && !in(Nest::Double))
                markHereDocuments();
        } else if (in(Nest::Double)) {
            stepInDouble(c);
        } else if (m_nests.isEmpty() && c == '#' && atLineStart()) {
            markHashLine();
        } else if (c == '#' && atWordStart() && !in(Nest::Arithmetic)) {
            markUntil(lineEnd(m_at), Style::Comment);
        } else {
            stepInShell(c);
        }
    }

    void stepInShell(char c)
    {
        if (!isBlank(c))
            m_hadCommand = true;
        if (c == '\'') {
            const qsizetype close = m_text.indexOf('\'', m_at + 1);
            markUntil(close < 0 ? m_text.size() : close + 1, Style::String);
        } else if (c == '"') {
            m_nests.append({Nest::Double, 0});
            markUntil(m_at + 1, Style::String);
        } else if (c == '\\') {
            markUntil(m_at + 2, Style::Plain);
        } else if (c == '$') {
            markDollar();
        } else if (c == '(' || c == ')') {
            markParenthesis(c);
        } else if (c == '<' && at(m_at + 1) == '<' && !in(Nest::Arithmetic)) {
            markHereMark();
        } else if (c == '-' && atWordStart() && (at(m_at + 1) == '-' || isWordStart(at(m_at + 1)))) {
            markOption();
        } else if (isWordStart(c)) {
            markWord();
        } else {
            markUntil(m_at + 1, Style::Plain);
        }
    }

    void stepInDouble(char c)
    {
        if (c == '"') {
            m_nests.removeLast();
            markUntil(m_at + 1, Style::String);
        } else if (c == '\\') {
            markUntil(m_at + 2, Style::String);
        } else if (c == '$') {
            markDollar();
        } else {
            markUntil(m_at + 1, Style::String);
        }
    }

    /// A line that starts with "#": comment, directive, or a directive that comes too late.
    void markHashLine()
    {
        const bool directive = m_text.mid(m_at, 7) == "#SBATCH" && isBlank(at(m_at + 7));
        if (!directive) {
            markUntil(lineEnd(m_at), Style::Comment);
        } else if (m_hadCommand) {
            markUntil(lineEnd(m_at), Style::Inert);
        } else {
            const qsizetype end = lineEnd(m_at);
            markUntil(m_at + 7, Style::Directive);
            while (m_at < end)
                markDirectiveWord(end);
        }
    }

    void markDirectiveWord(qsizetype end)
    {
        const char c = at(m_at);
        if (isBlank(c)) {
            markUntil(m_at + 1, Style::Plain);
        } else if (c == '#') {
            markUntil(end, Style::Comment); // sbatch stops at any "#" that is not quoted
        } else if (c == '-' && isBlank(at(m_at - 1))) {
            qsizetype stop = m_at + 1;
            const bool isLong = at(stop) == '-';
            while (
                stop < end && at(stop) != '=' && at(stop) != '#' && !isBlank(at(stop)) && (isLong || stop < m_at + 2))
                ++stop;
            markUntil(qMin(stop, end), Style::DirectiveOption);
        } else if (c == '=') {
            markUntil(m_at + 1, Style::Plain);
        } else if (c == '"' || c == '\'') {
            const qsizetype close = m_text.indexOf(c, m_at + 1);
            markUntil(close < 0 || close >= end ? end : close + 1, Style::String);
        } else {
            qsizetype stop = m_at;
            while (stop < end && !isBlank(at(stop)) && !QByteArrayView("\"'#").contains(at(stop)))
                ++stop;
            markUntil(stop, Style::DirectiveValue);
        }
    }

    /// The end of "${", braces counted; the line's end when nothing closes it there.
    qsizetype braceEnd(qsizetype open, qsizetype limit) const
    {
        int depth = 0;
        for (qsizetype i = open; i < limit; ++i) {
            depth += at(i) == '{' ? 1 : at(i) == '}' ? -1 : 0;
            if (depth == 0)
                return i + 1;
        }
        return limit;
    }

    /// Length of a variable at `from` (which holds "$"), 0 when there is none.
    qsizetype variableEnd(qsizetype from, qsizetype limit) const
    {
        qsizetype end = from + 1;
        if (at(end) == '{')
            return braceEnd(end, limit);
        if (isWordStart(at(end))) {
            while (isWord(at(end)))
                ++end;
            return end;
        }
        if (isDigit(at(end)) || (at(end) != '\0' && QByteArrayView("@#?!*$-").contains(at(end))))
            return end + 1;
        return from;
    }

    void markDollar()
    {
        const Style around = in(Nest::Double) ? Style::String : Style::Plain;
        if (at(m_at + 1) == '(') {
            const bool arithmetic = at(m_at + 2) == '(';
            m_nests.append({arithmetic ? Nest::Arithmetic : Nest::Substitution, arithmetic ? 2 : 1});
            markUntil(m_at + (arithmetic ? 3 : 2), Style::Plain);
        } else if (at(m_at + 1) == '\'' && !in(Nest::Double)) {
            qsizetype end = m_at + 2;
            while (end < m_text.size() && at(end) != '\'')
                end += at(end) == '\\' ? 2 : 1;
            markUntil(end + 1, Style::String);
        } else if (const qsizetype end = variableEnd(m_at, lineEnd(m_at)); end > m_at) {
            markUntil(end, Style::Variable);
        } else {
            markUntil(m_at + 1, around);
        }
    }

    void markParenthesis(char c)
    {
        if (m_nests.isEmpty() && c == '(' && at(m_at + 1) == '(') {
            m_nests.append({Nest::Arithmetic, 2});
            markUntil(m_at + 2, Style::Plain);
            return;
        }
        if (!m_nests.isEmpty()) {
            m_nests.last().parens += c == '(' ? 1 : -1;
            if (m_nests.last().parens <= 0)
                m_nests.removeLast();
        }
        markUntil(m_at + 1, Style::Plain);
    }

    /// "<<WORD": the body starts on the next line; "<<<" is not a here-document.
    void markHereMark()
    {
        if (at(m_at + 2) == '<') {
            markUntil(m_at + 3, Style::Plain);
            return;
        }
        HereMark mark;
        markUntil(m_at + 2, Style::Plain);
        if (at(m_at) == '-') {
            mark.tabs = true;
            markUntil(m_at + 1, Style::Plain);
        }
        while (at(m_at) == ' ' || at(m_at) == '\t')
            markUntil(m_at + 1, Style::Plain);
        qsizetype end = m_at;
        while (!endsWord(at(end))) {
            const char c = at(end++);
            if (c == '\'' || c == '"' || c == '\\')
                mark.quoted = true;
            else
                mark.word += c;
        }
        if (mark.word.isEmpty())
            return;
        m_pending.append(mark);
        markUntil(end, Style::HereDocument);
    }

    void markHereDocuments()
    {
        for (const HereMark& mark : std::as_const(m_pending)) {
            while (m_at < m_text.size()) {
                const qsizetype end = lineEnd(m_at);
                QByteArray line = m_text.mid(m_at, end - m_at);
                while (mark.tabs && line.startsWith('\t'))
                    line.remove(0, 1);
                if (mark.quoted || line == mark.word)
                    markUntil(end + 1, Style::HereDocument);
                else
                    markHereLine(end);
                if (line == mark.word)
                    break;
            }
        }
        m_pending.clear();
    }

    void markHereLine(qsizetype end)
    {
        while (m_at < end) {
            if (at(m_at) == '\\')
                markUntil(qMin(m_at + 2, end), Style::HereDocument);
            else if (const qsizetype stop = at(m_at) == '$' ? variableEnd(m_at, end) : m_at; stop > m_at)
                markUntil(stop, Style::Variable);
            else
                markUntil(m_at + 1, Style::HereDocument);
        }
        markUntil(end + 1, Style::HereDocument);
    }

    void markOption()
    {
        qsizetype end = m_at + 1;
        while (isWord(at(end)) || at(end) == '-')
            ++end;
        markUntil(end, Style::Option);
    }

    void markWord()
    {
        qsizetype end = m_at;
        while (isWord(at(end)))
            ++end;
        const QByteArray word = m_text.mid(m_at, end - m_at);
        const bool assigns = at(end) == '=' || (at(end) == '+' && at(end + 1) == '=');
        const bool alone = atWordStart() && endsWord(at(end));
        if (assigns && atWordStart())
            markUntil(end, Style::Variable);
        else if (alone && keywords().contains(word))
            markUntil(end, Style::Keyword);
        else if (alone && commands().contains(word))
            markUntil(end, Style::Command);
        else
            markUntil(end, Style::Plain);
    }

    const QByteArray& m_text;
    QList<SbatchRun> m_runs;
    QList<Nest> m_nests;
    QList<HereMark> m_pending;
    qsizetype m_at = 0;
    bool m_hadCommand = false;
};

} // namespace

QList<SbatchRun> sbatchRuns(const QByteArray& script) { return Tokenizer(script).run(); }

} // namespace rankwright
