// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/authorspelling.h"

#include "models/core/units.h"
#include "models/script/bash/scriptquoting.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

QString padded(qint64 value, qsizetype width) { return QString::number(value).rightJustified(width, u'0'); }

} // namespace

std::optional<GpuCount> gpuCount(const QString& written)
{
    static const QRegularExpression plain(u"^['\"]?(?:[^:,'\"\\s]*[A-Za-z][^:,'\"\\s]*:)?(\\d+)['\"]?$"_s);
    GpuCount count;
    const auto match = plain.match(written);
    if (!match.hasMatch())
        return std::nullopt;
    count.number = match.captured(1).toLongLong();
    count.begin = match.capturedStart(1);
    count.end = match.capturedEnd(1);
    return count.number > 0 ? std::optional(count) : std::nullopt;
}

std::optional<GpuCount> gresGpuCount(const QString& written)
{
    static const QRegularExpression gres(
        u"(?<![\\w.-])(?:gres/)?gpu(?:[:=][^:=,()'\"\\s]*[A-Za-z][^:=,()'\"\\s]*)?(?:[:=](\\d+))?(?=$|[,('\"\\s])"_s);
    GpuCount count;
    auto all = gres.globalMatch(written);
    if (!all.hasNext())
        return std::nullopt;
    const auto match = all.next();
    if (all.hasNext())
        return std::nullopt;
    if (match.capturedLength(1) > 0) {
        count.number = match.captured(1).toLongLong();
        count.begin = match.capturedStart(1);
        count.end = match.capturedEnd(1);
    } else {
        count.begin = count.end = match.capturedEnd(0);
    }
    return count.number > 0 ? std::optional(count) : std::nullopt;
}

bool isNoLimit(const QString& value)
{
    return value.compare(u"UNLIMITED", Qt::CaseInsensitive) == 0
        || value.compare(u"INFINITE", Qt::CaseInsensitive) == 0;
}

QString timeAsWritten(const QString& written, const QString& time)
{
    static const QRegularExpression form(u"^(?:(\\d+)-)?(\\d+)(?::(\\d+))?(?::(\\d+))?$"_s);
    const auto asked = parseSlurmTime(time);
    if (!asked)
        return time; // UNLIMITED
    const auto match = form.match(written);
    const QString usual = slurmTime(*asked);
    if (!match.hasMatch())
        return usual;
    const qint64 seconds = asked->count;
    qsizetype width = match.capturedLength(2);
    const bool second = match.capturedStart(3) >= 0, third = match.capturedStart(4) >= 0;
    if (match.capturedStart(1) >= 0) {
        const QString days = padded(seconds / 86400, match.capturedLength(1)) + u'-';
        const qint64 rest = seconds % 86400;
        if (third)
            return days + padded(rest / 3600, width) + u':' + padded(rest / 60 % 60, 2) + u':' + padded(rest % 60, 2);
        if (second && rest % 60 == 0)
            return days + padded(rest / 3600, width) + u':' + padded(rest / 60 % 60, 2);
        return !second && rest % 3600 == 0 ? days + padded(rest / 3600, width) : usual;
    }
    if (width > 2 && !match.captured(2).startsWith(u'0'))
        width = 2; // "144:00:00" becomes "72:00:00", not "072:00:00"
    if (third)
        return padded(seconds / 3600, width) + u':' + padded(seconds / 60 % 60, 2) + u':' + padded(seconds % 60, 2);
    if (second)
        return padded(seconds / 60, width) + u':' + padded(seconds % 60, 2);
    return seconds % 60 == 0 ? padded(seconds / 60, width) : usual;
}

QString memoryAsWritten(const QString& written, const QString& memory)
{
    static const QRegularExpression form(u"^\\d+(?:\\.\\d+)?([KkMmGgTt]?)([Bb]?)$"_s);
    const auto asked = parseSlurmMemory(memory);
    const auto match = form.match(written);
    if (!asked)
        return memory;
    if (asked->count == 0)
        return u"0"_s; // all of it, whatever the unit
    const QString unit = match.captured(1);
    const qint64 size = unit.isEmpty() ? qint64(1) << 20 : qint64(1) << (10 * (1 + u"KMGT"_s.indexOf(unit.toUpper())));
    if (!match.hasMatch() || asked->count % size != 0)
        return slurmMemory(*asked);
    return QString::number(asked->count / size) + unit + match.captured(2);
}

QString directiveAsWritten(const QString& written, const QString& value)
{
    const QChar quote = written.size() > 1 ? written.front() : QChar();
    // sbatch cuts a directive into words at blanks, quotes and backslashes, and ends it at "#"; <x> and {y} are plain
    static const QRegularExpression plain(u"^[^\\s\"'\\\\#]+$"_s);
    if (quote != u'"' && quote != u'\'' && plain.match(value).hasMatch() && fitsDirective(value))
        return value;
    const bool keeps = (quote == u'"' || quote == u'\'') && written.back() == quote && !value.contains(quote)
        && !value.contains(u'\\') && fitsDirective(value);
    return keeps ? quote + value + quote : directiveWord(value);
}

} // namespace rankwright::inline script
