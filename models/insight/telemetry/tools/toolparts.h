// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/tools/toolsink.h"

#include <memory>
#include <vector>

namespace rankwright::inline insight::toolreading {

/// A number with the unit that is behind it.
struct Quantity {
    double value = 0;
    QString unit;
};

/// "58.0", "19818 MiB", "312,45 W", "(1700Mhz)", "61.0°C". Empty for N/A, [Not Supported], None, ERR!, "-" and so on.
std::optional<Quantity> quantity(QStringView cell);
std::optional<double> number(QStringView cell);
std::optional<double> watts(QStringView cell); ///< 0 W counts as not read
std::optional<qint64> count(QStringView cell); ///< empty too: below 0, or more than 2^48
/// Bytes of a cell; a bare number counts in `bareUnit`. The tools' MB and GB are 2^20 and 2^30 bytes.
std::optional<qint64> bytes(QStringView cell, double bareUnit);
inline constexpr double mebibyte = 1048576;
/// The tool says that this device or value failed, not only that it does not exist: "ERR!", "[Unknown Error]" ...
bool isErrorCell(QStringView cell);
/// Reasons were looked at; this one slows the device down. Empty: the one that was looked at does not.
void addThrottle(ToolDevice& device, const QString& reason);
QStringList words(QStringView line);
/// Cells of a CSV line; a cell in quotes may hold commas (lists of Python, names of makers).
QStringList csvCells(const QString& line);

/// Reads one layout, line by line. Lines come without line ends, carriage returns and colours.
class LineReader {
public:
    virtual ~LineReader() = default;
    virtual bool readLine(const QString& line, ToolSink& sink) = 0; ///< false: not a line of this layout
    virtual void finish(ToolSink& sink) { Q_UNUSED(sink); }
};

// One maker per tool; each appends its readers.
using Readers = std::vector<std::unique_ptr<LineReader>>;
void addJsonReader(Readers& readers); ///< tooljson.cpp
void addRocmReaders(Readers& readers); ///< toolrocm.cpp
void addAmdReaders(Readers& readers); ///< toolamd.cpp
void addNvidiaReaders(Readers& readers); ///< toolnvidia.cpp
void addNvidiaTableReader(Readers& readers); ///< toolnvidiatable.cpp
void addNvidiaReportReaders(Readers& readers); ///< toolnvidiareport.cpp
void addDcgmReader(Readers& readers); ///< tooldcgm.cpp
void addSysfsReader(Readers& readers); ///< toolsysfs.cpp

void rocmValue(ToolDevice& device, const QString& key, const QString& cell); ///< a key of rocm_smi.py
void amdValue(ToolDevice& device, const QString& name, const QString& cell); ///< a lower-case key of amd-smi

/// Known warnings and failures. True: the line was one.
bool readRemark(const QString& line, ToolSink& sink);

/// Lines of one node.
struct NodeLines {
    QString node;
    QStringList lines;
    bool endsWithin = false; ///< the last line has no line end
};
QList<NodeLines> splitByNode(const QByteArray& output);

} // namespace rankwright::inline insight::toolreading
