// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/insight/telemetry/history/telemetryhistory.h"

namespace rankwright::inline insight {

/// A history as a table, one row per GPU and sample, nodes one after another, each in order of time. Unknown is an
/// empty cell (null in JSON). All formats have the same columns in the same order (docs/recording.md).
enum class ExportFormat {
    Csv, ///< for people and spreadsheets: headings with units
    TypedCsv, ///< for programs (Parquet, Arrow, databases): snake_case headings; exportSchema() gives the types
    JsonWriter, ///< an object per line
    Json ///< one document: `cluster`, `jobId`, `from`, `to`, `samples`
};
/// "csv", "typed-csv", "jsonl", "json"; empty: none of them.
std::optional<ExportFormat> exportFormatFrom(const QString& text);

struct ExportRequest {
    ExportFormat format = ExportFormat::Csv;
    TimeSpan span; ///< empty: the whole history
    QString cluster;
    QString job;
};

/// Takes the next bytes of the table, in UTF-8; false: they cannot be written, stop.
using ExportSink = std::function<bool(const QByteArray& bytes)>;

/// Writes the table piece by piece, whatever the history's length. Returns how many rows it has. Error (Io): the sink
/// refused. The rank of a row is the one whose process held memory on that GPU, where the processes report; with
/// several of them, or none, it is unknown.
Result<qint64> exportHistory(const TelemetryHistory& history, const ExportRequest& request, const ExportSink& sink);

/// The columns of a typed CSV as JSON: `name`, `type` (as Apache Arrow spells it), `nullable`, `unit`, `meaning`.
QByteArray exportSchema();

} // namespace rankwright::inline insight
