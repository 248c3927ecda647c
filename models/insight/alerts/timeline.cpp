// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/timeline.h"

#include <QSet>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

/// The same alert reported with newer figures keeps its key; another group of GPUs is another alert.
QString keyOf(const Alert& alert)
{
    QString key = alert.kind + u'|' + alert.nodes.join(u',');
    if (!alert.gpus.isEmpty())
        key += u"|%1.%2"_s.arg(alert.gpus.first().node).arg(alert.gpus.first().gpu);
    return key;
}

} // namespace

void Timeline::insert(const Entry& entry)
{
    const auto place = std::upper_bound(m_entries.begin(), m_entries.end(), entry.mark.fromMs,
        [](qint64 ms, const Entry& one) { return ms < one.mark.fromMs; });
    m_entries.insert(place, entry);
    if (m_entries.size() > mostMarks)
        m_entries.removeFirst();
}

void Timeline::addState(const QString& text, qint64 atMs)
{
    if (atMs > 0)
        insert({{}, {TimelineMark::Kind::State, Alert::Level::Normal, atMs, atMs, text}});
}

void Timeline::add(const TimelineMark& mark) { insert({{}, mark}); }

void Timeline::setAlerts(const QList<Alert>& alerts, qint64 nowMs)
{
    QSet<QString> standing;
    for (const Alert& alert : alerts) {
        if (alert.level == Alert::Level::Normal)
            continue;
        const QString key = keyOf(alert);
        standing.insert(key);
        const auto known = std::find_if(m_entries.begin(), m_entries.end(),
            [&key](const Entry& entry) { return entry.key == key && entry.mark.toMs == 0; });
        if (known == m_entries.end()) {
            insert({key, {TimelineMark::Kind::Alert, alert.level, alert.sinceMs.value_or(nowMs), 0, alert.title}});
        } else {
            known->mark.level = std::max(known->mark.level, alert.level);
            known->mark.text = alert.title;
        }
    }
    for (Entry& entry : m_entries) {
        if (entry.mark.kind == TimelineMark::Kind::Alert && entry.mark.toMs == 0 && !standing.contains(entry.key))
            entry.mark.toMs = std::max(nowMs, entry.mark.fromMs + 1);
    }
}

QList<TimelineMark> Timeline::marks() const
{
    QList<TimelineMark> marks;
    for (const Entry& entry : m_entries)
        marks.append(entry.mark);
    return marks;
}

} // namespace rankwright::inline insight
