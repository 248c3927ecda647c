// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/telemetry/gpusample.h"

#include <QStringList>

namespace rankwright {

/// What the output of a vendor's tool told. Lines that were not understood (banners, warnings, failures) are kept as
/// the reason why something is missing; they never stop the reading.
struct GpuOutput {
    QString tool; ///< "rocm-smi", "nvidia-smi"; empty: not recognised
    QString format; ///< "rocm-smi-csv", "rocm-smi-json", "rocm-smi-concise", "rocm-smi-text", "nvidia-smi-csv"
    QList<NodeTick> ticks; ///< in order, node by node; the node is srun's label where there is one
    QStringList ignored; ///< at most 100
    bool operator==(const GpuOutput&) const = default;
};

/// Reads whole outputs, one call's or a stream's, of any tool whose reader is known, recognised by its shape; each tool
/// has a file of its own (rocmsmi, nvidiasmi). `commandLine` is what printed it: a CSV without header needs it.
GpuOutput readGpuOutput(const QByteArray& output, const QString& commandLine = {});

/// A cell's number: "58.0", "19818 MiB", "312,45 W", "93 %". Empty for N/A, [Not Supported], Secondary die, None ...
std::optional<double> gpuNumber(const QString& cell);

/// The ticks of one stream: a GPU that comes again begins the next tick.
class TickCollector {
public:
    explicit TickCollector(QString node) : m_node(std::move(node)) { }
    void add(const GpuSample& gpu);
    void endTick();
    QList<NodeTick> take();

private:
    QString m_node;
    NodeTick m_open;
    QList<NodeTick> m_ticks;
};

void ignoreLine(GpuOutput& output, const QByteArray& line);

} // namespace rankwright
