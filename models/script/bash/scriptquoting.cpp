// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/scriptquoting.h"

#include "models/core/harmlesstext.h"
#include "models/core/shellquote.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

bool isControl(QChar c) { return c.unicode() < 0x20 || c.unicode() == 0x7f; }

bool isBlank(QChar c) { return c == u' ' || c == u'\t' || c == u'\n' || c == u'\r'; }

/// Reads one command text; a class only to keep the position and the word in hand between the quote forms.
class WordSplitter {
public:
    explicit WordSplitter(const QString& text) : m_text(text) { }

    Result<QStringList> split()
    {
        while (m_at < m_text.size()) {
            const QChar c = m_text.at(m_at++);
            bool closed = true;
            if (isBlank(c))
                endWord();
            else if (c == u'\'')
                closed = readSingleQuoted();
            else if (c == u'"')
                closed = readDoubleQuoted();
            else if (c == u'\\')
                closed = readEscaped();
            else
                add(c);
            if (!closed)
                return unbalanced(c);
        }
        endWord();
        return m_words;
    }

private:
    void add(QChar c)
    {
        m_inWord = true;
        if (!c.isNull())
            m_word += c;
    }

    void endWord()
    {
        if (m_inWord)
            m_words.append(m_word);
        m_word.clear();
        m_inWord = false;
    }

    bool readSingleQuoted()
    {
        m_opened = m_at;
        m_inWord = true;
        while (m_at < m_text.size()) {
            const QChar c = m_text.at(m_at++);
            if (c == u'\'')
                return true;
            add(c);
        }
        return false;
    }

    bool readDoubleQuoted()
    {
        m_opened = m_at;
        m_inWord = true;
        while (m_at < m_text.size()) {
            const QChar c = m_text.at(m_at++);
            if (c == u'"')
                return true;
            if (c == u'\\' && m_at < m_text.size() && u"\\\"$`\n"_s.contains(m_text.at(m_at))) {
                if (m_text.at(m_at) != u'\n')
                    add(m_text.at(m_at));
                ++m_at;
            } else {
                add(c);
            }
        }
        return false;
    }

    bool readEscaped()
    {
        m_opened = m_at;
        if (m_at >= m_text.size())
            return false;
        const QChar c = m_text.at(m_at++);
        if (c != u'\n') // a backslash at the end of a line joins the lines
            add(c);
        return true;
    }

    Result<QStringList> unbalanced(QChar opener) const
    {
        const QString what = opener == u'\\' ? u"The command ends in a lone backslash"_s
                                             : u"The command has an unbalanced %1 quote"_s.arg(opener);
        return fail(Fault::Invalid, what, u"opened at character %1"_s.arg(m_opened),
            u"close the quote, or put a backslash before it"_s);
    }

    const QString& m_text;
    qsizetype m_at = 0;
    qsizetype m_opened = 0;
    QString m_word;
    bool m_inWord = false;
    QStringList m_words;
};

QString escapedControl(QChar c)
{
    switch (c.unicode()) {
    case u'\n': return u"\\n"_s;
    case u'\r': return u"\\r"_s;
    case u'\t': return u"\\t"_s;
    default: return u"\\"_s + QString::number(c.unicode(), 8).rightJustified(3, u'0');
    }
}

/// Whether a text can be between double quotes and stay one word: brackets of $( ) and ${ } closed, quotes only in
/// pairs inside $( ), nothing that escapes.
bool isExpandable(const QString& text)
{
    QString open; // brackets still open, innermost last
    int quotes = 0;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar c = text.at(at);
        if (isControl(c) || c.isNull() || c == u'\\' || c == u'`' || (c == u'"' && open.isEmpty()))
            return false;
        const bool afterDollar = at > 0 && text.at(at - 1) == u'$';
        if ((c == u'(' && (afterDollar || !open.isEmpty())) || (c == u'{' && afterDollar))
            open += c == u'(' ? u')' : u'}';
        else if (!open.isEmpty() && c == open.back())
            open.chop(1);
        quotes += c == u'"';
    }
    return open.isEmpty() && quotes % 2 == 0;
}

} // namespace

Result<QStringList> splitShellWords(const QString& text) { return WordSplitter(text).split(); }

QString scriptWord(const QString& word)
{
    const auto needsAnsi = [](QChar c) { return !c.isNull() && isControl(c); };
    if (std::none_of(word.cbegin(), word.cend(), needsAnsi))
        return shellQuote(word);
    QString quoted = u"$'"_s;
    for (const QChar c : word) {
        if (c.isNull())
            continue;
        if (isControl(c))
            quoted += escapedControl(c);
        else if (c == u'\'' || c == u'\\')
            quoted += QString(u'\\') + c;
        else
            quoted += c;
    }
    return quoted + u'\'';
}

QString scriptWords(const QStringList& words)
{
    QStringList quoted;
    for (const QString& word : words)
        quoted.append(scriptWord(word));
    return quoted.join(u' ');
}

QString scriptPath(const QString& path)
{
    return path.startsWith(u"~/"_s) && path.size() > 2 ? u"~/"_s + scriptWord(path.mid(2)) : scriptWord(path);
}

QString expandingWord(const QString& text) { return isExpandable(text) ? u'"' + text + u'"' : scriptWord(text); }

bool fitsDirective(const QString& value) { return std::none_of(value.cbegin(), value.cend(), isControl); }

QString directiveWord(const QString& value)
{
    static const QRegularExpression harmless(u"^[A-Za-z0-9_@%+=:,./-]+$"_s);
    QString kept;
    for (const QChar c : value) {
        if (!isControl(c))
            kept += c;
    }
    if (harmless.match(kept).hasMatch())
        return kept;
    QString quoted = u"\""_s;
    for (const QChar c : std::as_const(kept)) {
        if (c == u'"' || c == u'\\')
            quoted += u'\\';
        quoted += c;
    }
    return quoted + u'"';
}

QString safeJobName(const QString& name)
{
    static const QRegularExpression others(u"[^A-Za-z0-9._-]+"_s);
    static const QRegularExpression edges(u"^[-.]+|-+$"_s);
    QString plain; // accents go, letters stay: "größe" and "modèle" remain readable
    for (const QChar c : name.normalized(QString::NormalizationForm_KD)) {
        if (!c.isMark())
            plain += c;
    }
    plain.replace(others, u"-"_s);
    plain.remove(edges);
    plain = plain.left(60);
    return plain.isEmpty() ? u"rankwright"_s : plain;
}

QString commentText(const QString& text, int limit)
{
    QString kept;
    for (const QChar c : text)
        kept += isHarmful(c) ? u' ' : c;
    kept = kept.simplified();
    return kept.size() > limit ? kept.left(limit - 1) + u'…' : kept;
}

bool isExportableName(const QString& name)
{
    static const QRegularExpression valid(u"^[A-Za-z_][A-Za-z0-9_]*$"_s, QRegularExpression::DontCaptureOption);
    static const QRegularExpression kept(
        u"^(UID|EUID|PPID|SHELLOPTS|BASHOPTS|_|GROUPS|FUNCNAME|DIRSTACK|S?RANDOM|SECONDS|LINENO|HISTCMD|"
        "EPOCH(SECONDS|REALTIME)|BASH|BASHPID|BASH_(?!ENV$).*)$"_s);
    // "$" also matches before a final newline.
    return !name.endsWith(u'\n') && valid.match(name).hasMatch() && !kept.match(name).hasMatch();
}

} // namespace rankwright::inline script
