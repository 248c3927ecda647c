// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

bool isUnit(QStringView text)
{
    static const QStringList units{u"%"_s, u"w"_s, u"c"_s, u"°c"_s, u"b"_s, u"kb"_s, u"kib"_s, u"mb"_s, u"mib"_s,
        u"gb"_s, u"gib"_s, u"mhz"_s, u"mw"_s};
    return text.isEmpty() || units.contains(text.toString().toLower());
}

} // namespace

std::optional<Quantity> quantity(QStringView cell)
{
    cell = cell.trimmed();
    if (cell.startsWith(u'(') && cell.endsWith(u')'))
        cell = cell.mid(1, cell.size() - 2).trimmed();
    qsizetype at = cell.startsWith(u'-') ? 1 : 0;
    const qsizetype first = at;
    bool point = false;
    while (at < cell.size() && at < 40) {
        const QChar sign = cell.at(at);
        const bool mark = (sign == u'.' || sign == u',') && !point && at > first && at + 1 < cell.size()
            && cell.at(at + 1) >= u'0' && cell.at(at + 1) <= u'9';
        if (!mark && (sign < u'0' || sign > u'9'))
            break;
        point = point || mark;
        ++at;
    }
    const QStringView unit = cell.mid(at).trimmed();
    if (at == first || !isUnit(unit))
        return {};
    bool fine = false;
    const double value = cell.left(at).toString().replace(u',', u'.').toDouble(&fine);
    return fine ? std::optional<Quantity>(Quantity{value, unit.toString().toLower()}) : std::nullopt;
}

std::optional<double> number(QStringView cell)
{
    const auto read = quantity(cell);
    return read ? std::optional<double>(read->value) : std::nullopt;
}

std::optional<double> watts(QStringView cell)
{
    const auto read = number(cell);
    return read && *read > 0 ? read : std::nullopt;
}

std::optional<qint64> count(QStringView cell)
{
    constexpr double most = double(qint64(1) << 48); // as in the lines of the sampler
    const auto read = number(cell);
    return read && *read >= 0 && *read <= most ? std::optional(qint64(*read)) : std::nullopt;
}

std::optional<qint64> bytes(QStringView cell, double bareUnit)
{
    const auto read = quantity(cell);
    if (!read || read->value < 0)
        return {};
    const QString& unit = read->unit;
    const double factor = unit == u"b" ? 1
        : unit.startsWith(u'k')        ? 1024
        : unit.startsWith(u'm')        ? mebibyte
        : unit.startsWith(u'g')        ? mebibyte * 1024
                                       : bareUnit;
    const double value = read->value * factor;
    return value < 1e18 ? std::optional<qint64>(qRound64(value)) : std::nullopt;
}

bool isErrorCell(QStringView cell)
{
    static const QStringList errors{u"err!"_s, u"[unknown error]"_s, u"unknown error"_s, u"[gpu is lost]"_s,
        u"gpu is lost"_s, u"[gpu requires reset]"_s, u"gpu requires reset"_s, u"unsupported"_s, u"[not found]"_s,
        u"[err!]"_s};
    return errors.contains(cell.trimmed().toString().toLower());
}

void addThrottle(ToolDevice& device, const QString& reason)
{
    if (!device.throttle)
        device.throttle.emplace();
    if (!reason.isEmpty() && !device.throttle->contains(reason))
        device.throttle->append(reason);
}

QStringList words(QStringView line)
{
    QStringList all;
    qsizetype begin = -1;
    for (qsizetype at = 0; at <= line.size(); ++at) {
        const bool blank = at == line.size() || line.at(at).isSpace();
        if (!blank && begin < 0)
            begin = at;
        if (blank && begin >= 0) {
            all.append(line.mid(begin, at - begin).toString());
            begin = -1;
        }
    }
    return all;
}

QStringList csvCells(const QString& line)
{
    QStringList cells(1);
    bool quoted = false;
    for (const QChar sign : line) {
        if (sign == u'"')
            quoted = !quoted;
        else if (sign == u',' && !quoted)
            cells.append(QString());
        else
            cells.last().append(sign);
    }
    return cells;
}

} // namespace rankwright::inline insight::toolreading
