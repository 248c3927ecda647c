// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/ignorerules.h"

#include "models/cluster/transfer/filenames.h"

#include <QBitArray>

#include <cctype>

namespace rankwright::inline cluster {

namespace {

bool isOfClass(QByteArrayView name, uchar c)
{
    const std::pair<const char*, int (*)(int)> classes[]
        = {{"alnum", std::isalnum}, {"alpha", std::isalpha}, {"blank", std::isblank}, {"cntrl", std::iscntrl},
            {"digit", std::isdigit}, {"graph", std::isgraph}, {"lower", std::islower}, {"print", std::isprint},
            {"punct", std::ispunct}, {"space", std::isspace}, {"upper", std::isupper}, {"xdigit", std::isxdigit}};
    for (const auto& [known, test] : classes) {
        if (name == QByteArrayView(known))
            return c < 0x80 && test(c) != 0;
    }
    return false;
}

/// git's wildmatch with WM_PATHNAME; what failed once is not tried again.
class Glob {
public:
    Glob(QByteArrayView pattern, QByteArrayView path)
        : m_pattern(pattern), m_path(path), m_failed((pattern.size() + 1) * (path.size() + 1))
    { }

    bool matches(qsizetype at, qsizetype in)
    {
        if (m_failed.testBit(key(at, in)))
            return false;
        const bool isMatch = tries(at, in);
        if (!isMatch)
            m_failed.setBit(key(at, in));
        return isMatch;
    }

private:
    qsizetype key(qsizetype at, qsizetype in) const { return at * (m_path.size() + 1) + in; }

    bool tries(qsizetype at, qsizetype in)
    {
        for (; at < m_pattern.size(); ++at, ++in) {
            const char want = m_pattern.at(at);
            if (want == '*')
                return triesStar(at, in);
            if (in >= m_path.size())
                return false;
            const char have = m_path.at(in);
            if (want == '?') {
                if (have == '/')
                    return false;
            } else if (want == '[') {
                const qsizetype end = set(at, uchar(have));
                if (end < 0)
                    return false;
                at = end;
            } else if (want == '\\') {
                if (++at >= m_pattern.size() || m_pattern.at(at) != have)
                    return false;
            } else if (want != have)
                return false;
        }
        return in == m_path.size();
    }

    bool triesStar(qsizetype at, qsizetype in)
    {
        const qsizetype star = at;
        if (m_failed.testBit(key(star, in)))
            return false;
        while (at < m_pattern.size() && m_pattern.at(at) == '*')
            ++at;
        const bool isEnd = at == m_pattern.size();
        const bool spans
            = at - star > 1 && (star == 0 || m_pattern.at(star - 1) == '/') && (isEnd || m_pattern.at(at) == '/');
        if (spans && !isEnd && matches(at + 1, in)) // "**/" may be nothing
            return true;
        if (isEnd)
            return spans || m_path.indexOf('/', in) < 0;
        for (; in <= m_path.size(); ++in) {
            if (matches(at, in))
                return true;
            m_failed.setBit(key(star, in)); // what begins later takes less
            if (in == m_path.size() || (!spans && m_path.at(in) == '/'))
                return false;
        }
        return false;
    }

    /// Where the set that begins at `at` ends, when it holds `c`; -1: it does not, or has no end.
    qsizetype set(qsizetype at, uchar c) const
    {
        qsizetype here = at + 1;
        const bool isNegated = here < m_pattern.size() && (m_pattern.at(here) == '!' || m_pattern.at(here) == '^');
        here += isNegated ? 1 : 0;
        bool isIn = false;
        for (bool isFirst = true;; isFirst = false) {
            if (here >= m_pattern.size())
                return -1;
            auto low = uchar(m_pattern.at(here));
            if (low == ']' && !isFirst)
                break;
            if (low == '[' && here + 1 < m_pattern.size() && m_pattern.at(here + 1) == ':') {
                const qsizetype end = m_pattern.toByteArray().indexOf(":]", here + 2);
                if (end >= 0) {
                    isIn = isIn || isOfClass(m_pattern.sliced(here + 2, end - here - 2), c);
                    here = end + 2;
                    continue;
                }
            }
            if (low == '\\' && ++here < m_pattern.size())
                low = uchar(m_pattern.at(here));
            uchar high = low;
            if (here + 2 < m_pattern.size() && m_pattern.at(here + 1) == '-' && m_pattern.at(here + 2) != ']') {
                here += 2;
                if (m_pattern.at(here) == '\\' && here + 1 < m_pattern.size())
                    ++here;
                high = uchar(m_pattern.at(here));
            }
            isIn = isIn || (low <= c && c <= high);
            ++here;
        }
        return isIn != isNegated && c != '/' ? here : -1;
    }

    QByteArrayView m_pattern;
    QByteArrayView m_path;
    QBitArray m_failed;
};

/// Blanks at the end do not count, unless a backslash is before them.
QByteArray withoutBlanksAtEnd(const QByteArray& line)
{
    qsizetype kept = 0;
    for (qsizetype at = 0; at < line.size(); ++at) {
        if (line.at(at) == '\\' && at + 1 < line.size())
            kept = ++at + 1;
        else if (line.at(at) != ' ')
            kept = at + 1;
    }
    return line.left(kept);
}

} // namespace

bool globMatches(QByteArrayView pattern, QByteArrayView path) { return Glob(pattern, path).matches(0, 0); }

IgnoreRules::IgnoreRules() { m_rules.append({".git", {}, false, false, false}); }

void IgnoreRules::add(const QByteArray& text, const QByteArray& folder)
{
    constexpr char mark[] = "\xef\xbb\xbf";
    const QByteArray prefix = folder.isEmpty() ? QByteArray() : folder + '/';
    const QByteArrayList lines = (text.startsWith(mark) ? text.mid(3) : text).split('\n');
    for (QByteArray line : lines) {
        if (line.endsWith('\r'))
            line.chop(1);
        line = withoutBlanksAtEnd(line);
        if (line.isEmpty() || line.startsWith('#'))
            continue;
        Rule rule;
        rule.folder = prefix;
        rule.isNegated = line.startsWith('!');
        rule.pattern = rule.isNegated ? line.mid(1) : line;
        rule.isFolderOnly = rule.pattern.endsWith('/');
        if (rule.isFolderOnly)
            rule.pattern.chop(1);
        rule.isAnchored = rule.pattern.contains('/');
        if (rule.pattern.startsWith('/'))
            rule.pattern.remove(0, 1);
        if (!rule.pattern.isEmpty())
            m_rules.append(rule);
    }
}

bool IgnoreRules::ignores(const QByteArray& path, FileEntry::Kind kind) const
{
    if (baseOf(path).startsWith(".rankwright-part-"))
        return true; // ours, of a transfer that broke off
    for (auto rule = m_rules.crbegin(); rule != m_rules.crend(); ++rule) {
        if ((rule->isFolderOnly && kind != FileEntry::Kind::Folder) || !path.startsWith(rule->folder))
            continue;
        const QByteArray below = path.mid(rule->folder.size());
        if (globMatches(rule->pattern, rule->isAnchored ? below : baseOf(below)))
            return !rule->isNegated;
    }
    return false;
}

} // namespace rankwright::inline cluster
