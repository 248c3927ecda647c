// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/text/rankreport.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight {

std::optional<RankReport> readRankReport(const QString& line)
{
    if (!line.contains(u"rankwright: rank "_s) || line.size() > 2000)
        return std::nullopt;
    static const QRegularExpression form(
        u"^ {0,8}(?:\\S{1,80}: {0,2}){0,3}rankwright: rank (\\d{1,7}) of (\\d{1,7}) on node ([\\w.:-]{1,255}): cores ([\\d,-]{1,800})"
        "(?:( as planned)| instead of ([\\d,-]{1,800})| \\(planned ([\\d,-]{1,800}), but this node has CPUs [\\d,-]*\\))?"
        ", (?:no device (\\d+) \\(visible: [^)]*\\)|device ([\\w-]+)(?: instead of (\\d+))?)"
        "(?:; other ranks report only what differs)?$"_s);
    const auto match = form.match(line);
    if (!match.hasMatch())
        return std::nullopt;
    RankReport report;
    report.rank = match.captured(1).toInt();
    report.worldSize = match.captured(2).toInt();
    report.node = match.captured(3);
    report.cores = match.captured(4);
    const QString elsewhere = match.captured(7);
    report.comparable = elsewhere.isEmpty();
    report.plannedCores = elsewhere.isEmpty() ? match.captured(6) : elsewhere;
    report.coresPlanned = !match.captured(5).isEmpty() || !report.plannedCores.isEmpty();
    report.device = match.captured(9);
    report.plannedDevice = report.device.isEmpty() ? match.captured(8) : match.captured(10);
    if (report.worldSize < 1 || report.rank >= report.worldSize)
        return std::nullopt;
    return report;
}

QString rankReportText(const RankReport& report)
{
    const QString who = u"Rank %1 on %2 "_s.arg(report.rank).arg(report.node);
    QStringList parts;
    if (report.coresDiffer())
        parts.append(u"is on cores %1 instead of %2"_s.arg(report.cores, report.plannedCores));
    if (report.device.isEmpty())
        parts.append(u"sees no device %1"_s.arg(report.plannedDevice));
    else if (!report.plannedDevice.isEmpty())
        parts.append(u"has device %1 instead of %2"_s.arg(report.device, report.plannedDevice));
    if (!parts.isEmpty())
        return who + parts.join(u" and "_s) + u'.';
    if (!report.comparable)
        return who + u"is on cores %1; the plan, %2, is for other hardware."_s.arg(report.cores, report.plannedCores);
    return report.coresPlanned ? u"Bound as planned."_s
                               : who + u"is on cores %1; none are planned."_s.arg(report.cores);
}

} // namespace rankwright::inline insight
