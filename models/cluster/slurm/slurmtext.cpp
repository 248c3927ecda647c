// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/slurmtext.h"

#include "models/core/hostlist.h"

#include <QRegularExpression>
#include <QTimeZone>

#include <array>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<QStringView, 7> wordsForNothing{
    u"N/A",
    u"n/a",
    u"(null)",
    u"Unknown",
    u"None",
    u"None assigned",
    u"NONE",
};

struct GpuEntry {
    bool typed = false;
    int count = 0;
    QString text;
};

/// Commas inside brackets ("(IDX:0-1,4)") do not separate.
QStringList splitResources(const QString& resources)
{
    QStringList parts;
    QString part;
    int depth = 0;
    for (const QChar symbol : resources) {
        depth += symbol == u'(' ? 1 : symbol == u')' ? -1 : 0;
        if (symbol == u',' && depth <= 0) {
            parts.append(part);
            part.clear();
        } else {
            part += symbol;
        }
    }
    parts.append(part);
    return parts;
}

QList<GpuEntry> gpuEntries(const QString& resources)
{
    // gres/gpu=4  gres/gpu:mi250=4  gres:gpu:2  gpu:a100:4(S:0-1)  gpu
    static const QRegularExpression form(
        uR"(^\s*(?:gres[:/])?gpu(?::([A-Za-z_][^:=(]*))?(?:[:=](\d{1,9}))?(?:\(.*\))?\s*$)"_s);
    QList<GpuEntry> entries;
    for (const QString& part : splitResources(resources)) {
        const auto match = form.match(part);
        if (!match.hasMatch())
            continue;
        const QString count = match.captured(2);
        entries.append({!match.captured(1).isEmpty(), count.isEmpty() ? 1 : count.toInt(), part.trimmed()});
    }
    return entries;
}

} // namespace

QString slurmCell(const QByteArray& cell)
{
    QString text = QString::fromUtf8(cell).trimmed();
    for (QStringView nothing : wordsForNothing) {
        if (text == nothing)
            return {};
    }
    return text;
}

std::optional<Seconds> slurmSpan(const QString& text)
{
    // seconds may carry a fraction in some columns ("00:00.123"), which is not of interest
    static const QRegularExpression clock(uR"(^(\d+-)?\d+(:\d+){1,2}(\.\d+)?$)"_s);
    const QString trimmed = text.trimmed();
    if (!clock.match(trimmed).hasMatch())
        return {};
    const Result<Seconds> span = parseSlurmTime(trimmed.section(u'.', 0, 0));
    return span ? std::optional<Seconds>(*span) : std::nullopt;
}

QDateTime slurmTimestamp(const QString& text)
{
    static const QRegularExpression form(uR"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$)"_s);
    const QString trimmed = text.trimmed();
    if (!form.match(trimmed).hasMatch())
        return {};
    QDateTime time = QDateTime::fromString(trimmed, Qt::ISODate);
    time.setTimeSpec(Qt::UTC);
    return time;
}

std::optional<int> slurmCount(const QString& text)
{
    bool fine = false;
    const int count = text.trimmed().toInt(&fine);
    return fine && count >= 0 ? std::optional<int>(count) : std::nullopt;
}

ExitPair slurmExit(const QString& text)
{
    const QStringList parts = text.trimmed().split(u':');
    if (parts.size() != 2)
        return {};
    return {slurmCount(parts.at(0)), slurmCount(parts.at(1))};
}

std::optional<int> gpusIn(const QString& resources)
{
    const QList<GpuEntry> entries = gpuEntries(resources);
    if (entries.isEmpty())
        return {};
    // A list of trackable resources names the total beside the types: counted once.
    qint64 typed = 0, plain = 0;
    bool hasPlain = false;
    for (const GpuEntry& entry : entries) {
        (entry.typed ? typed : plain) += entry.count;
        hasPlain = hasPlain || !entry.typed;
    }
    return static_cast<int>(qMin<qint64>(hasPlain ? plain : typed, 1000000000));
}

QString gpuPart(const QString& resources)
{
    QStringList texts;
    for (const GpuEntry& entry : gpuEntries(resources))
        texts.append(entry.text);
    return texts.join(u',');
}

NodeList slurmNodeList(const QString& text)
{
    // "(Priority)" is here while a job waits in some outputs
    return text.isEmpty() || text.startsWith(u'(') ? NodeList() : NodeList::fromSlurm(text);
}

QStringList slurmNodes(const QString& text) { return slurmNodeList(text).names(); }

} // namespace rankwright::inline cluster
