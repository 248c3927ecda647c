// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright::inline insight {

/// What is known about an output beside the output itself. Both may be empty.
struct ToolHint {
    QString tool; ///< "rocm-smi", "amd-smi", "nvidia-smi"; used only where the content does not say
    QString command; ///< command line that printed it: names the columns of a CSV without header
};

/// One device as a tool reports it. Empty = the tool did not report, never 0.
struct ToolDevice {
    QString id; ///< the tool's number ("3"); a MIG instance is "GPU:GI:CI"
    QString name;
    std::optional<double> utilizationPercent; ///< share of time in which any kernel ran
    std::optional<qint64> memoryUsedBytes;
    std::optional<qint64> memoryTotalBytes;
    std::optional<double> powerWatts; ///< of the package where two dies share one
    std::optional<double> temperatureCelsius; ///< edge sensor, else junction (hot spot)
    std::optional<qint64> memoryErrors; ///< that could not be corrected (ECC, RAS), since its driver was loaded
    std::optional<QStringList> throttle; ///< what slows it: "power", "thermal", "hardware"; none: nothing does
    std::optional<double> memoryActivePercent; ///< of its memory's bandwidth, or of the time that it was accessed
    std::optional<double> computeActivePercent, occupancyPercent, tensorActivePercent; ///< as GpuActivity
    std::optional<int> package; ///< same number = same package (two dies of an MI250X, the instances of a MIG GPU)
    bool secondaryDie = false; ///< the tool says that the other die reports the power
    bool unreadable = false; ///< the tool printed errors in place of values
    bool operator==(const ToolDevice&) const = default;
};

/// All devices of one node at one moment.
struct ToolTick {
    QString node; ///< srun's label or the host name in front of the lines; empty: the output does not say
    QList<ToolDevice> devices;
    bool complete = true; ///< false: the output ended within it
    bool operator==(const ToolTick&) const = default;
};

/// Why there are no values, or fewer than asked for. Classes: tool_missing tool_broken driver_not_loaded no_devices
/// nvml_mismatch nvml_error permission gpu_lost bad_arguments no_data no_job_on_node step_blocked unreachable.
struct ToolFault {
    QString faultClass;
    QString text; ///< the line that says so
    QString node;
    bool operator==(const ToolFault&) const = default;
};

/// What an output reported. Lines that no reader understands never stop the reading.
struct ToolReading {
    QString tool; ///< "rocm-smi", "amd-smi", "nvidia-smi", "dcgmi", "sysfs"; empty: not recognised
    QString format; ///< docs/telemetry.md lists them; empty: not recognised
    QList<ToolTick> ticks; ///< node by node, each in order of time
    QList<ToolFault> faults; ///< at most 100, the first of each kind and text
    QStringList warnings; ///< tags such as "low_power_state", "device_unreadable:2" (docs/telemetry.md), each once
    QStringList ignored; ///< lines not understood, at most 100
    bool operator==(const ToolReading&) const = default;
};

/// Reads what rocm-smi (ROCm 3.9 to 7), amd-smi (6.0 to 7), nvidia-smi (drivers 450 to 610), dcgmi dmon or a
/// dump of the amdgpu sysfs files printed, once or as a stream, of one node or of many (lines with srun's labels or
/// host names in front). The layout is recognised by its content, never by a version. Effort and memory grow in step
/// with the input.
ToolReading readGpuTool(const QByteArray& output, const ToolHint& hint = {});

/// The newest complete tick of every node; of a node without a complete one the newest.
QList<ToolTick> newestTicks(const ToolReading& reading);

} // namespace rankwright::inline insight
