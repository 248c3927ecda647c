// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/units.h"

#include <QRegularExpression>
#include <QStringList>

#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline core {

namespace {

constexpr qint64 largestCount = qint64(1) << 62;
constexpr char16_t thinSpace = u'\u2009';

QString shortened(const QString& text) { return text.size() > 40 ? text.left(40) + u"…"_s : text; }

/// 1024^step of the suffix letter, in bytes; a bare number is MiB (sbatch(1), --mem).
double bytesPerUnit(const QString& suffix)
{
    if (suffix.isEmpty())
        return 1048576.0;
    constexpr QStringView letters = u"KMGTP";
    return std::pow(1024.0, static_cast<double>(letters.indexOf(suffix.at(0).toUpper()) + 1));
}

std::optional<qint64> smallInteger(const QString& text)
{
    // 9 digits: the sum of three such fields in seconds stays far from overflow
    if (text.isEmpty() || text.size() > 9)
        return std::nullopt;
    bool good = false;
    const qint64 value = text.toLongLong(&good);
    return good ? std::optional(value) : std::nullopt;
}

Unexpected<Error> notATime(const QString& text)
{
    return fail(Fault::Invalid, u"“"_s + shortened(text) + u"” is not a wall time that Slurm reads"_s, {},
        u"Write minutes, MM:SS, HH:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS, for instance 01:30:00."_s);
}

} // namespace

Result<Bytes> parseSlurmMemory(const QString& text)
{
    static const QRegularExpression form(
        u"^\\s*(\\d{1,19}(?:\\.\\d{1,9})?)\\s*([KMGTP]?)(?:i?B)?\\s*$"_s, QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text);
    if (!match.hasMatch() || (match.captured(2).isEmpty() && text.contains(u'B', Qt::CaseInsensitive))) {
        return fail(Fault::Invalid, u"“"_s + shortened(text) + u"” is not a memory size that Slurm reads"_s, {},
            u"Write a number with K, M, G or T, for instance 60G; a bare number is MiB."_s);
    }
    const double count = match.captured(1).toDouble() * bytesPerUnit(match.captured(2));
    if (count > static_cast<double>(largestCount))
        return fail(Fault::Invalid, u"“"_s + shortened(text) + u"” is more memory than any machine has"_s, {},
            u"Write a number with K, M, G or T, for instance 60G."_s);
    return Bytes{static_cast<qint64>(count)};
}

QString slurmMemory(Bytes bytes)
{
    constexpr qint64 mib = Bytes::mib(1).count;
    constexpr qint64 gib = Bytes::gib(1).count;
    const qint64 count = qMax<qint64>(0, bytes.count);
    if (count % gib == 0)
        return QString::number(count / gib) + u'G';
    return QString::number(count / mib + (count % mib != 0 ? 1 : 0)) + u'M'; // up: the job gets what was asked
}

QString humanBytes(Bytes bytes, int decimals)
{
    static const std::array units{u"B"_s, u"KiB"_s, u"MiB"_s, u"GiB"_s, u"TiB"_s, u"PiB"_s, u"EiB"_s};
    const double half = 0.5 * std::pow(10.0, -decimals);
    double value = static_cast<double>(bytes.count);
    std::size_t unit = 0;
    // "half": 1023.97 MiB would be printed as 1024.0 MiB, so it moves on to 1 GiB
    while (unit + 1 < units.size() && std::abs(value) >= 1024.0 - (unit == 0 ? 0.0 : half)) {
        value /= 1024.0;
        ++unit;
    }
    return humanNumber(value, unit == 0 ? 0 : decimals) + thinSpace + units.at(unit);
}

Result<Seconds> parseSlurmTime(const QString& text)
{
    static const QRegularExpression form(
        u"^\\s*(?:(\\d+)-(\\d+)(?::(\\d+))?(?::(\\d+))?|(\\d+)(?::(\\d+))?(?::(\\d+))?)\\s*$"_s);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return notATime(text);
    QList<qint64> parts;
    for (int i = 1; i <= 7; ++i) {
        if (match.capturedStart(i) < 0)
            continue;
        const auto value = smallInteger(match.captured(i));
        if (!value)
            return notATime(text);
        parts.append(*value);
    }
    qint64 days = 0, hours = 0, minutes = 0, seconds = 0;
    if (match.capturedStart(1) >= 0) {
        days = parts.at(0);
        hours = parts.at(1);
        minutes = parts.value(2, 0);
        seconds = parts.value(3, 0);
    } else if (parts.size() == 3) {
        hours = parts.at(0);
        minutes = parts.at(1);
        seconds = parts.at(2);
    } else { // a single number is minutes, two are minutes and seconds
        minutes = parts.at(0);
        seconds = parts.value(1, 0);
    }
    return Seconds{((days * 24 + hours) * 60 + minutes) * 60 + seconds};
}

QString slurmTime(Seconds seconds)
{
    const qint64 count = qMax<qint64>(0, seconds.count);
    const qint64 days = count / 86400;
    const auto two = [](qint64 value) { return QString::number(value).rightJustified(2, u'0'); };
    const QString clock = two(count / 3600 % 24) + u':' + two(count / 60 % 60) + u':' + two(count % 60);
    return days > 0 ? QString::number(days) + u'-' + clock : clock;
}

QString humanDuration(Seconds seconds)
{
    const bool negative = seconds.count < 0;
    const qint64 count = negative ? -qMax(seconds.count, -largestCount) : seconds.count;
    const auto part
        = [](qint64 value, const QString& unit) -> QString { return humanNumber(double(value), 0) + thinSpace + unit; };
    const qint64 hours = count / 3600;
    const qint64 minutes = count / 60 % 60;
    QStringList parts;
    if (hours >= 48 && (count % 86400 == 0 || hours >= 96)) {
        parts.append(part(hours / 24, u"days"_s));
        if (hours % 24 != 0)
            parts.append(part(hours % 24, u"h"_s));
    } else if (hours > 0) {
        parts.append(part(hours, u"h"_s));
        if (minutes != 0)
            parts.append(part(minutes, u"min"_s));
    } else if (minutes > 0) {
        parts.append(part(minutes, u"min"_s));
        if (count % 60 != 0)
            parts.append(part(count % 60, u"s"_s));
    } else {
        parts.append(part(count, u"s"_s));
    }
    return (negative ? u"−"_s : QString()) + parts.join(u' ');
}

QString humanNumber(double value, int decimals)
{
    if (!std::isfinite(value))
        return u"–"_s;
    QString digits = QString::number(std::abs(value), 'f', qBound(0, decimals, 12));
    if (digits.contains(u'.')) {
        while (digits.endsWith(u'0'))
            digits.chop(1);
        if (digits.endsWith(u'.'))
            digits.chop(1);
    }
    const qsizetype point = digits.indexOf(u'.');
    for (qsizetype at = (point < 0 ? digits.size() : point) - 3; at > 0; at -= 3)
        digits.insert(at, thinSpace);
    return (value < 0 && digits != u"0"_s ? u"−"_s : QString()) + digits;
}

} // namespace rankwright::inline core
