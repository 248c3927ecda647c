// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/tools/toolreader.h"

#include <QSet>

#include <optional>

namespace rankwright::inline insight::toolreading {

/// Takes what the readers find in the lines of one node.
class ToolSink {
public:
    ToolSink(ToolReading& reading, QString node, const ToolHint& known)
        : hint(known), m_reading(reading), m_node(std::move(node))
    { }
    void recognised(const char* tool, const char* format);
    void device(const ToolDevice& device); ///< a device that comes again begins the next tick
    void inOrder(const ToolDevice& device, int number); ///< so does one with a smaller number
    ToolDevice* last() { return m_open.devices.isEmpty() ? nullptr : &m_open.devices.last(); }
    void endTick(bool complete = true);
    void warn(const QString& tag);
    void fault(const char* faultClass, const QString& text);
    void ignore(const QString& line);
    void understood() { m_understood = true; } ///< something other than a device was read: a list of processes
    void cut() { m_cut = true; } ///< the output ends within something
    void closeCut(); ///< after the last line: a tick that the cut ended is evaluated before readers end theirs
    void finish();
    int ticksBegun() const { return m_begun; }

    const ToolHint& hint;

private:
    void endOpenTick();
    void finishDevices();
    ToolReading& m_reading;
    QString m_node;
    ToolTick m_open;
    QSet<QString> m_openIds; ///< of its devices
    QList<ToolTick> m_ticks;
    QString m_lastUnknown, m_groupRemark;
    int m_begun = 0;
    std::optional<int> m_lastNumber; ///< of the tick that is open
    bool m_understood = false, m_cut = false, m_amd = false, m_faulty = false;
};

} // namespace rankwright::inline insight::toolreading
