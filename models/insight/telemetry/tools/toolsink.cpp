// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolsink.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

constexpr qsizetype mostRemarks = 100;
constexpr qsizetype longestRemark = 500;

bool hasNothing(const ToolDevice& device)
{
    return !device.utilizationPercent && !device.memoryUsedBytes && !device.powerWatts && !device.temperatureCelsius;
}

/// AMD only: two neighbours of which one alone reports power are the dies of one package (MI250X), where at least one
/// die says so or all pairs of the node look like that.
void pairDies(QList<ToolDevice>& devices)
{
    QList<std::pair<int, int>> pairs;
    bool said = false;
    for (int i = 0; i + 1 < devices.size(); ++i) {
        const ToolDevice& one = devices.at(i);
        const ToolDevice& other = devices.at(i + 1);
        bool fine = false;
        const int id = one.id.toInt(&fine);
        if (!fine || id % 2 != 0 || other.id != QString::number(id + 1)
            || one.powerWatts.has_value() == other.powerWatts.has_value())
            continue;
        const ToolDevice& silent = one.powerWatts ? other : one;
        if (!silent.secondaryDie && hasNothing(silent))
            continue; // a device that reports nothing at all has another reason
        said = said || one.secondaryDie || other.secondaryDie;
        pairs.append({i, id / 2});
    }
    if (pairs.isEmpty() || (!said && pairs.size() * 2 != devices.size()))
        return;
    for (const auto& [first, package] : std::as_const(pairs)) {
        for (int die = first; die < first + 2; ++die) {
            devices[die].package = package;
            devices[die].secondaryDie = !devices[die].powerWatts;
        }
    }
}

} // namespace

void ToolSink::recognised(const char* tool, const char* format)
{
    m_amd = qstrcmp(tool, "nvidia-smi") != 0 && qstrcmp(tool, "dcgmi") != 0;
    m_reading.tool = QLatin1String(tool);
    m_reading.format = QLatin1String(format);
}

void ToolSink::device(const ToolDevice& device)
{
    if (m_openIds.contains(device.id))
        endTick();
    if (m_open.devices.isEmpty())
        ++m_begun;
    m_open.devices.append(device);
    m_openIds.insert(device.id);
}

void ToolSink::inOrder(const ToolDevice& device, int number)
{
    if (m_lastNumber && number <= *m_lastNumber) // a GPU may be missing from a tick: the numbers start again
        endTick();
    this->device(device);
    m_lastNumber = number;
}

void ToolSink::endTick(bool complete)
{
    m_lastNumber.reset();
    m_openIds.clear();
    if (m_open.devices.isEmpty())
        return;
    m_open.node = m_node;
    m_open.complete = complete;
    m_ticks.append(std::exchange(m_open, {}));
}

void ToolSink::warn(const QString& tag)
{
    if (tag == u"user_not_in_render_group")
        m_groupRemark = tag;
    if (!m_reading.warnings.contains(tag) && m_reading.warnings.size() < mostRemarks)
        m_reading.warnings.append(tag);
}

void ToolSink::fault(const char* faultClass, const QString& text)
{
    m_faulty = true;
    const ToolFault found{QLatin1String(faultClass), text.left(longestRemark), m_node};
    if (!m_reading.faults.contains(found) && m_reading.faults.size() < mostRemarks)
        m_reading.faults.append(found);
}

void ToolSink::ignore(const QString& line)
{
    const QString text = line.left(longestRemark).trimmed();
    if (text.isEmpty())
        return;
    m_lastUnknown = text;
    if (m_reading.ignored.size() < mostRemarks)
        m_reading.ignored.append(text);
}

void ToolSink::closeCut()
{
    if (m_cut)
        endOpenTick();
}

void ToolSink::endOpenTick()
{
    if (m_open.devices.isEmpty())
        return;
    // An open last tick is complete when it reaches as far as the one before it.
    const bool reaches = m_ticks.isEmpty() ? !m_cut : m_open.devices.last().id == m_ticks.last().devices.last().id;
    endTick(reaches);
}

void ToolSink::finish()
{
    endOpenTick();
    finishDevices();
    if (m_ticks.isEmpty() && !m_faulty && !m_understood) {
        if (!m_groupRemark.isEmpty())
            fault("permission", u"The user may not open the GPUs: not in the groups render and video."_s);
        else
            fault("no_data", m_lastUnknown.isEmpty() ? u"The tool printed nothing."_s : m_lastUnknown);
    }
    m_reading.ticks += m_ticks;
}

void ToolSink::finishDevices()
{
    constexpr qsizetype mostSeen = 4096;
    QStringList seen; // in the order in which they came
    QSet<QString> known;
    for (ToolTick& tick : m_ticks) {
        if (m_amd)
            pairDies(tick.devices);
        for (const ToolDevice& device : std::as_const(tick.devices)) {
            if (device.unreadable && hasNothing(device))
                warn(u"device_unreadable:"_s + device.id);
            if (device.powerWatts && *device.powerWatts < 10 && device.utilizationPercent.value_or(0) >= 50)
                warn(u"implausible_power"_s); // known driver faults: 1 W at full load
            if (seen.size() < mostSeen && !known.contains(device.id)) {
                known.insert(device.id);
                seen.append(device.id);
            }
        }
    }
    const auto newest
        = std::find_if(m_ticks.crbegin(), m_ticks.crend(), [](const ToolTick& tick) { return tick.complete; });
    if (newest == m_ticks.crend())
        return;
    QSet<QString> there;
    for (const ToolDevice& device : newest->devices)
        there.insert(device.id);
    for (const QString& id : std::as_const(seen)) {
        if (!there.contains(id))
            warn(u"device_vanished:"_s + id);
    }
}

} // namespace rankwright::inline insight::toolreading
