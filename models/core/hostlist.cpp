// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/hostlist.h"

#include <optional>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

constexpr int mostDigits = 18; // fits qint64

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

/// What is in one pair of brackets: "001-003,7" -> 001 002 003 7. An empty list: bad range or more than `room`.
QStringList expandRanges(const QString& inside, qsizetype room)
{
    QStringList texts;
    const QStringList ranges = inside.split(u',');
    for (const QString& range : ranges) {
        const QString low = range.section(u'-', 0, 0);
        const QString high = range.contains(u'-') ? range.section(u'-', 1) : low;
        const auto first = numberOf(low);
        const auto last = numberOf(high);
        if (!first || !last || *last < *first || *last - *first >= room - texts.size())
            return {};
        for (qint64 n = *first; n <= *last; ++n)
            texts.append(QString::number(n).rightJustified(low.size(), u'0'));
    }
    return texts;
}

/// All names of one comma-free piece such as "r[1-2]n[01-04]".
Result<QStringList> expandName(const QString& name, qsizetype room)
{
    QStringList names{QString()};
    for (qsizetype at = 0; at < name.size();) {
        const bool bracket = name.at(at) == u'[';
        const qsizetype found = name.indexOf(bracket ? u']' : u'[', at);
        const qsizetype end = found < 0 ? name.size() : found;
        const QStringList parts
            = bracket ? expandRanges(name.mid(at + 1, end - at - 1), room) : QStringList{name.mid(at, end - at)};
        if (parts.isEmpty())
            return broken(name, u"a range is wrong, or it names more hosts than can be"_s);
        if (parts.size() > room / names.size())
            return broken(name, u"it names more hosts than can be"_s);
        QStringList longer;
        for (const QString& head : std::as_const(names)) {
            for (const QString& tail : parts)
                longer.append(head + tail);
        }
        names = longer;
        at = bracket ? end + 1 : end;
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
    const QString trimmed = text.trimmed();
    QStringList hosts;
    if (trimmed.isEmpty())
        return hosts;
    const auto names = splitNames(trimmed);
    if (!names)
        return broken(text, u"its brackets do not match"_s);
    for (const QString& name : *names) {
        if (name.isEmpty())
            return broken(text, u"a name is empty"_s);
        auto expanded = expandName(name, limit - hosts.size());
        if (!expanded)
            return fail(expanded.error());
        hosts += *expanded;
    }
    return hosts;
}

QString foldHostlist(const QStringList& hosts)
{
    QList<Group> groups;
    for (const QString& host : hosts) {
        qsizetype at = host.size();
        while (at > 0 && host.size() - at < mostDigits && host.at(at - 1) >= u'0' && host.at(at - 1) <= u'9')
            --at;
        const QString prefix = host.left(at);
        const QString digits = host.mid(at);
        const auto same = std::find_if(groups.begin(), groups.end(),
            [&](const Group& group) { return group.prefix == prefix && !group.digits.first().isEmpty(); });
        if (same != groups.end() && !digits.isEmpty())
            same->digits.append(digits);
        else
            groups.append({prefix, {digits}});
    }
    QStringList folded;
    for (const Group& group : std::as_const(groups))
        folded.append(foldGroup(group));
    return folded.join(u',');
}

} // namespace rankwright
