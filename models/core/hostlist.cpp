// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/hostlist.h"

#include <QHash>

#include <optional>

using namespace Qt::StringLiterals;

namespace rankwright::inline core {

namespace {

constexpr int mostDigits = 18; // fits qint64
constexpr qsizetype longestName = 255; // RFC 1035: 255 octets of a domain name
constexpr qint64 mostCharacters = 8 << 20; // 100,000 names of 80 characters

Unexpected<Error> broken(const QString& text, const QString& why)
{
    return fail(Fault::Unreadable, u"The node list cannot be read: "_s + why, text.left(200));
}

/// Splits at commas that are outside brackets; empty when brackets do not match.
std::optional<QStringList> splitNames(const QString& text)
{
    QStringList names;
    QString name;
    bool inside = false;
    for (const QChar c : text) {
        if ((c == u'[') == inside && (c == u'[' || c == u']'))
            return std::nullopt;
        if (c == u'[' || c == u']')
            inside = !inside;
        if (c == u',' && !inside) {
            names.append(name);
            name.clear();
        } else {
            name.append(c);
        }
    }
    if (inside)
        return std::nullopt;
    names.append(name);
    return names;
}

std::optional<qint64> numberOf(const QString& digits)
{
    if (digits.isEmpty() || digits.size() > mostDigits)
        return std::nullopt;
    for (const QChar c : digits) {
        if (c < u'0' || c > u'9')
            return std::nullopt;
    }
    return digits.toLongLong();
}

/// One range of a pair of brackets, "001-003".
struct Range {
    qint64 first = 0;
    qint64 last = 0;
    qsizetype width = 0;
    qint64 size() const { return last - first + 1; }
};

/// A fixed text, or the ranges of one pair of brackets.
struct Part {
    QString text;
    QList<Range> ranges;
    qint64 count = 1;
    qsizetype longest = 0; ///< characters
};

/// One comma-free piece such as "r[1-2]n[01-04]".
struct Piece {
    QList<Part> parts;
    qint64 count = 1;
    qsizetype longest = 0; ///< characters of its longest name
};

/// Empty: a bad range, or more than `room`.
std::optional<Part> readRanges(const QString& inside, qsizetype room)
{
    Part part;
    part.count = 0;
    for (const QString& text : inside.split(u',')) {
        const QString low = text.section(u'-', 0, 0);
        const QString high = text.contains(u'-') ? text.section(u'-', 1) : low;
        const auto first = numberOf(low);
        const auto last = numberOf(high);
        if (!first || !last || *last < *first || *last - *first >= room - part.count)
            return std::nullopt;
        part.ranges.append({*first, *last, low.size()});
        part.count += part.ranges.last().size();
        part.longest = qMax(part.longest, qMax(low.size(), high.size()));
    }
    return part;
}

Result<Piece> readPiece(const QString& name, qsizetype room)
{
    Piece piece;
    for (qsizetype at = 0; at < name.size();) {
        const bool bracket = name.at(at) == u'[';
        const qsizetype found = name.indexOf(bracket ? u']' : u'[', at);
        const qsizetype end = found < 0 ? name.size() : found;
        Part part;
        if (bracket) {
            const auto ranges = readRanges(name.mid(at + 1, end - at - 1), room);
            if (!ranges)
                return broken(name, u"a range is wrong, or it names more hosts than can be"_s);
            part = *ranges;
        } else {
            part.text = name.mid(at, end - at);
            part.longest = part.text.size();
        }
        if (part.count > room / piece.count)
            return broken(name, u"it names more hosts than can be"_s);
        piece.count *= part.count;
        piece.longest += part.longest;
        if (piece.longest > longestName)
            return broken(name, u"a name is longer than any host's"_s);
        piece.parts.append(part);
        at = bracket ? end + 1 : end;
    }
    return piece;
}

Result<QList<Piece>> readPieces(const QString& text, int limit)
{
    const QString trimmed = text.trimmed();
    QList<Piece> pieces;
    if (trimmed.isEmpty())
        return pieces;
    if (trimmed.size() > mostCharacters)
        return broken(text, u"it is longer than any cluster's"_s);
    const auto names = splitNames(trimmed);
    if (!names)
        return broken(text, u"its brackets do not match"_s);
    qint64 hosts = 0;
    qint64 characters = 0;
    for (const QString& name : *names) {
        if (name.isEmpty())
            return broken(text, u"a name is empty"_s);
        const auto piece = readPiece(name, limit - hosts);
        if (!piece)
            return fail(piece.error());
        hosts += piece->count;
        characters += piece->count * piece->longest;
        if (hosts > limit || characters > mostCharacters)
            return broken(text, u"it names more hosts than can be"_s);
        pieces.append(*piece);
    }
    return pieces;
}

QStringList expandPiece(const Piece& piece)
{
    QStringList names{QString()};
    for (const Part& part : piece.parts) {
        QStringList tails;
        if (part.ranges.isEmpty())
            tails.append(part.text);
        for (const Range& range : part.ranges) {
            for (qint64 n = range.first; n <= range.last; ++n)
                tails.append(QString::number(n).rightJustified(range.width, u'0'));
        }
        QStringList longer;
        longer.reserve(names.size() * tails.size());
        for (const QString& head : std::as_const(names)) {
            for (const QString& tail : std::as_const(tails))
                longer.append(head + tail);
        }
        names = longer;
    }
    return names;
}

/// The hosts of one prefix, folded run by run.
struct Group {
    QString prefix;
    QStringList digits;
};

QString foldGroup(const Group& group)
{
    QStringList runs;
    qsizetype at = 0;
    while (at < group.digits.size()) {
        const QString first = group.digits.at(at);
        const qint64 start = first.toLongLong();
        qsizetype end = at + 1;
        while (end < group.digits.size()
            && group.digits.at(end) == QString::number(start + (end - at)).rightJustified(first.size(), u'0'))
            ++end;
        runs.append(end - at == 1 ? first : first + u'-' + group.digits.at(end - 1));
        at = end;
    }
    if (group.digits.size() == 1)
        return group.prefix + group.digits.first();
    return group.prefix + u'[' + runs.join(u',') + u']';
}

} // namespace

Result<QStringList> expandHostlist(const QString& text, int limit)
{
    const auto pieces = readPieces(text, limit);
    if (!pieces)
        return fail(pieces.error());
    QStringList hosts;
    for (const Piece& piece : *pieces)
        hosts += expandPiece(piece);
    return hosts;
}

Result<int> countHostlist(const QString& text, int limit)
{
    const auto pieces = readPieces(text, limit);
    if (!pieces)
        return fail(pieces.error());
    qint64 hosts = 0;
    for (const Piece& piece : *pieces)
        hosts += piece.count;
    return int(hosts);
}

QString foldHostlist(const QStringList& hosts)
{
    QList<Group> groups;
    QHash<QString, qsizetype> numbered; // prefix -> its group
    for (const QString& host : hosts) {
        qsizetype at = host.size();
        while (at > 0 && host.size() - at < mostDigits && host.at(at - 1) >= u'0' && host.at(at - 1) <= u'9')
            --at;
        const QString prefix = host.left(at);
        const QString digits = host.mid(at);
        if (digits.isEmpty()) {
            groups.append({prefix, {digits}});
        } else if (const auto same = numbered.constFind(prefix); same != numbered.cend()) {
            groups[*same].digits.append(digits);
        } else {
            numbered.insert(prefix, groups.size());
            groups.append({prefix, {digits}});
        }
    }
    QStringList folded;
    for (const Group& group : std::as_const(groups))
        folded.append(foldGroup(group));
    return folded.join(u',');
}

} // namespace rankwright::inline core
